//! Chance by seed: a seed is a course of events.

use std::ops::Range;
use std::time::Duration;

/// A small generator (SplitMix64, Steele, Lea and Flood 2014). The same seed gives the same numbers.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Dice of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Other dice, for another player: how often one throws changes nothing for the others.
    #[must_use]
    pub fn of(&self, player: u64) -> Self {
        let mut other = Self(self.0 ^ player.wrapping_mul(0xD1B5_4A32_D192_ED03));
        Self(other.roll())
    }

    /// 64 bits.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 for 0.
    pub fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.roll() % end }
    }

    /// True so many times in a thousand.
    pub fn per_mille(&mut self, times: u32) -> bool {
        self.below(1_000) < u64::from(times)
    }

    /// A duration of the range, to the millisecond.
    pub fn within(&mut self, range: &Range<Duration>) -> Duration {
        let span = range.end.saturating_sub(range.start).as_millis();
        let more = self.below(u64::try_from(span).unwrap_or(u64::MAX));
        range.start + Duration::from_millis(more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_seed_gives_the_same_course_and_players_do_not_disturb_each_other() {
        let course = |mut dice: Dice| (0..5).map(|_| dice.roll()).collect::<Vec<_>>();
        assert_eq!(course(Dice::new(7)), course(Dice::new(7)));
        assert_ne!(course(Dice::new(7)), course(Dice::new(8)));
        let table = Dice::new(7);
        assert_eq!(course(table.of(1)), course(table.of(1)));
        assert_ne!(course(table.of(1)), course(table.of(2)));
    }

    #[test]
    fn throws_stay_in_their_range_and_chance_is_about_what_was_asked() {
        let mut dice = Dice::new(1);
        let range = Duration::from_millis(5)..Duration::from_millis(9);
        assert!((0..100).all(|_| range.contains(&dice.within(&range))));
        let hits = (0..10_000).filter(|_| dice.per_mille(150)).count();
        assert!((1_300..1_700).contains(&hits), "{hits}");
        assert!(!dice.per_mille(0) && dice.per_mille(1_000));
    }
}
