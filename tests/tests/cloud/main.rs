//! Registers with a real dispatcher: real sockets between them, real files on both sides, virtual paper.
//! The network is a proxy that is cut.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test suite")]

mod answers;
mod bank;
mod clocks;
mod deadlines;
mod full_disk;
mod head_office;
mod offline;
mod older_copy;
mod pushing;
mod refused;
mod replaced;
mod splits;
mod till;
