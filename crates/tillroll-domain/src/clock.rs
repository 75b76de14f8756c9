//! Time, passed in.
//!
//! Two clocks: the wall clock says *when* for people and books, and may jump; the boot clock counts
//! time that passed, suspend included (`CLOCK_BOOTTIME`), and carries every timer and deadline.

use std::time::Duration;

use jiff::Timestamp;

/// Both clocks, read through one seam so that tests can turn them by hand.
pub trait Clock: Send + Sync + 'static {
    /// The wall clock. It may be wrong and it may jump.
    fn now(&self) -> Timestamp;

    /// Time since the machine started, suspend included. It never goes back while the machine runs.
    fn boot(&self) -> Duration;
}

/// The furthest a stored due time may lie ahead after a start or a jump of the wall clock.
pub const DUE_CLAMP: Duration = Duration::from_secs(30);

/// A stored due time as it may be believed: never further ahead than [`DUE_CLAMP`].
#[must_use]
pub fn clamp_due(due: Timestamp, now: Timestamp) -> Timestamp {
    let latest = now.saturating_add(DUE_CLAMP).unwrap_or(now);
    due.min(latest)
}

/// How much the wall clock jumped between two readings of both clocks: what it moved beyond the time
/// that passed. Zero when it ran true.
#[must_use]
pub fn wall_jump(
    before: (Timestamp, Duration),
    after: (Timestamp, Duration),
) -> jiff::SignedDuration {
    let wall = after.0.duration_since(before.0);
    let passed = after.1.saturating_sub(before.1);
    wall.saturating_sub(jiff::SignedDuration::try_from(passed).unwrap_or(jiff::SignedDuration::MAX))
}

/// A smaller difference between the clocks is drift, or the time between two readings.
const DRIFT: jiff::SignedDuration = jiff::SignedDuration::from_secs(2);

/// Whether the wall clock was set between two readings of both clocks.
#[must_use]
pub fn was_set(before: (Timestamp, Duration), after: (Timestamp, Duration)) -> bool {
    wall_jump(before, after).abs() > DRIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn due_time_left_by_a_clock_that_was_days_ahead_is_pulled_in() {
        let three_days = 3 * 86_400;
        assert_eq!(clamp_due(at(1_000 + three_days), at(1_000)), at(1_030));
        assert_eq!(clamp_due(at(1_010), at(1_000)), at(1_010));
        assert_eq!(clamp_due(at(5), at(1_000)), at(5));
    }

    #[test]
    fn jump_is_what_the_wall_moved_beyond_the_time_that_passed() {
        let boot = Duration::from_secs;
        assert_eq!(wall_jump((at(100), boot(10)), (at(105), boot(15))).as_secs(), 0);
        assert_eq!(wall_jump((at(100), boot(10)), (at(3_705), boot(15))).as_secs(), 3_600);
        assert_eq!(wall_jump((at(100), boot(10)), (at(50), boot(15))).as_secs(), -55);
        assert!(!was_set((at(100), boot(10)), (at(107), boot(15))), "two seconds of drift");
        assert!(was_set((at(100), boot(10)), (at(108), boot(15))));
    }
}
