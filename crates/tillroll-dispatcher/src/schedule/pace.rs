//! How fast one printer is fed. Pure: the time is passed in.
//!
//! Invariants:
//! - At most so many pushes are without an answer; a busy printer is not a stopped one, its register
//!   queues durably.
//! - Recovered jobs are paced by results, at most so many without one, and never faster than the
//!   ceiling.
//! - Live and recovered jobs take turns, so neither starves the other.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use super::settings::ScheduleSettings;
use crate::job::JobKey;

/// What one printer has been sent.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Pushed, neither accepted nor refused.
    unanswered: BTreeSet<JobKey>,
    /// Recovered ones without a result.
    open: BTreeSet<JobKey>,
    /// When the last recovered ones were pushed, oldest first.
    recent: VecDeque<Duration>,
    /// The last push was a recovered one.
    recovered_last: bool,
}

/// What waits for the printer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waiting {
    /// A live job.
    pub live: bool,
    /// A recovered job.
    pub recovered: bool,
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// A live job goes.
    Live,
    /// A recovered job goes.
    Recovered,
    /// A recovered job may go then.
    At(Duration),
    /// Nothing goes before an answer, a result or a new job.
    Nobody,
}

impl Pace {
    /// Whose turn it is now.
    pub(super) fn turn(
        &self,
        waiting: Waiting,
        now: Duration,
        settings: &ScheduleSettings,
    ) -> Turn {
        if self.unanswered.len() >= settings.unanswered {
            return Turn::Nobody;
        }
        let recovered = if waiting.recovered { self.recovery(now, settings) } else { Turn::Nobody };
        let live_is_next = recovered != Turn::Recovered || self.recovered_last;
        if waiting.live && live_is_next { Turn::Live } else { recovered }
    }

    fn recovery(&self, now: Duration, settings: &ScheduleSettings) -> Turn {
        if self.open.len() >= settings.unanswered {
            return Turn::Nobody;
        }
        let window = self.recent.len().checked_sub(settings.recovery_jobs);
        match window.and_then(|before| self.recent.get(before)) {
            Some(oldest) if *oldest + settings.recovery_every > now => {
                Turn::At(*oldest + settings.recovery_every)
            }
            Some(_) | None => Turn::Recovered,
        }
    }

    /// A job was pushed for the first time on this connection.
    pub(super) fn pushed(
        &mut self,
        key: JobKey,
        now: Duration,
        recovered: Option<&ScheduleSettings>,
    ) {
        self.unanswered.insert(key);
        self.recovered_last = recovered.is_some();
        if let Some(settings) = recovered {
            self.open.insert(key);
            self.recent.push_back(now);
            while self.recent.len() > settings.recovery_jobs {
                self.recent.pop_front();
            }
        }
    }

    /// A push from before this program started is still without an answer.
    pub(super) fn still_unanswered(&mut self, key: JobKey) {
        self.unanswered.insert(key);
    }

    /// Its register has it; a recovered one still owes its result.
    pub(super) fn accepted(&mut self, key: JobKey) {
        self.unanswered.remove(&key);
    }

    /// It is settled, or gone.
    pub(super) fn settled(&mut self, key: JobKey) {
        self.unanswered.remove(&key);
        self.open.remove(&key);
    }

    /// Pushes without an answer.
    pub(super) fn unanswered(&self) -> usize {
        self.unanswered.len()
    }
}

#[cfg(test)]
mod tests;
