//! Development only: a clock turned by hand, a TCP proxy that breaks links, sample receipts, fonts.
//!
//! What fails here fails a test, so builders panic with the reason instead of returning it.

pub mod chaos_proxy;
pub mod clock;
pub mod fonts;
pub mod pictures;
pub mod receipts;

pub use self::chaos_proxy::{Break, ChaosProxy, Cut, Exchange, Faults, Side};
pub use self::clock::ManualClock;
