//! A wall clock that nobody can set.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::clock::Clock;

/// The wall clock as it stood at the start of the program plus the boot time passed since: a jump of
/// the wall clock moves no deadline, and suspended time counts.
///
/// One program makes one and gives it to all its parts, so that their times agree.
#[derive(Clone)]
pub struct SteadyClock {
    clock: Arc<dyn Clock>,
    wall: Timestamp,
    boot: Duration,
}

impl SteadyClock {
    /// A steady clock that begins now.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let (wall, boot) = (clock.now(), clock.boot());
        Self { clock, wall, boot }
    }

    /// Time until an instant of this clock; zero when it is past.
    #[must_use]
    pub fn until(&self, at: Timestamp) -> Duration {
        Duration::try_from(at.duration_since(self.now())).unwrap_or(Duration::ZERO)
    }
}

impl fmt::Debug for SteadyClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SteadyClock").field("now", &self.now()).finish_non_exhaustive()
    }
}

impl Clock for SteadyClock {
    fn now(&self) -> Timestamp {
        self.wall.saturating_add(self.boot().saturating_sub(self.boot)).unwrap_or(Timestamp::MAX)
    }

    fn boot(&self) -> Duration {
        self.clock.boot()
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use tillroll_testkit::clock::ManualClock;

    use super::*;

    #[test]
    fn jump_of_the_wall_clock_moves_nothing() {
        let manual = ManualClock::reading("2026-10-09T10:00:00Z");
        let steady = SteadyClock::new(Arc::new(manual.clone()));
        manual.jump(SignedDuration::from_hours(-72));
        manual.advance(Duration::from_secs(5));
        assert_eq!(steady.now().to_string(), "2026-10-09T10:00:05Z");
        assert_eq!(steady.until("2026-10-09T10:00:07Z".parse().unwrap()), Duration::from_secs(2));
        assert_eq!(steady.until("2026-10-09T09:00:00Z".parse().unwrap()), Duration::ZERO);
    }
}
