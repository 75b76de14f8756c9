//! What register and dispatcher say to each other: JSON shapes and error codes, shared by both
//! programs. No I/O.
//!
//! Invariants:
//! - Unknown fields are tolerated on reading, so that either side may be newer; an unknown protocol
//!   version is refused politely with [`Code::UnknownProtocol`].
//! - Instants are UTC in RFC 3339, durations say their unit (`_ms`, `_s`), amounts are integer minor
//!   units (`_minor`).
//! - `accepted` is durable at the register, never paper; only `result` speaks of paper.

pub mod channel;
pub mod code;
pub mod day;
pub mod job;
pub mod pairing;
pub mod record;
pub mod repair;
pub mod split;

pub use self::code::{Code, Problem};

/// The version of the protocol this library speaks.
pub const PROTOCOL: u32 = 1;
