//! A clock that tokio's paused time turns.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tillroll_domain::clock::Clock;
use tokio::time::Instant;

/// Both clocks over tokio's time; the wall may jump, the machine may sleep. Clones are the same clock.
#[derive(Debug, Clone)]
pub struct SimulatedClock(Arc<Mutex<Turned>>);

#[derive(Debug, Clone, Copy)]
struct Turned {
    began: Instant,
    wall: Timestamp,
    jumped: SignedDuration,
    slept: Duration,
}

impl SimulatedClock {
    /// A clock that shows `wall` now, on a machine that started an hour ago. Must be called in a runtime.
    #[must_use]
    pub fn at(wall: Timestamp) -> Self {
        let (jumped, slept) = (SignedDuration::ZERO, Duration::ZERO);
        Self(Arc::new(Mutex::new(Turned { began: Instant::now(), wall, jumped, slept })))
    }

    /// Sets the wall clock; no time passes.
    pub fn jump(&self, by: SignedDuration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).jumped += by;
    }

    /// The machine sleeps: both clocks go on, the timers do not.
    pub fn sleep_machine(&self, time: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).slept += time;
    }

    fn read(&self) -> Turned {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> Timestamp {
        let Turned { began, wall, jumped, slept } = self.read();
        wall + began.elapsed() + slept + jumped
    }

    fn boot(&self) -> Duration {
        let Turned { began, slept, .. } = self.read();
        Duration::from_secs(3_600) + began.elapsed() + slept
    }
}
