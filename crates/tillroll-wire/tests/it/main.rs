//! What goes over the wire, word for word: registers and dispatchers of different versions meet.

#![expect(clippy::unwrap_used, reason = "a failing step fails the test")]

mod codes;
mod digests;
mod golden;
mod messages;
mod older_and_newer;
