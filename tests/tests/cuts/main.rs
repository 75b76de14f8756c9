//! Broken on purpose: the power goes, calls fail, the program is killed at every call, and every order of
//! events is gone through. Each attack has a control that must be caught: without it a clean run proves nothing.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test suite; its counts are shown on demand"
)]

mod calls;
mod disk;
mod dispatcher;
mod ext4;
mod ledger;
mod model;
mod older;
mod power;
mod register;
mod report;
mod run;
mod tally;
mod vfs;
