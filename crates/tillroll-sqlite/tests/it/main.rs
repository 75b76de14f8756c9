//! The crate from outside, on real files.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failing step fails the test")]

mod async_writes;
mod changed_schema;
mod checkpoints;
mod company;
mod disk_full;
mod failing_sync;
mod group_commit;
mod guard;
mod inline;
mod interleavings;
mod isolation;
mod migrations;
mod reading;
mod rescue;
mod rewrite;
mod support;
