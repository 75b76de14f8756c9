//! Capped, jittered delays. Pure: the random number is passed in.

use std::time::Duration;

/// A schedule of delays that stays on its last step, with a share of each delay drawn at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    steps: &'static [Duration],
    jitter_percent: u32,
}

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// How long a stopped printer waits before it is tried again: 1, 2, 4, 8, 16, 30, 30 ... s.
pub const PRINTER: Schedule = Schedule::new(&[s(1), s(2), s(4), s(8), s(16), s(30)], 20);

/// How long a job waits after an attempt that certainly left nothing on paper: 1, 2, 4, 8 ... s, at most 30.
pub const ATTEMPT: Schedule = Schedule::new(&[s(1), s(2), s(4), s(8), s(16), s(30)], 20);

/// Attempts that certainly left nothing on paper before a job is `failed`.
pub const ATTEMPT_BUDGET: u32 = 5;

impl Schedule {
    /// A schedule; `jitter_percent` of each delay, at most 100, is taken off at random.
    ///
    /// # Panics
    /// At compile time, when there is no step or the jitter is over 100.
    #[must_use]
    pub const fn new(steps: &'static [Duration], jitter_percent: u32) -> Self {
        assert!(!steps.is_empty() && jitter_percent <= 100);
        Self { steps, jitter_percent }
    }

    /// The delay before try `tries + 1`, after `tries` failed ones (from 1). `random` is any number,
    /// evenly drawn; the delay lies between the step less its jitter and the step.
    #[must_use]
    pub fn delay(&self, tries: u32, random: u32) -> Duration {
        let last = self.steps.len() - 1;
        let at = usize::try_from(tries.saturating_sub(1)).unwrap_or(last).min(last);
        let step = self.steps[at];
        let most = step.as_millis() * u128::from(self.jitter_percent) / 100;
        let off = most * u128::from(random) / u128::from(u32::MAX);
        step.saturating_sub(Duration::from_millis(u64::try_from(off).unwrap_or(0)))
    }

    /// The longest delay.
    #[must_use]
    pub fn cap(&self) -> Duration {
        self.steps[self.steps.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn printer_delays_grow_to_the_cap_and_stay() {
        let delays: Vec<_> = (1..=8).map(|tries| PRINTER.delay(tries, 0).as_secs()).collect();
        assert_eq!(delays, [1, 2, 4, 8, 16, 30, 30, 30]);
        assert_eq!(PRINTER.delay(0, 0).as_secs(), 1);
        assert_eq!(PRINTER.delay(u32::MAX, 0).as_secs(), 30);
    }

    proptest! {
        #[test]
        fn delay_lies_within_its_jitter(tries: u32, random: u32) {
            let (full, drawn) = (PRINTER.delay(tries, 0), PRINTER.delay(tries, random));
            prop_assert!(drawn <= full && drawn >= full.mul_f64(0.8), "{drawn:?} of {full:?}");
        }
    }
}
