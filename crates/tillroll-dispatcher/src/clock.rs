//! The machine's own clocks.

pub use tillroll_machine::SystemClock;
