//! The dispatcher's library, tested from outside.

#![expect(clippy::unwrap_used, reason = "a failing step fails the test")]

mod conformance;
mod http;
mod nodes;
mod payments;
mod postgres;
mod redis;
mod schedule;
mod sqlite;
