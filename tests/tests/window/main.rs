//! Journeys in the real window: the program as a cashier sees it, driven from outside through
//! WebKitWebDriver, with paper counted from the paper's side. Each journey has a display, a message bus and
//! folders of its own; one runs at a time.
//!
//! They need the program `tillroll` of this build, `tauri-driver`, `WebKitWebDriver`, `Xvfb` and
//! `dbus-run-session`: `make window-test` sees to all of it.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test suite")]

mod backlog;
mod closing;
mod copies;
mod desktop;
mod first_start;
mod keyboard;
mod keys;
mod language;
mod page;
mod paper;
mod paper_out;
mod program;
mod shop;
mod texts;
mod unconfirmed;
