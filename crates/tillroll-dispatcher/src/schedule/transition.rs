//! What becomes of a job when something happens to it: one pure function, total over job and event.
//!
//! The diagram is `transition/states.md`; a test holds it against [`transition`].
//!
//! Invariants:
//! - `printed` stays: nothing that comes later takes paper away.
//! - What was pushed may be on paper: it is not canceled, parked for another installation or timed out
//!   as if it had never left.
//! - A result settles a job that was final without one, however late, and says so.

mod deadline;
mod result;

use jiff::Timestamp;
use tillroll_domain::print_job::{HoldReason, JobReason};
use tillroll_wire::Code;
use tillroll_wire::job::{CloudState, TimeOutReason};

pub use self::deadline::{Place, deadline_reason};
pub use self::result::Report;
use crate::job::{Job, RegisterNo};
use crate::store::JobChange;

/// Something that happens to a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// It is pushed: written before the push leaves.
    PushSent {
        /// The register.
        register: RegisterNo,
        /// Its installation and epoch.
        incarnation: String,
        /// When it is pushed again, if no answer comes.
        next: Option<Timestamp>,
    },
    /// It is durable at its register.
    Accepted,
    /// Its register does not take it and never will.
    Refused(Code),
    /// Where it stands at the register.
    Result(Report),
    /// Its register does not know it.
    Unknown {
        /// Now: it is pushed again at once.
        now: Timestamp,
    },
    /// Its register, or its printer there, is away.
    Parked,
    /// Its register is back.
    Returned {
        /// Now.
        now: Timestamp,
    },
    /// Another installation, or the same one restored from an older copy, is in its register's place.
    Replaced,
    /// It is too late.
    DeadlinePassed(TimeOutReason),
    /// Its sender takes it back.
    CancelAsked,
}

/// The event changes nothing: it is not allowed in this state, or it is known already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a job that is {state} {because}")]
pub struct Unmoved {
    /// The state it is in.
    pub state: CloudState,
    /// Why nothing changes.
    pub because: &'static str,
}

/// A change of the row, or why there is none.
pub type Step = Result<JobChange, Unmoved>;

/// What becomes of a job when this happens.
///
/// # Errors
/// [`Unmoved`] when nothing does.
pub fn transition(job: &Job, event: &Event) -> Step {
    match event {
        Event::PushSent { register, incarnation, next } => push(job, *register, incarnation, *next),
        Event::Accepted => accept(job),
        Event::Refused(code) => refuse(job, *code),
        Event::Result(report) => result::settle(job, report),
        Event::Unknown { now } => unknown(job, *now),
        Event::Parked => park(job),
        Event::Returned { now } => come_back(job, *now),
        Event::Replaced => replace(job),
        Event::DeadlinePassed(reason) => deadline::pass(job, *reason),
        Event::CancelAsked => cancel(job),
    }
}

/// Whether a register may have it.
#[must_use]
pub fn was_pushed(job: &Job) -> bool {
    job.pushes > 0
}

/// Where a job stands, with the ends nothing but a result leaves taken together.
enum Stage {
    Scheduled,
    Parked,
    Pushed,
    Accepted,
    Canceling,
    TimedOut,
    Ended,
}

fn stage(job: &Job) -> Stage {
    match job.state {
        CloudState::Scheduled => Stage::Scheduled,
        CloudState::Parked => Stage::Parked,
        CloudState::Pushed => Stage::Pushed,
        CloudState::Accepted => Stage::Accepted,
        CloudState::CancelRequested => Stage::Canceling,
        CloudState::TimedOut => Stage::TimedOut,
        CloudState::Printed
        | CloudState::Failed
        | CloudState::Unconfirmed
        | CloudState::Skipped
        | CloudState::Rejected
        | CloudState::Canceled => Stage::Ended,
    }
}

fn push(job: &Job, register: RegisterNo, incarnation: &str, next: Option<Timestamp>) -> Step {
    let pushed = JobChange {
        register: Some(register),
        installation: Some(incarnation.to_owned()),
        pushes: job.pushes.saturating_add(1),
        ..JobChange::of(job)
    };
    match stage(job) {
        Stage::Scheduled | Stage::Pushed => {
            Ok(JobChange { state: CloudState::Pushed, next_push_at: next, ..pushed })
        }
        // Timed out while its register was away: the clerk gets it, the business was told.
        Stage::TimedOut if job.hold_at_return => Ok(pushed),
        Stage::Parked => stay(job, "waits for its register"),
        Stage::Accepted | Stage::Canceling => stay(job, "is at its register"),
        Stage::TimedOut | Stage::Ended => stay(job, "is final"),
    }
}

