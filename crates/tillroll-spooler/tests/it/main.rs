//! The spooler against real sockets, pseudo terminals and files.

#![allow(clippy::expect_used, reason = "a test that cannot be set up must fail")]

mod device_file;
mod device_serial;
mod device_tcp;
mod device_virtual;
mod support;
