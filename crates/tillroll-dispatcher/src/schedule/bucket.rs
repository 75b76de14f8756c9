//! A rate over all printers: never more than so many in any second.

use std::time::Duration;

/// Lets `per_s` through in any second, wherever the second begins: a small burst, then evenly.
#[derive(Debug)]
pub(crate) struct Bucket {
    /// Time between two when they come evenly.
    interval: Duration,
    /// How far ahead of the even pace a burst may be.
    burst: Duration,
    /// When the next one would be due at the even pace.
    next: Duration,
}

/// The part of a second's allowance that may come at once.
const BURST: f64 = 0.05;

impl Bucket {
    /// A bucket for a rate of at least 1 a second.
    pub(crate) fn new(per_s: u32) -> Self {
        let per_s = f64::from(per_s.max(1));
        let burst = (per_s * BURST).floor().max(1.0);
        let interval = Duration::from_secs_f64(1.0 / (per_s - burst).max(1.0));
        Self { interval, burst: interval.mul_f64(burst - 1.0), next: Duration::ZERO }
    }

    /// When one more may pass: now, or later.
    pub(crate) fn ready_at(&self) -> Duration {
        self.next.saturating_sub(self.burst)
    }

    /// Lets one pass, if it may pass by now.
    pub(crate) fn take(&mut self, now: Duration) -> bool {
        let ready = self.ready_at() <= now;
        if ready {
            self.next = self.next.max(now) + self.interval;
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What passes when everybody tries again as soon as one may.
    fn greedy(per_s: u32, seconds: u64) -> Vec<Duration> {
        let mut bucket = Bucket::new(per_s);
        let (mut now, mut passed) = (Duration::from_secs(10), Vec::new());
        while now < Duration::from_secs(10 + seconds) {
            if bucket.take(now) {
                passed.push(now);
            } else {
                now = bucket.ready_at();
            }
        }
        passed
    }

    #[test]
    fn nearly_the_whole_rate_is_used() {
        let passed = greedy(500, 10).len();
        assert!((4_700..=5_000).contains(&passed), "{passed} in 10 s");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]
        #[test]
        fn no_second_has_more_than_the_rate(per_s in 1u32..600) {
            let passed = greedy(per_s, 2);
            for (n, start) in passed.iter().enumerate() {
                let within = passed[n..].iter().take_while(|at| **at - *start < Duration::from_secs(1));
                prop_assert!(within.count() <= per_s as usize);
            }
        }
    }
}
