//! Notices when the wall clock is set, and for how long afterwards ages by it mean nothing.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::clock::{Clock, was_set};

/// What a worker knows of the two clocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClockWatch {
    last: (Timestamp, Duration),
    /// The boot clock when the wall clock was last seen to have jumped.
    jumped_at: Option<Duration>,
}

impl ClockWatch {
    pub(crate) fn new(clock: &dyn Clock) -> Self {
        Self { last: (clock.now(), clock.boot()), jumped_at: None }
    }

    /// Reads both clocks; whether the wall clock jumped since the last reading.
    pub(crate) fn jumped(&mut self, clock: &dyn Clock) -> bool {
        let reading = (clock.now(), clock.boot());
        let jumped = was_set(self.last, reading);
        self.last = reading;
        if jumped {
            self.jumped_at = Some(reading.1);
        }
        jumped
    }

    /// The wall clock as it was read last.
    pub(crate) fn now(&self) -> Timestamp {
        self.last.0
    }

    /// Whether what looks older than `age` by the wall clock is: no jump was seen since then.
    pub(crate) fn trusts(&self, age: Duration) -> bool {
        let (_, boot) = self.last;
        self.jumped_at.is_none_or(|jumped| boot.saturating_sub(jumped) >= age)
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use tillroll_testkit::ManualClock;

    use super::*;

    const HALF_HOUR: Duration = Duration::from_secs(30 * 60);

    #[test]
    fn time_that_passes_is_no_jump_and_a_set_clock_is_one_jump() {
        let clock = ManualClock::reading("2026-10-09T10:03:25Z");
        let mut watch = ClockWatch::new(&clock);
        clock.advance(Duration::from_secs(86_400));
        assert!(!watch.jumped(&clock) && watch.trusts(HALF_HOUR));
        clock.jump(SignedDuration::from_hours(-72));
        assert!(watch.jumped(&clock));
        assert!(!watch.jumped(&clock), "told once");
    }

    #[test]
    fn ages_are_trusted_again_when_the_jump_is_longer_ago_than_they_are() {
        let clock = ManualClock::reading("2026-10-09T10:03:25Z");
        let mut watch = ClockWatch::new(&clock);
        clock.jump(SignedDuration::from_hours(72));
        watch.jumped(&clock);
        assert!(!watch.trusts(HALF_HOUR));
        clock.advance(HALF_HOUR);
        watch.jumped(&clock);
        assert!(watch.trusts(HALF_HOUR));
    }
}
