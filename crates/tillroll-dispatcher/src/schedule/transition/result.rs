//! What a register says of a job it has.

use tillroll_domain::print_job::{JobCause, JobReason, JobState};
use tillroll_wire::channel::JobResult;
use tillroll_wire::job::CloudState;

use super::{Step, become_, stay, was_pushed};
use crate::job::Job;
use crate::store::JobChange;

/// Where a job stands at its register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// Its state there.
    pub state: JobState,
    /// Why, where the state has a why.
    pub reason: Option<JobReason>,
    /// Version of the register's row.
    pub version: i64,
}

impl From<&JobResult> for Report {
    fn from(result: &JobResult) -> Self {
        Self { state: result.state, reason: result.reason, version: result.row_version }
    }
}

pub(super) fn settle(job: &Job, report: &Report) -> Step {
    if !was_pushed(job) {
        return stay(job, "was never pushed");
    }
    match report.state {
        JobState::Pending | JobState::Held | JobState::Printing => underway(job),
        JobState::Printed => printed(job, report),
        JobState::Sent | JobState::Unconfirmed => ends(job, report, CloudState::Unconfirmed),
        JobState::Failed => ends(job, report, CloudState::Failed),
        JobState::Skipped if job.state == CloudState::CancelRequested => {
            ends(job, report, CloudState::Canceled)
        }
        JobState::Skipped => ends(job, report, CloudState::Skipped),
    }
}

/// It is there and not finished: as good as accepted.
fn underway(job: &Job) -> Step {
    super::accept(job)
}

/// Paper: whatever was thought of the job before, and whichever version says so, since a register
/// never leaves `printed`.
fn printed(job: &Job, report: &Report) -> Step {
    if job.state == CloudState::Printed {
        return stay(job, "is printed");
    }
    Ok(settled(job, report, CloudState::Printed))
}

fn ends(job: &Job, report: &Report, state: CloudState) -> Step {
    match job.state {
        CloudState::Printed => stay(job, "is printed"),
        CloudState::Skipped | CloudState::Rejected | CloudState::Canceled => stay(job, "is final"),
        _ if report.version <= job.result_version => stay(job, "has a newer result"),
        CloudState::Scheduled
        | CloudState::Parked
        | CloudState::Pushed
        | CloudState::Accepted
        | CloudState::CancelRequested
        | CloudState::TimedOut
        | CloudState::Failed
        | CloudState::Unconfirmed => Ok(settled(job, report, state)),
    }
}

fn settled(job: &Job, report: &Report, state: CloudState) -> JobChange {
    let came_late = job.state.is_final() && state != job.state;
    JobChange {
        reason: reason(report),
        late: job.late || came_late,
        result_version: report.version.max(job.result_version),
        ..become_(job, state)
    }
}

fn reason(report: &Report) -> Option<String> {
    let said = report.reason.map(|reason| reason.as_str().to_owned());
    let sent = || JobReason::from(JobCause::CannotConfirm).as_str().to_owned();
    if report.state == JobState::Sent { Some(said.unwrap_or_else(sent)) } else { said }
}
