//! The register's side of the cloud: records go up, jobs come down, and both sides are held against each
//! other.
//!
//! Invariants:
//! - Rows are the queue. Only a verdict of the head office moves a record; the outbox never gives up.
//! - A pushed job is durable here before it is accepted, and only paper is told as `printed`.
//! - Sending again is free: every record has its id from the fact. Nothing is asked before it is sent.
//! - No sale waits for the network: nothing here holds a lock, and each wait has a limit.
//! - Every wait is held against the boot clock, so that a machine that slept is late by seconds at most and
//!   a wall clock that is set moves nothing.
//!
//! The network is behind [`Link`], the register's printers behind [`Printers`].

mod channel;
mod cloud;
mod context;
mod drift;
mod expiry;
mod http;
mod link;
mod pairing;
mod printers;
mod repair;
mod schedule;
mod status;
mod timings;
mod upload;
mod wait;

pub use self::cloud::{Cloud, Setup};
pub use self::drift::DRIFT_LIMIT;
pub use self::http::HttpLink;
pub use self::link::{Channel, Distrust, Lane, Link, LinkError};
pub use self::pairing::{PairError, UrlError, check_url, pair};
pub use self::printers::{Announced, Printers, Untaken, receipt_of};
pub use self::status::{CloudStatus, Connectivity};
pub use self::timings::Timings;
