//! What the whole-system suites share: the real programs as child processes, and a client of their API.
//!
//! Suites live in `tests/<suite>/main.rs`, benches in `benches/`.

pub mod api;
pub mod attacks;
pub mod dispatcher_program;
pub mod paper_program;
pub mod process;
pub mod program;
pub mod register_program;
