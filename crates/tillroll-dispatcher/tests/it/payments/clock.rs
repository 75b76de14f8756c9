//! A clock that hurries.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use jiff::Timestamp;
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock;

/// The machine's clocks, set ahead at will.
#[derive(Debug, Default)]
pub struct SkippingClock(AtomicU64);

impl SkippingClock {
    pub fn skip(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_millis()).unwrap(), Relaxed);
    }

    fn skipped(&self) -> Duration {
        Duration::from_millis(self.0.load(Relaxed))
    }
}

impl Clock for SkippingClock {
    fn now(&self) -> Timestamp {
        SystemClock.now().checked_add(self.skipped()).unwrap()
    }

    fn boot(&self) -> Duration {
        SystemClock.boot() + self.skipped()
    }
}
