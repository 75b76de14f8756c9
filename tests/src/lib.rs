//! Whole-system suites live in `tests/<suite>/main.rs`, benches in `benches/`.