fn accept(job: &Job) -> Step {
    match stage(job) {
        _ if !was_pushed(job) => stay(job, "was never pushed"),
        Stage::Scheduled | Stage::Parked | Stage::Pushed => Ok(become_(job, CloudState::Accepted)),
        Stage::TimedOut if job.hold_at_return => {
            Ok(JobChange { hold_at_return: false, ..JobChange::of(job) })
        }
        Stage::Accepted | Stage::Canceling => stay(job, "is at its register"),
        Stage::TimedOut | Stage::Ended => stay(job, "is final"),
    }
}

fn refuse(job: &Job, code: Code) -> Step {
    let rejected =
        JobChange { reason: Some(code.as_str().to_owned()), ..become_(job, CloudState::Rejected) };
    match stage(job) {
        _ if !was_pushed(job) => stay(job, "was never pushed"),
        Stage::Scheduled | Stage::Parked | Stage::Pushed => Ok(rejected),
        Stage::Canceling => Ok(become_(job, CloudState::Canceled)),
        Stage::TimedOut => Ok(JobChange { late: true, ..rejected }),
        Stage::Accepted => stay(job, "was accepted"),
        Stage::Ended => stay(job, "is final"),
    }
}

fn unknown(job: &Job, now: Timestamp) -> Step {
    match stage(job) {
        _ if !was_pushed(job) => stay(job, "was never pushed"),
        Stage::Pushed => Ok(again(job, now)),
        Stage::Canceling => Ok(become_(job, CloudState::Canceled)),
        // It was durable there: the register lost what happened since, paper included.
        Stage::Accepted => Ok(hold(job)),
        Stage::Scheduled | Stage::Parked => stay(job, "waits for its push"),
        Stage::TimedOut | Stage::Ended => stay(job, "is final"),
    }
}

fn park(job: &Job) -> Step {
    match stage(job) {
        Stage::Scheduled | Stage::Pushed => Ok(JobChange {
            state: CloudState::Parked,
            next_push_at: None,
            recovering: true,
            ..JobChange::of(job)
        }),
        Stage::Parked => stay(job, "waits for its register"),
        Stage::Accepted | Stage::Canceling => stay(job, "is at its register"),
        Stage::TimedOut | Stage::Ended => stay(job, "is final"),
    }
}

fn come_back(job: &Job, now: Timestamp) -> Step {
    match stage(job) {
        Stage::Parked => Ok(JobChange { recovering: true, ..again(job, now) }),
        Stage::Scheduled | Stage::Pushed => stay(job, "is not parked"),
        Stage::Accepted | Stage::Canceling => stay(job, "is at its register"),
        Stage::TimedOut | Stage::Ended => stay(job, "is final"),
    }
}

fn replace(job: &Job) -> Step {
    match stage(job) {
        _ if !was_pushed(job) => stay(job, "was never pushed"),
        Stage::Scheduled | Stage::Parked | Stage::Pushed | Stage::Accepted => Ok(hold(job)),
        Stage::Canceling => {
            let restored = JobReason::from(HoldReason::Restored);
            let reason = Some(restored.as_str().to_owned());
            Ok(JobChange { reason, ..become_(job, CloudState::Unconfirmed) })
        }
        Stage::TimedOut | Stage::Ended => stay(job, "is final"),
    }
}

fn cancel(job: &Job) -> Step {
    match stage(job) {
        Stage::Scheduled | Stage::Parked if !was_pushed(job) => {
            Ok(become_(job, CloudState::Canceled))
        }
        Stage::Scheduled | Stage::Parked | Stage::Pushed | Stage::Accepted => {
            Ok(become_(job, CloudState::CancelRequested))
        }
        Stage::TimedOut if job.hold_at_return && !was_pushed(job) => {
            Ok(become_(job, CloudState::Canceled))
        }
        Stage::Canceling => stay(job, "is taken back already"),
        Stage::TimedOut | Stage::Ended => stay(job, "is final"),
    }
}

/// A change to a state, with everything that waits for time or a register taken back.
fn become_(job: &Job, state: CloudState) -> JobChange {
    JobChange {
        state,
        reason: None,
        next_push_at: None,
        hold_at_return: false,
        ..JobChange::of(job)
    }
}

/// Scheduled, to be pushed again at once.
fn again(job: &Job, now: Timestamp) -> JobChange {
    JobChange { state: CloudState::Scheduled, next_push_at: Some(now), ..JobChange::of(job) }
}

/// Scheduled, to go held for the clerk: it may have been printed already.
fn hold(job: &Job) -> JobChange {
    let held = JobChange { hold_at_return: true, recovering: true, ..JobChange::of(job) };
    JobChange { state: CloudState::Scheduled, next_push_at: None, ..held }
}

fn stay(job: &Job, because: &'static str) -> Step {
    Err(Unmoved { state: job.state, because })
}

#[cfg(test)]
mod tests;
