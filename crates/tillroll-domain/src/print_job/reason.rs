//! Why a job is where it is: stable codes, and what a clerk reads.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::printer::{StopReason, UnknownWord};

/// Why a job waits for an answer before it may print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum HoldReason {
    /// It waited so long for its printer that it may no longer be wanted.
    Stale,
    /// It was not started before its deadline.
    Expired,
    /// The database is older than what happened: it may have been printed already.
    Restored,
    /// Its order was paused.
    PausedOrder,
}

/// Why a job is held, failed, unconfirmed, sent or skipped, and why an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum JobReason {
    /// The printer's fault at that moment.
    Printer(StopReason),
    /// Held for an answer.
    Held(HoldReason),
    /// A cause of the job's own.
    Job(JobCause),
}

/// A cause that is not the printer's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum JobCause {
    /// The program ended in the middle of the attempt.
    Interrupted,
    /// The device took everything and did not answer in time.
    NoAnswer,
    /// The device stopped taking bytes in the middle.
    Stalled,
    /// The device cannot confirm a job.
    CannotConfirm,
    /// The job cannot be turned into bytes for this printer.
    CannotRender,
    /// Its printer was removed.
    PrinterRemoved,
    /// The worker failed in an unexpected way.
    Panicked,
}

impl JobReason {
    /// Every reason.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let printer = StopReason::ALL.into_iter().map(Self::Printer);
        let held =
            [HoldReason::Stale, HoldReason::Expired, HoldReason::Restored, HoldReason::PausedOrder];
        let job = [
            JobCause::Interrupted,
            JobCause::NoAnswer,
            JobCause::Stalled,
            JobCause::CannotConfirm,
            JobCause::CannotRender,
            JobCause::PrinterRemoved,
            JobCause::Panicked,
        ];
        printer.chain(held.map(Self::Held)).chain(job.map(Self::Job)).collect()
    }

    /// The stable code in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Printer(reason) => reason.as_str(),
            Self::Held(HoldReason::Stale) => "stale",
            Self::Held(HoldReason::Expired) => "expired",
            Self::Held(HoldReason::Restored) => "restored",
            Self::Held(HoldReason::PausedOrder) => "paused_order",
            Self::Job(JobCause::Interrupted) => "interrupted",
            Self::Job(JobCause::NoAnswer) => "no_answer",
            Self::Job(JobCause::Stalled) => "stalled",
            Self::Job(JobCause::CannotConfirm) => "cannot_confirm",
            Self::Job(JobCause::CannotRender) => "cannot_render",
            Self::Job(JobCause::PrinterRemoved) => "printer_removed",
            Self::Job(JobCause::Panicked) => "panicked",
        }
    }

    /// What happened, for a clerk who reads English.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::Printer(reason) => reason.advice(),
            Self::Held(HoldReason::Stale) => "It waited long for its printer. Is it still wanted?",
            Self::Held(HoldReason::Expired) => "Its deadline passed before it was started.",
            Self::Held(HoldReason::Restored) => {
                "The records were restored from an older copy. It may have been printed already."
            }
            Self::Held(HoldReason::PausedOrder) => "Its order was paused.",
            Self::Job(JobCause::Interrupted) => "The program ended while it was printing.",
            Self::Job(JobCause::NoAnswer) => {
                "The printer took it and did not answer. Look at the paper."
            }
            Self::Job(JobCause::Stalled) => {
                "The printer stopped in the middle. Half of it may be on paper."
            }
            Self::Job(JobCause::CannotConfirm) => {
                "This printer cannot say whether it printed. Look at the paper."
            }
            Self::Job(JobCause::CannotRender) => "It cannot be printed on this printer as it is.",
            Self::Job(JobCause::PrinterRemoved) => "Its printer was removed. Send it to another.",
            Self::Job(JobCause::Panicked) => {
                "The program met an unexpected fault while it was printing."
            }
        }
    }
}

impl From<StopReason> for JobReason {
    fn from(reason: StopReason) -> Self {
        Self::Printer(reason)
    }
}

impl From<HoldReason> for JobReason {
    fn from(reason: HoldReason) -> Self {
        Self::Held(reason)
    }
}

impl From<JobCause> for JobReason {
    fn from(cause: JobCause) -> Self {
        Self::Job(cause)
    }
}

impl fmt::Display for JobReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for JobReason {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::all()
            .into_iter()
            .find(|reason| reason.as_str() == text)
            .ok_or_else(|| UnknownWord { text: text.to_owned(), allowed: "the job reasons" })
    }
}
