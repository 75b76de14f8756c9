//! The figures of the schedule, and what must hold between them.

use std::time::Duration;

use jiff::Timestamp;

/// How jobs are pushed, repeated and recovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduleSettings {
    /// A job's time from its acceptance to too late, where its sender named none.
    pub deadline: Duration,
    /// A push without an answer is repeated after this, then after twice this, three times ...
    pub push_step: Duration,
    /// ... up to this. Below the deadline, or the last repeat would come after it.
    pub push_cap: Duration,
    /// Most pushes to a printer without an answer, and most recovered jobs without a result.
    pub unanswered: usize,
    /// Most recovered jobs pushed to one printer in each [`Self::recovery_every`].
    pub recovery_jobs: usize,
    /// The time that goes with [`Self::recovery_jobs`]; zero leaves the pace to the printer's results.
    pub recovery_every: Duration,
    /// Most recovered jobs a second, all printers together.
    pub recovery_per_s: u32,
    /// Most waiting jobs of one printer in memory, live and recovered each; the rest stay rows.
    pub window: usize,
    /// How far ahead deadlines are in memory.
    pub horizon: Duration,
}

impl Default for ScheduleSettings {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(90),
            push_step: Duration::from_secs(2),
            push_cap: Duration::from_secs(30),
            unanswered: 5,
            recovery_jobs: 5,
            recovery_every: Duration::from_secs(2),
            recovery_per_s: 500,
            window: 64,
            horizon: Duration::from_secs(60),
        }
    }
}

/// A setting that cannot hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{field} {because}")]
pub struct InvalidSetting {
    /// The field.
    pub field: &'static str,
    /// What it must be.
    pub because: &'static str,
}

impl ScheduleSettings {
    /// Whether the figures go together.
    ///
    /// # Errors
    /// [`InvalidSetting`] naming the first field that does not.
    pub fn check(&self) -> Result<(), InvalidSetting> {
        let rules = [
            (self.push_step >= Duration::from_millis(100), "push_step", "must be at least 100 ms"),
            (self.push_cap >= self.push_step, "push_cap", "must not be below push_step"),
            (self.push_cap < self.deadline, "push_cap", "must be below the deadline"),
            (self.unanswered > 0, "unanswered", "must be at least 1"),
            (self.recovery_jobs > 0, "recovery_jobs", "must be at least 1"),
            (self.recovery_per_s > 0, "recovery_per_s", "must be at least 1"),
            (self.window >= self.unanswered, "window", "must not be below unanswered"),
            (self.horizon >= Duration::from_secs(1), "horizon", "must be at least 1 s"),
        ];
        match rules.into_iter().find(|(holds, ..)| !holds) {
            None => Ok(()),
            Some((_, field, because)) => Err(InvalidSetting { field, because }),
        }
    }

    /// The wait after the `tries`-th push or question (from 1): one step, two, three ... up to the cap.
    #[must_use]
    pub fn wait_after(&self, tries: u32) -> Duration {
        self.push_step.saturating_mul(tries.max(1)).min(self.push_cap)
    }

    /// When a job is pushed again after its `tries`-th push; never at or after its deadline.
    #[must_use]
    pub fn next_push(&self, tries: u32, now: Timestamp, deadline: Timestamp) -> Option<Timestamp> {
        now.checked_add(self.wait_after(tries)).ok().filter(|next| *next < deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_hold() {
        assert_eq!(ScheduleSettings::default().check(), Ok(()));
    }

    #[test]
    fn push_cap_at_the_deadline_is_refused_by_name() {
        let deadline = Duration::from_secs(90);
        let settings = ScheduleSettings { push_cap: deadline, ..ScheduleSettings::default() };
        assert_eq!(
            settings.check().unwrap_err().to_string(),
            "push_cap must be below the deadline"
        );
    }

    #[test]
    fn waits_grow_by_a_step_up_to_the_cap() {
        let settings = ScheduleSettings::default();
        let waits: Vec<_> = (1..=4).map(|tries| settings.wait_after(tries).as_secs()).collect();
        assert_eq!(waits, [2, 4, 6, 8]);
        assert_eq!(settings.wait_after(u32::MAX).as_secs(), 30);
    }

    #[test]
    fn last_push_comes_before_the_deadline() {
        let settings = ScheduleSettings::default();
        let at = |second| Timestamp::from_second(second).unwrap();
        assert_eq!(settings.next_push(1, at(100), at(103)), Some(at(102)));
        assert_eq!(settings.next_push(1, at(100), at(102)), None);
    }
}
