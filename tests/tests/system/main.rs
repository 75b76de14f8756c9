//! The whole system, from outside: real programs, real sockets, real files. Paper is counted from the
//! paper's side.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test suite")]

mod kills;
mod many_clients;
mod older_copy;
mod torn_files;
