//! One job in memory.

use jiff::Timestamp;

use super::wheel::Timer;
use crate::job::{Job, RegisterNo};
use crate::store::JobChange;

/// A job of a connected register, with its timers.
#[derive(Debug)]
pub(super) struct Slot {
    /// The row, with the changes that are about to be written.
    pub job: Job,
    /// Its entry in the push wheel and when that is due: repeat the push, or ask again.
    pub push: Option<(Timer, Timestamp)>,
    /// Its entry in the deadline wheel.
    pub deadline: Option<Timer>,
    /// Pushes and questions since its register connected, or since the last answer.
    pub tries: u32,
    /// The connected register it was pushed to.
    pub at: Option<RegisterNo>,
}

impl Slot {
    /// A job without timers.
    pub(super) fn new(job: Job) -> Self {
        Self { job, push: None, deadline: None, tries: 0, at: None }
    }

    /// Takes a change of the row in, ahead of its being written.
    pub(super) fn take(&mut self, change: &JobChange) {
        let change = change.clone();
        self.job.state = change.state;
        self.job.reason = change.reason;
        self.job.register = change.register;
        self.job.installation = change.installation;
        self.job.pushes = change.pushes;
        self.job.next_push_at = change.next_push_at;
        self.job.recovering = change.recovering;
        self.job.hold_at_return = change.hold_at_return;
        self.job.late = change.late;
        self.job.result_version = change.result_version;
    }

    /// Whether it may be at another installation than this one.
    pub(super) fn was_pushed_elsewhere(&self, incarnation: &str) -> bool {
        self.job.pushes > 0 && self.job.installation.as_deref() != Some(incarnation)
    }

    /// Whether the schedule has nothing more to do for it.
    pub(super) fn is_done(&self) -> bool {
        self.job.state.is_final() && !self.job.hold_at_return
    }
}

#[cfg(test)]
pub(super) mod fixture {
    //! Rows for tests.

    use jiff::Timestamp;
    use tillroll_domain::fingerprint::Fingerprint;
    use tillroll_domain::ids::JobKind;
    use tillroll_wire::job::{AfterDeadline, CloudState};

    use crate::job::{Job, JobKey, StoreNo};

    /// A new job for the printer `front` of store 1, taken at second 0 with a deadline of 90 s.
    pub(in crate::schedule) fn job(seq: i64) -> Job {
        Job {
            key: JobKey { store: StoreNo(1), seq },
            id: format!("S1:{seq}:receipt:v1").parse().unwrap(),
            kind: JobKind::Receipt,
            printer: Some("front".parse().unwrap()),
            fingerprint: Fingerprint::of(b"{}"),
            state: CloudState::Scheduled,
            reason: None,
            register: None,
            installation: None,
            pushes: 0,
            created_at: Timestamp::UNIX_EPOCH,
            deadline_at: Timestamp::from_second(90).unwrap(),
            next_push_at: Some(Timestamp::UNIX_EPOCH),
            after_deadline: AfterDeadline::Hold,
            recovering: false,
            hold_at_return: false,
            late: false,
            result_version: 0,
            row_version: 1,
            changed_at: Timestamp::UNIX_EPOCH,
        }
    }
}
