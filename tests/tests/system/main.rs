//! The whole system, from outside: real programs, real sockets, real files. Paper is counted from the
//! paper's side.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test suite; its counts are shown on demand"
)]

mod every_call;
mod kills;
mod many_clients;
mod network;
mod older_copy;
mod soak;
mod torn_files;
mod wrong;
