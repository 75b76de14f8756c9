//! The register over its HTTP API: real sockets, a real store, a virtual printer in the same process.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]
#![expect(clippy::expect_used, reason = "a failed step is a failed test")]

mod access;
mod bodies;
mod clients;
mod cloud;
mod connections;
mod day_close;
mod days;
mod drawer;
mod events;
mod hostile;
mod jobs;
mod lifecycle;
mod limits;
mod metrics;
mod openapi;
mod order_scope;
mod paper;
mod printers;
mod receipts;
mod rejected;
mod roles;
mod routes;
mod support;
mod training;
mod workers;
