//! One worker per printer: devices, attempts, confirmation, recovery.
//!
//! Invariants:
//! - One worker owns the one connection to its printer; at most one job is at a device.
//! - An attempt is durable before its first byte; nothing that may be on paper is sent again by a worker.
//! - Rows are the queue. A bell only wakes; a worker sleeps until the bell or the next due row.
//! - A printer that cannot be reached stops itself and costs its jobs nothing, and no other printer anything.

mod backoff;
mod clock_watch;
pub mod device;
mod evidence;
mod probe;
mod ready;
mod render;
mod seat;
mod session;
mod spooler;
mod status;
mod timings;
mod to_its_end;
mod token;
mod worker;

pub use self::probe::{ProbeError, Probed, probe};
pub use self::render::{RenderError, Rendered, Renderer, Stationery};
pub use self::seat::Seat;
pub use self::spooler::{Context, Spooler, SpoolerError};
pub use self::status::PrinterStatus;
pub use self::timings::Timings;
pub use self::to_its_end::ToItsEnd;
