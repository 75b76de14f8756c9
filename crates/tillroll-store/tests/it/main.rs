//! The crate from outside, on real files.

#![expect(clippy::unwrap_used, reason = "a failing step fails the test")]

mod answers;
mod day;
mod disk_full;
mod drawer_openings;
mod epoch;
mod feed;
mod notices;
mod open;
mod plans;
mod preferences;
mod printers;
mod properties;
mod pushed;
mod record;
mod recovery;
mod rejected;
mod retention;
mod sharing;
mod spool;
mod state_table;
mod support;
mod todo;
mod unreadable;
