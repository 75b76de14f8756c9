//! One function from (facts, event) to what becomes of the job.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Confirmation, HoldReason, JobCause, JobReason, JobState};
use crate::printer::{UnknownWord, Unproven};
use crate::retry::ATTEMPT_BUDGET;

/// What the machine knows of a job when something happens to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Where it stands.
    pub state: JobState,
    /// Attempts in a row that certainly left nothing on paper.
    pub failures: u32,
    /// An earlier attempt may be on paper, so the next one carries the REPRINT mark.
    pub reprint: bool,
    /// A person asked to skip it while it was printing.
    pub skip_asked: bool,
    /// What its printer's owner chose for jobs without proof.
    pub unproven: Unproven,
}

/// Something that happens to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The worker takes it: the attempt is recorded before the first byte.
    Claim,
    /// The device proved it, at once or late.
    Confirmed(Confirmation),
    /// All bytes were taken by a device that cannot confirm.
    BytesTaken,
    /// The attempt certainly left nothing on paper: no byte was sent, or the device cleared its buffer
    /// and its line counter has not moved.
    LeftNothing(JobReason),
    /// The attempt ended after the first byte without proof.
    MaybeOnPaper(JobReason),
    /// It cannot be turned into bytes for its printer.
    CannotRender,
    /// Its printer was removed.
    PrinterRemoved,
    /// It may print only after an answer.
    Hold(HoldReason),
    /// A person, or the cloud in a person's name, asks for something.
    Asked(Verb),
}

/// What a person may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Try again, now.
    Retry,
    /// "I see it on paper."
    OnPaper,
    /// "It is not on paper": print it, marked REPRINT.
    NotOnPaper,
    /// Print what was held.
    Print,
    /// Do not print it; a reason is recorded.
    Skip,
    /// Print it on another printer.
    Reroute,
    /// Print a marked copy of what is printed.
    Copy,
}

impl Verb {
    /// Every verb.
    pub const ALL: [Self; 7] = [
        Self::Retry,
        Self::OnPaper,
        Self::NotOnPaper,
        Self::Print,
        Self::Skip,
        Self::Reroute,
        Self::Copy,
    ];

    /// The word in addresses, rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::OnPaper => "on_paper",
            Self::NotOnPaper => "not_on_paper",
            Self::Print => "print",
            Self::Skip => "skip",
            Self::Reroute => "reroute",
            Self::Copy => "copy",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Verb {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.into_iter().find(|verb| verb.as_str() == text).ok_or_else(|| UnknownWord {
            text: text.to_owned(),
            allowed: "retry, on_paper, not_on_paper, print, skip, reroute, copy",
        })
    }
}

/// When a pending job is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// At once.
    Now,
    /// After the delay of this many failed attempts (see [`crate::retry::ATTEMPT`]).
    AfterFailures(u32),
    /// It is not pending.
    Never,
}

/// What the row becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The new state.
    pub to: JobState,
    /// Why, where the state has a why.
    pub reason: Option<JobReason>,
    /// What proves it, for `printed`.
    pub confirmation: Option<Confirmation>,
    /// The new count of failures in a row.
    pub failures: u32,
    /// Whether its next paper carries the REPRINT mark.
    pub reprint: bool,
    /// When it is due.
    pub due: Due,
}

/// What becomes of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Its row changes.
    Become(Change),
    /// The wish to skip is noted and settles when the device answers.
    FlagSkip,
    /// A new job, the copy, begins; this one stays as it is.
    BeginCopy,
}

/// The event is not allowed in this state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a job that is {state} {}", .because)]
pub struct Refusal {
    /// The state it is in.
    pub state: JobState,
    /// Why not.
    pub because: &'static str,
}

/// What becomes of a job with these facts when this happens.
///
/// # Errors
/// [`Refusal`] when the event is not allowed in the state.
pub fn transition(facts: Facts, event: Event) -> Result<Step, Refusal> {
    match event {
        Event::Claim => claim(facts),
        Event::Confirmed(confirmation) => confirm(facts, confirmation),
        Event::BytesTaken => while_printing(facts, settle_unproven),
        Event::LeftNothing(reason) => while_printing(facts, |facts| try_again(facts, reason)),
        Event::MaybeOnPaper(reason) => while_printing(facts, |facts| settle_unknown(facts, reason)),
        Event::CannotRender => give_up(facts, JobCause::CannotRender),
        Event::PrinterRemoved => give_up(facts, JobCause::PrinterRemoved),
        Event::Hold(reason) => hold(facts, reason),
        Event::Asked(verb) => answer(facts, verb),
    }
}

fn claim(facts: Facts) -> Result<Step, Refusal> {
    match facts.state {
        JobState::Pending => become_with(facts, JobState::Printing, None),
        JobState::Held => refuse(facts, "waits for an answer before it may print"),
        JobState::Printing
        | JobState::Printed
        | JobState::Sent
        | JobState::Unconfirmed
        | JobState::Failed
        | JobState::Skipped => refuse(facts, "is not due"),
    }
}

fn confirm(facts: Facts, confirmation: Confirmation) -> Result<Step, Refusal> {
    match facts.state {
        JobState::Printing | JobState::Sent | JobState::Unconfirmed => printed(facts, confirmation),
        JobState::Pending
        | JobState::Held
        | JobState::Printed
        | JobState::Failed
        | JobState::Skipped => refuse(facts, "has no attempt that is still open"),
    }
}

