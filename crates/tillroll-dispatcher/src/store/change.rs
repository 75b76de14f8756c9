//! A change of a job's row, guarded by its version.

use jiff::Timestamp;
use tillroll_wire::job::CloudState;

use crate::job::{Job, JobKey, RegisterNo};

/// The new values of a row; written only while the row has `row_version`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobChange {
    /// The row.
    pub key: JobKey,
    /// The version it must still have.
    pub row_version: i64,
    /// The new state.
    pub state: CloudState,
    /// Why.
    pub reason: Option<String>,
    /// The register it is pushed to.
    pub register: Option<RegisterNo>,
    /// The installation and epoch it was last pushed to.
    pub installation: Option<String>,
    /// Pushes so far.
    pub pushes: u32,
    /// When it is pushed next.
    pub next_push_at: Option<Timestamp>,
    /// It was parked and came back.
    pub recovering: bool,
    /// It goes to the register held when that comes back.
    pub hold_at_return: bool,
    /// A late result settled it.
    pub late: bool,
    /// Version of the register's row.
    pub result_version: i64,
}

impl JobChange {
    /// A change that leaves the row as it is.
    #[must_use]
    pub fn of(job: &Job) -> Self {
        Self {
            key: job.key,
            row_version: job.row_version,
            state: job.state,
            reason: job.reason.clone(),
            register: job.register,
            installation: job.installation.clone(),
            pushes: job.pushes,
            next_push_at: job.next_push_at,
            recovering: job.recovering,
            hold_at_return: job.hold_at_return,
            late: job.late,
            result_version: job.result_version,
        }
    }
}

/// What a change came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed {
    /// The row as it is now.
    Done(Job),
    /// Somebody else changed it first: the row as it is.
    Stale(Job),
    /// There is no such row.
    Gone(JobKey),
}
