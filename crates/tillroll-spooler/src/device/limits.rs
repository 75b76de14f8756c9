//! How long a device may take. Passed in, so that tests run in milliseconds.

use std::time::Duration;

/// Time limits and bounds of one device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Opening: name lookup, every address, the driver's own open call.
    pub connect: Duration,
    /// No byte accepted for so long: the write reports `TimedOut`.
    pub write_stall: Duration,
    /// Closing in order, where nothing is left to send: the other side's close.
    pub close: Duration,
    /// One search for devices.
    pub query: Duration,
    /// So many threads may hang in calls of one device's driver before it is opened no more.
    pub stuck_calls: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            write_stall: Duration::from_secs(10),
            close: Duration::from_secs(5),
            query: Duration::from_secs(2),
            stuck_calls: 4,
        }
    }
}
