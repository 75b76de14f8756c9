//! Journeys in the real window: the program as a cashier sees it, driven from outside through
//! WebKitWebDriver, with paper counted from the paper's side. Each journey has a display, a message bus and
//! folders of its own.
//!
//! They need `tauri-driver`, `WebKitWebDriver`, `Xvfb` and `dbus-run-session`, and run when
//! `TILLROLL_WINDOW` names the program: `make window-test` does all of it.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test suite")]

mod copies;
mod desktop;
mod first_start;
mod page;
mod paper;
mod paper_out;
mod program;
mod unconfirmed;
