//! The deadline: what a job is when it passed, and why.

use tillroll_domain::printer::StopReason;
use tillroll_wire::job::{AfterDeadline, CloudState, TimeOutReason};

use super::{Step, become_, stay, was_pushed};
use crate::job::Job;
use crate::store::JobChange;

/// Where a job's printer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// No connected register has it.
    Away,
    /// It is stopped, and why, where the device says so.
    Stopped(Option<StopReason>),
    /// It can take a job.
    Ready,
}

/// Why the deadline of a job that is not final passed. What was pushed and never accepted is `no_ack`
/// wherever its printer is now: it may be on paper.
#[must_use]
pub fn deadline_reason(job: &Job, place: Place) -> TimeOutReason {
    match (job.state, place) {
        (CloudState::Accepted, Place::Stopped(reason)) => TimeOutReason::PrinterStopped(reason),
        _ if was_pushed(job) => TimeOutReason::NoAck,
        (_, Place::Away) => TimeOutReason::DeviceOffline,
        (_, Place::Stopped(reason)) => TimeOutReason::PrinterStopped(reason),
        (_, Place::Ready) => TimeOutReason::RecoveryBacklog,
    }
}

pub(super) fn pass(job: &Job, reason: TimeOutReason) -> Step {
    if job.state.is_final() {
        return stay(job, "is final");
    }
    let hold = reason == TimeOutReason::DeviceOffline
        && job.after_deadline == AfterDeadline::Hold
        && !was_pushed(job);
    Ok(JobChange {
        reason: Some(reason.code()),
        hold_at_return: hold,
        ..become_(job, CloudState::TimedOut)
    })
}
