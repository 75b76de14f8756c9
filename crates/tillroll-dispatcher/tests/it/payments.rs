//! Splits paid to a simulated bank over real sockets.

mod clock;
mod outage;
mod paying;
mod programs;
mod reconciling;
pub mod world;
