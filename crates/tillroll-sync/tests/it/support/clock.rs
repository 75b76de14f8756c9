//! Both clocks on the runtime's own time, which a paused runtime turns; the wall clock can be set.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tillroll_domain::clock::Clock;
use tokio::time::Instant;

/// Clones show the same clock.
#[derive(Debug, Clone)]
pub struct TestClock {
    began: Instant,
    set_by_ms: Arc<AtomicI64>,
}

impl TestClock {
    pub fn new() -> Self {
        Self { began: Instant::now(), set_by_ms: Arc::default() }
    }

    pub fn shared(&self) -> Arc<dyn Clock> {
        Arc::new(self.clone())
    }

    /// Sets the wall clock.
    pub fn set(&self, by: SignedDuration) {
        self.set_by_ms.fetch_add(i64::try_from(by.as_millis()).unwrap(), SeqCst);
    }

    /// What a right clock shows.
    pub fn truth(&self) -> Timestamp {
        let began: Timestamp = "2026-10-12T02:00:00Z".parse().unwrap();
        began + SignedDuration::try_from(self.began.elapsed()).unwrap()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.truth() + SignedDuration::from_millis(self.set_by_ms.load(SeqCst))
    }

    fn boot(&self) -> Duration {
        Duration::from_secs(3_600) + self.began.elapsed()
    }
}
