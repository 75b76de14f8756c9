//! The virtual printer: a device with a receive buffer, status, time and faults around the
//! interpreter, reachable in process, over TCP and over a pseudo terminal.
//!
//! The module `machine` is the device without any I/O; everything else moves bytes and time to and from it.

mod behaviour;
mod condition;
mod connect;
mod fault;
mod handle;
mod journal;
mod link;
mod machine;
mod pty;
mod shared;
mod state;
mod tcp;

pub use behaviour::{Behaviour, Connections, Personality, UnknownPersonality};
pub use condition::{DeviceError, Paper};
pub use fault::{BadFault, Fault};
pub use handle::{Timeout, VirtualPrinter};
pub use journal::Received;
pub use machine::Counters;
pub use pty::PtyLink;
