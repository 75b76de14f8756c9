//! When a split is tried again, how long a call may take, and what it asks of the channel.

use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::printer::UnknownWord;
use crate::retry::Schedule;

/// So long a split is tried by itself; then a person is asked.
pub const WINDOW: Duration = Duration::from_secs(24 * 3_600);

/// So many tries have the channel check accounts and balances at once; later ones only queue there.
pub const LIVE_TRIES: u32 = 3;

/// Tries at the till's pace.
const AT_TILL: u32 = 5;

/// How soon a split is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Somebody waits for it: 0, 0.2, 0.5, 1, 2 s, 3 s for a call; then as in the background.
    Till,
    /// Nobody does: 2, 4, 8, 16, 32 s, 10 s for a call; then every 5 min.
    Background,
}

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// The first try of each is made at once. Every wait is drawn whole, from nothing to its length.
const TILL: Schedule = Schedule::new(
    &[
        ms(200),
        ms(500),
        ms(1_000),
        ms(2_000),
        ms(2_000),
        ms(4_000),
        ms(8_000),
        ms(16_000),
        ms(32_000),
        ms(300_000),
    ],
    100,
);
const BACKGROUND: Schedule =
    Schedule::new(&[ms(2_000), ms(4_000), ms(8_000), ms(16_000), ms(32_000), ms(300_000)], 100);

impl Pace {
    /// The wait after so many tries (from 1); `random` is any number, evenly drawn.
    #[must_use]
    pub fn wait(self, tries: u32, random: u32) -> Duration {
        match self {
            Self::Till => TILL.delay(tries, random),
            Self::Background => BACKGROUND.delay(tries, random),
        }
    }

    /// How long the call of a try (from 1) may take.
    #[must_use]
    pub fn limit(self, tries: u32) -> Duration {
        match self {
            Self::Till if tries <= AT_TILL => ms(3_000),
            Self::Till | Self::Background => ms(10_000),
        }
    }

    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Till => "till",
            Self::Background => "background",
        }
    }
}

impl FromStr for Pace {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        [Self::Till, Self::Background]
            .into_iter()
            .find(|pace| pace.as_str() == text)
            .ok_or_else(|| UnknownWord { text: text.to_owned(), allowed: "till, background" })
    }
}

/// Whether a try (from 1) has the channel check at once.
#[must_use]
pub fn is_live(tries: u32) -> bool {
    tries <= LIVE_TRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_follow_the_named_schedules() {
        let waits =
            |pace: Pace| (1..=11).map(|tries| pace.wait(tries, 0).as_millis()).collect::<Vec<_>>();
        assert_eq!(
            waits(Pace::Till),
            [200, 500, 1_000, 2_000, 2_000, 4_000, 8_000, 16_000, 32_000, 300_000, 300_000]
        );
        assert_eq!(
            waits(Pace::Background)[..7],
            [2_000, 4_000, 8_000, 16_000, 32_000, 300_000, 300_000]
        );
        assert_eq!(Pace::Background.wait(5, u32::MAX), Duration::ZERO, "full jitter");
    }

    #[test]
    fn calls_are_short_at_the_till_and_live_at_first() {
        assert_eq!([1, 5, 6].map(|tries| Pace::Till.limit(tries).as_secs()), [3, 3, 10]);
        assert_eq!(Pace::Background.limit(1).as_secs(), 10);
        assert_eq!([1, 3, 4].map(is_live), [true, true, false]);
    }
}
