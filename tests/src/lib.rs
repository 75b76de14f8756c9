//! What the whole-system suites share: the real programs as child processes, and a client of their API; and
//! what benches share: how much they do, and how they tell what they measured.
//!
//! Suites live in `tests/<suite>/main.rs`, benches in `benches/`.

pub mod api;
pub mod asked;
pub mod dispatcher_program;
pub mod figures;
pub mod paper_program;
pub mod platform;
pub mod process;
pub mod program;
pub mod register_program;
pub mod scale;
