//! The spooler against real sockets, pseudo terminals and files.

#![allow(clippy::expect_used, reason = "a test that cannot be set up must fail")]

mod bench;
mod condition;
mod counters;
mod crash;
mod dead_printer;
mod device_file;
mod device_serial;
mod device_tcp;
mod device_virtual;
mod field_link;
mod field_paper;
mod link_cut;
mod many_jobs;
mod panic;
mod probing;
mod promised_end;
mod pushed;
mod raw_job;
mod short_way;
mod support;