fn while_printing(
    facts: Facts,
    settle: impl FnOnce(Facts) -> Result<Step, Refusal>,
) -> Result<Step, Refusal> {
    match facts.state {
        JobState::Printing => settle(facts),
        JobState::Pending
        | JobState::Held
        | JobState::Printed
        | JobState::Sent
        | JobState::Unconfirmed
        | JobState::Failed
        | JobState::Skipped => refuse(facts, "is not being printed"),
    }
}

fn settle_unproven(facts: Facts) -> Result<Step, Refusal> {
    match facts.unproven {
        Unproven::Trust => printed(facts, Confirmation::Assumed),
        Unproven::Ask => settle_as(facts, JobState::Sent, JobCause::CannotConfirm.into()),
    }
}

fn settle_unknown(facts: Facts, reason: JobReason) -> Result<Step, Refusal> {
    settle_as(facts, JobState::Unconfirmed, reason)
}

/// Ends an attempt without proof; a person who already asked to skip is not asked again.
fn settle_as(facts: Facts, state: JobState, reason: JobReason) -> Result<Step, Refusal> {
    let to = if facts.skip_asked { JobState::Skipped } else { state };
    let marked = Facts { reprint: true, ..facts };
    become_with(marked, to, Some(reason))
}

fn try_again(facts: Facts, reason: JobReason) -> Result<Step, Refusal> {
    let failed = Facts { failures: facts.failures.saturating_add(1), ..facts };
    if facts.skip_asked {
        return become_with(failed, JobState::Skipped, Some(reason));
    }
    if failed.failures >= ATTEMPT_BUDGET {
        return become_with(failed, JobState::Failed, Some(reason));
    }
    pending(failed, Due::AfterFailures(failed.failures), Some(reason))
}

fn give_up(facts: Facts, cause: JobCause) -> Result<Step, Refusal> {
    match facts.state {
        JobState::Pending | JobState::Held => {
            become_with(facts, JobState::Failed, Some(cause.into()))
        }
        JobState::Printing
        | JobState::Printed
        | JobState::Sent
        | JobState::Unconfirmed
        | JobState::Failed
        | JobState::Skipped => refuse(facts, "is not waiting for its printer"),
    }
}

fn hold(facts: Facts, reason: HoldReason) -> Result<Step, Refusal> {
    match facts.state {
        JobState::Pending => become_with(facts, JobState::Held, Some(reason.into())),
        JobState::Held
        | JobState::Printing
        | JobState::Printed
        | JobState::Sent
        | JobState::Unconfirmed
        | JobState::Failed
        | JobState::Skipped => refuse(facts, "is not waiting for its printer"),
    }
}

fn answer(facts: Facts, verb: Verb) -> Result<Step, Refusal> {
    use JobState::{Failed, Held, Pending, Printed, Printing, Sent, Skipped, Unconfirmed};
    match (facts.state, verb) {
        (Pending, Verb::Retry) => pending(facts, Due::Now, None),
        (Failed, Verb::Retry) => afresh(facts),
        (Held, Verb::Print) => afresh(facts),
        (Unconfirmed | Sent, Verb::OnPaper) => printed(facts, Confirmation::Clerk),
        // Held by a restored copy: it may have been printed after the copy was made.
        (Held, Verb::OnPaper) if facts.reprint => printed(facts, Confirmation::Clerk),
        (Unconfirmed | Sent, Verb::NotOnPaper) => afresh(Facts { reprint: true, ..facts }),
        (Pending | Held | Failed, Verb::Reroute) => afresh(facts),
        (Unconfirmed | Sent, Verb::Reroute) => afresh(Facts { reprint: true, ..facts }),
        (Pending | Held | Failed | Unconfirmed | Sent, Verb::Skip) => {
            become_with(facts, Skipped, None)
        }
        (Printing, Verb::Skip) => Ok(Step::FlagSkip),
        (Printed, Verb::Copy) => Ok(Step::BeginCopy),
        (Unconfirmed | Sent, Verb::Retry | Verb::Print | Verb::Copy) => {
            refuse(facts, "may be on paper: answer on_paper or not_on_paper first")
        }
        (Printing, _) => refuse(facts, "is at the device: wait for its answer"),
        (Printed, _) => refuse(facts, "is on paper: only a copy can be printed"),
        (Skipped, _) => refuse(facts, "was skipped for good"),
        (Held, _) => refuse(facts, "waits for print, skip or reroute"),
        (Pending, _) => refuse(facts, "waits for its printer and is not on paper"),
        (Failed, _) => refuse(facts, "is not on paper: retry, skip or reroute it"),
    }
}

/// Pending again with a full budget, due now.
fn afresh(facts: Facts) -> Result<Step, Refusal> {
    pending(Facts { failures: 0, ..facts }, Due::Now, None)
}

fn pending(facts: Facts, due: Due, reason: Option<JobReason>) -> Result<Step, Refusal> {
    let change = Change { due, ..change(facts, JobState::Pending, reason) };
    Ok(Step::Become(change))
}

fn printed(facts: Facts, confirmation: Confirmation) -> Result<Step, Refusal> {
    let change = change(facts, JobState::Printed, None);
    Ok(Step::Become(Change { confirmation: Some(confirmation), ..change }))
}

fn become_with(facts: Facts, to: JobState, reason: Option<JobReason>) -> Result<Step, Refusal> {
    Ok(Step::Become(change(facts, to, reason)))
}

fn change(facts: Facts, to: JobState, reason: Option<JobReason>) -> Change {
    Change {
        to,
        reason,
        confirmation: None,
        failures: facts.failures,
        reprint: facts.reprint,
        due: Due::Never,
    }
}

fn refuse(facts: Facts, because: &'static str) -> Result<Step, Refusal> {
    Err(Refusal { state: facts.state, because })
}
