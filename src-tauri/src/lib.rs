//! The window of a register: assembly only. What it does is done by the facade
//! [`tillroll_register::Register`]; here are the commands the pages call, the hint that something
//! changed, the tray, and the program's beginning and end.
//!
//! Invariants: one register a data folder, hosted in this process with its local HTTP API; closing the
//! window keeps printing; nothing here waits on a device.

mod app;
mod argument;
pub mod commands;
mod desk;
mod ending;
mod hints;
#[cfg(target_os = "linux")]
mod painting;
mod refused;
mod tray;
mod window;
mod words;

pub use self::app::{Start, run};
pub use self::desk::{Desk, DeskOptions};
pub use self::hints::tell_changes;
pub use self::refused::{Answer, Refused};
