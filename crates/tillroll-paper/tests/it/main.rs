//! The virtual printer over real sockets, terminals and third-party programs.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed test is a panic")]

mod connections;
mod faults;
mod pictures;
mod properties;
mod serial_line;
mod third_party;
