//! The commands as the pages call them, over a runtime without a window; and the types they share.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod access;
mod bindings;
mod cloud;
mod configuration;
mod day;
mod desk;
mod hints;
mod jobs;
mod listed;
mod phases;
mod printers;
mod set_up;
