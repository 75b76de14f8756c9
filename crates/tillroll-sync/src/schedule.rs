//! When to try again. Pure.

use std::time::Duration;

use tillroll_domain::retry::Schedule;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Tries of an upload at the till: at once, then within 0.2, 0.5, 1 and 2 s. Full jitter.
const TILL: Schedule = Schedule::new(&[ms(200), ms(500), ms(1_000), ms(2_000)], 100);
/// Tries at the till, the first included.
const TILL_TRIES: u32 = 5;
/// After those: within 5 min each, ...
const BACKGROUND: Schedule = Schedule::new(&[ms(300_000)], 100);
/// ... or within 30 s each while the channel stands: the head office is there, and the line is thin.
const CONNECTED: Schedule = Schedule::new(&[ms(30_000)], 100);

/// Failed tries of an upload in a row. Only a verdict resets it.
#[derive(Debug, Default)]
pub(crate) struct Tries(u32);

impl Tries {
    /// A verdict came.
    pub(crate) fn reset(&mut self) {
        self.0 = 0;
    }

    /// A try failed; how long until the next.
    pub(crate) fn failed(&mut self, is_online: bool, random: u32) -> Duration {
        self.0 = self.0.saturating_add(1);
        match self.0.checked_sub(TILL_TRIES) {
            None => TILL.delay(self.0, random),
            Some(_) if is_online => CONNECTED.delay(1, random),
            Some(_) => BACKGROUND.delay(1, random),
        }
    }

    /// Whether the last try failed.
    pub(crate) fn is_failing(&self) -> bool {
        self.0 > 0
    }
}

/// Delay before a sound connection that ended is opened again. Full jitter: thousands may have lost theirs at
/// the same moment.
const AGAIN: Schedule = Schedule::new(&[ms(800)], 100);
/// Delays while no connection can be made: the network may be back at any moment, and within 2 s of that all
/// that waited is to have arrived.
const UNREACHABLE: Schedule = Schedule::new(&[ms(800)], 50);
/// Delays while connections are made and dropped: the other side is in trouble.
const DROPPED: Schedule =
    Schedule::new(&[ms(1_000), ms(2_000), ms(4_000), ms(8_000), ms(16_000), ms(30_000)], 20);

/// When the channel is opened again.
#[derive(Debug, Default)]
pub(crate) struct Reconnect {
    dropped: u32,
}

impl Reconnect {
    /// No connection could be made.
    pub(crate) fn unreachable(&self, random: u32) -> Duration {
        UNREACHABLE.delay(1, random)
    }

    /// A connection was made and ended. One that was sound is opened again soon.
    pub(crate) fn dropped(&mut self, was_sound: bool, random: u32) -> Duration {
        if was_sound {
            self.dropped = 0;
            return AGAIN.delay(1, random);
        }
        self.dropped = self.dropped.saturating_add(1);
        DROPPED.delay(self.dropped, random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_tries_at_the_till_then_one_within_five_minutes_each() {
        let mut tries = Tries::default();
        let mut longest = Vec::new();
        for _ in 0..6 {
            longest.push(tries.failed(false, 0).as_millis());
        }
        assert_eq!(longest, [200, 500, 1_000, 2_000, 300_000, 300_000]);
        assert_eq!(tries.failed(true, 0).as_secs(), 30, "the channel stands");
        tries.reset();
        assert_eq!(tries.failed(false, u32::MAX), Duration::ZERO, "full jitter");
    }

    #[test]
    fn server_that_drops_at_once_is_hit_twenty_times_in_five_minutes_at_most() {
        let mut reconnect = Reconnect::default();
        let (mut passed, mut connections) = (Duration::ZERO, 0);
        while passed < Duration::from_secs(300) {
            connections += 1;
            passed += reconnect.dropped(false, u32::MAX) + Duration::from_millis(50);
        }
        assert!(connections <= 20, "{connections}");
    }

    #[test]
    fn network_that_is_away_is_tried_once_or_twice_a_second() {
        let reconnect = Reconnect::default();
        assert_eq!(reconnect.unreachable(0).as_millis(), 800);
        assert_eq!(reconnect.unreachable(u32::MAX).as_millis(), 400);
    }

    #[test]
    fn sound_connections_that_end_together_are_opened_again_apart() {
        let mut reconnect = Reconnect::default();
        assert_eq!(reconnect.dropped(true, 0).as_millis(), 800);
        assert_eq!(reconnect.dropped(true, u32::MAX), Duration::ZERO);
    }
}
