//! CPU time used.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// User and system time of this process so far, all threads.
#[must_use]
pub fn process() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}
