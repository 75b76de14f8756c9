//! A clock turned by hand.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp, TimestampArithmetic};
use tillroll_domain::clock::Clock;

/// Both clocks, standing still until turned. Clones show and turn the same clock.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<Mutex<Reading>>);

#[derive(Debug, Clone, Copy)]
struct Reading {
    now: Timestamp,
    boot: Duration,
}

impl ManualClock {
    /// A clock that shows `now`, on a machine that started an hour ago.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(Reading { now, boot: Duration::from_secs(3_600) })))
    }

    /// A clock that shows a time of RFC 3339, `2026-10-09T10:03:25+08:00`.
    ///
    /// # Panics
    /// When the text is no such time.
    #[must_use]
    pub fn reading(text: &str) -> Self {
        Self::at(text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}")))
    }

    /// Lets time pass on both clocks.
    ///
    /// # Panics
    /// When the wall clock would leave the years jiff knows.
    pub fn advance(&self, time: Duration) {
        self.turn(|reading| {
            reading.now = moved(reading.now, time);
            reading.boot += time;
        });
    }

    /// Sets the wall clock ahead or back; no time passes.
    ///
    /// # Panics
    /// As [`ManualClock::advance`].
    pub fn jump(&self, by: SignedDuration) {
        self.turn(|reading| reading.now = moved(reading.now, by));
    }

    /// Starts the machine anew: the boot clock begins at zero, the wall clock goes on.
    pub fn restart(&self) {
        self.turn(|reading| reading.boot = Duration::ZERO);
    }

    fn turn(&self, by: impl FnOnce(&mut Reading)) {
        by(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn read(&self) -> Reading {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn moved(now: Timestamp, by: impl Into<TimestampArithmetic>) -> Timestamp {
    now.checked_add(by).unwrap_or_else(|error| panic!("clock moved out of range: {error}"))
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.read().now
    }

    fn boot(&self) -> Duration {
        self.read().boot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_show_the_same_clock_and_only_time_moves_the_boot_clock() {
        let clock = ManualClock::reading("2026-10-09T10:03:25+08:00");
        let other = clock.clone();
        let (now, boot) = (other.now(), other.boot());
        clock.advance(Duration::from_millis(1_500));
        assert_eq!(other.now().duration_since(now).as_millis(), 1_500);
        assert_eq!(other.boot().checked_sub(boot), Some(Duration::from_millis(1_500)));
        clock.jump(SignedDuration::from_hours(-2));
        assert_eq!(other.now().duration_since(now).as_millis(), 1_500 - 7_200_000);
        assert_eq!(other.boot().checked_sub(boot), Some(Duration::from_millis(1_500)));
        clock.restart();
        assert_eq!(other.boot(), Duration::ZERO);
    }
}
