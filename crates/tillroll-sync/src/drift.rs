//! How far this register's wall clock is from the dispatcher's.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tillroll_domain::clock::Clock;
use tillroll_wire::channel::ClockReading;

/// A clock further off than this is told to a person.
pub const DRIFT_LIMIT: SignedDuration = SignedDuration::from_secs(120);

/// Both clocks, read together.
pub(crate) fn reading(clock: &dyn Clock) -> ClockReading {
    let boot_ms = u64::try_from(clock.boot().as_millis()).unwrap_or(u64::MAX);
    ClockReading { now: clock.now(), boot_ms }
}

/// The dispatcher's clock less this one's: it was read half-way between asking and the answer.
pub(crate) fn measure(
    asked: ClockReading,
    answered: ClockReading,
    theirs: Timestamp,
) -> SignedDuration {
    let half = Duration::from_millis(answered.boot_ms.saturating_sub(asked.boot_ms) / 2);
    let half = SignedDuration::try_from(half).unwrap_or(SignedDuration::ZERO);
    theirs.duration_since(asked.now).saturating_sub(half)
}

/// What a person reads of a wrong clock.
pub(crate) fn told(drift: SignedDuration) -> Option<String> {
    if drift.abs() <= DRIFT_LIMIT {
        return None;
    }
    let way = if drift.is_positive() { "behind" } else { "ahead of" };
    // To the minute: what the network took is not the clock's.
    let off = SignedDuration::from_mins((drift.abs().as_secs() + 30) / 60);
    Some(format!(
        "this register's clock is {off:#} {way} the head office's: set it right, then look at the days \
         of the receipts recorded meanwhile"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64, boot_ms: u64) -> ClockReading {
        ClockReading { now: Timestamp::from_second(second).unwrap(), boot_ms }
    }

    #[test]
    fn answer_was_read_half_way() {
        let theirs = Timestamp::from_second(1_001).unwrap();
        assert_eq!(measure(at(1_000, 0), at(1_002, 2_000), theirs), SignedDuration::ZERO);
        let three_days = SignedDuration::from_hours(72);
        let theirs = theirs + three_days;
        assert_eq!(measure(at(1_000, 0), at(1_002, 2_000), theirs), three_days);
    }

    #[test]
    fn wrong_clock_is_told_with_its_difference() {
        assert_eq!(told(SignedDuration::from_secs(119)), None);
        for near in [-900, 0, 900].map(SignedDuration::from_millis) {
            let told = told(SignedDuration::from_hours(72) + near).unwrap();
            assert!(told.contains("72h behind"), "{told}");
        }
    }
}
