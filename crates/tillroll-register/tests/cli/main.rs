//! The command line as people and scripts use it: the built program, real folders, real sockets.
#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod day;
mod demonstration;
mod exit_codes;
mod help;
mod paper;
mod program;
mod receipts;
mod selling;
mod serving;
mod set_up;
mod splits;
