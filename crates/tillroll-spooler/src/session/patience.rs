//! How long a job in the middle may wait: long while the device shows a cause, shorter while it shows none.

use std::time::Duration;

use tillroll_domain::print_job::JobReason;
use tillroll_domain::printer::StopReason;
use tokio::time::Instant;

use crate::timings::Timings;

pub(super) struct Patience {
    silent: Duration,
    with_cause: Duration,
    look: Duration,
    since: Instant,
    cause_since: Option<Instant>,
}

impl Patience {
    /// `silent` is the limit while no cause is shown.
    pub(super) fn new(timings: &Timings, silent: Duration) -> Self {
        Self {
            silent,
            with_cause: timings.mid_job_wait,
            look: timings.ask_condition,
            since: Instant::now(),
            cause_since: None,
        }
    }

    /// Something moved.
    pub(super) fn renew(&mut self) {
        self.since = Instant::now();
    }

    /// When to look again at the latest.
    pub(super) fn next_look(&self) -> Instant {
        Instant::now() + self.look.min(self.silent)
    }

    /// Whether the wait goes on; else the cause that was shown, if one was.
    pub(super) fn check(&mut self, cause: Option<StopReason>) -> Result<(), Option<JobReason>> {
        let now = Instant::now();
        match cause {
            Some(cause) => {
                let since = *self.cause_since.get_or_insert(now);
                // When the cause ends, the time without one begins anew.
                self.since = now;
                if now - since < self.with_cause { Ok(()) } else { Err(Some(cause.into())) }
            }
            None => {
                self.cause_since = None;
                if now - self.since < self.silent { Ok(()) } else { Err(None) }
            }
        }
    }
}
