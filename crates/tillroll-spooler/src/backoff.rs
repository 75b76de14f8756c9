//! A stopped printer backs off by itself: 1, 2, 4, 8, 16, 30, 30 ... s, jittered; anew only after a
//! confirmed job or a stable minute.

use std::time::Duration;

use tillroll_domain::printer::STABLE_AFTER;
use tillroll_domain::retry::Schedule;

/// How often the printer failed in a row, and since when it is up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Backoff {
    schedule: Schedule,
    failures: u32,
    up_since: Option<Duration>,
}

impl Backoff {
    pub(crate) fn new(schedule: Schedule) -> Self {
        Self { schedule, failures: 0, up_since: None }
    }

    /// It came up at this reading of the boot clock.
    pub(crate) fn up(&mut self, boot: Duration) {
        self.up_since.get_or_insert(boot);
    }

    /// It confirmed a job.
    pub(crate) fn confirmed(&mut self) {
        self.failures = 0;
    }

    /// It failed; how long to wait before the next try.
    pub(crate) fn failed(&mut self, boot: Duration, random: u32) -> Duration {
        let stable =
            self.up_since.take().is_some_and(|since| boot.saturating_sub(since) >= STABLE_AFTER);
        self.failures = if stable { 1 } else { self.failures.saturating_add(1) };
        self.schedule.delay(self.failures, random)
    }
}

#[cfg(test)]
mod tests {
    use tillroll_domain::retry::PRINTER;

    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn printer_that_accepts_and_drops_at_once_keeps_backing_off() {
        let mut backoff = Backoff::new(PRINTER);
        let delays: Vec<_> = (0..7)
            .map(|i| {
                backoff.up(s(i * 40));
                backoff.failed(s(i * 40 + 1), 0).as_secs()
            })
            .collect();
        assert_eq!(delays, [1, 2, 4, 8, 16, 30, 30]);
    }

    #[test]
    fn stable_minute_or_confirmed_job_starts_anew() {
        let mut backoff = Backoff::new(PRINTER);
        for _ in 0..5 {
            backoff.failed(s(0), 0);
        }
        backoff.up(s(10));
        assert_eq!(backoff.failed(s(70), 0), s(1));
        backoff.failed(s(71), 0);
        backoff.confirmed();
        assert_eq!(backoff.failed(s(72), 0), s(1));
    }
}
