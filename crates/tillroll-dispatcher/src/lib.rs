//! The cloud side: takes print jobs from business systems, schedules and pushes them to registers,
//! and keeps the books of every store.
//!
//! Invariants:
//! - Rows are the truth: what a wheel or a session holds in memory is rebuilt from them.
//! - A job leaves the schedule only on a final state or on parking; `accepted` is not paper.
//! - What is answered with 2xx is durable.

pub mod admin;
pub mod bank_sim;
pub mod channel;
pub mod clock;
pub mod config;
pub mod counters;
mod database;
mod engine;
pub mod folder;
pub mod hooks;
mod host;
pub mod http;
pub mod job;
mod limits;
pub mod nodes;
pub mod payments;
pub mod postgres;
pub mod redis;
mod retention;
pub mod schedule;
pub mod secret;
pub mod splits;
pub mod sqlite;
pub mod store;

pub use self::database::{Migrated, OpenDatabase};
pub use self::engine::Engine;
pub use self::host::{Dispatcher, DispatcherOptions, StartError};
pub use self::limits::Rates;
