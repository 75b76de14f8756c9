//! The state machine of a print job: pure, total over (state, event), with one rule above all:
//! what may be on paper is never sent again by a machine.
//!
//! The diagram is `print_job/states.md`; a test holds it against [`transition`].

mod reason;
mod transition;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use self::reason::{HoldReason, JobCause, JobReason};
pub use self::transition::{Change, Due, Event, Facts, Refusal, Step, Verb, transition};
use crate::printer::UnknownWord;

/// Where a print job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Waits for its printer or its next try.
    Pending,
    /// Waits for a person's answer before it may print.
    Held,
    /// An attempt is under way: bytes may be at the device.
    Printing,
    /// On paper, with proof, a person's word, or (shown differently) the owner's trust.
    Printed,
    /// The device took all bytes and cannot confirm; a person is asked.
    Sent,
    /// It may be on paper; only a person or a late proof can tell.
    Unconfirmed,
    /// Certainly not on paper, and not tried again by itself.
    Failed,
    /// A person decided, with a reason, that it is not printed.
    Skipped,
}

impl JobState {
    /// Every state.
    pub const ALL: [Self; 8] = [
        Self::Pending,
        Self::Held,
        Self::Printing,
        Self::Printed,
        Self::Sent,
        Self::Unconfirmed,
        Self::Failed,
        Self::Skipped,
    ];

    /// The word in rows, JSON and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Held => "held",
            Self::Printing => "printing",
            Self::Printed => "printed",
            Self::Sent => "sent",
            Self::Unconfirmed => "unconfirmed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }

    /// Whether nothing more will happen by itself and nobody is asked.
    #[must_use]
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Printed | Self::Skipped)
    }

    /// What is safe and what a person can do, where one is asked; for a clerk who reads English.
    #[must_use]
    pub fn question(self) -> Option<&'static str> {
        match self {
            Self::Sent | Self::Unconfirmed => Some(
                "It may be on paper and is never sent again by itself. Look, then answer: on paper, or not.",
            ),
            Self::Failed => {
                Some("Nothing of it is on paper. Retry it, send it to another printer, or skip it.")
            }
            Self::Held => {
                Some("It prints only when you say so. Print it, or skip it with a reason.")
            }
            Self::Pending | Self::Printing | Self::Printed | Self::Skipped => None,
        }
    }

    /// Whether a person must answer.
    #[must_use]
    pub fn asks(self) -> bool {
        matches!(self, Self::Held | Self::Sent | Self::Unconfirmed | Self::Failed)
    }
}

impl fmt::Display for JobState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for JobState {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or_else(|| UnknownWord {
            text: text.to_owned(),
            allowed: "pending, held, printing, printed, sent, unconfirmed, failed, skipped",
        })
    }
}

/// What makes a job `printed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// The device answered with the job's own token.
    Token,
    /// The device answered in order and its counters went up by this job.
    Counter,
    /// The device answered in order after the job.
    InOrder,
    /// A person saw it on paper.
    Clerk,
    /// The owner trusts this printer; nothing proves it.
    Assumed,
}

impl Confirmation {
    /// Every confirmation.
    pub const ALL: [Self; 5] =
        [Self::Token, Self::Counter, Self::InOrder, Self::Clerk, Self::Assumed];

    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Counter => "counter",
            Self::InOrder => "in_order",
            Self::Clerk => "clerk",
            Self::Assumed => "assumed",
        }
    }
}

impl FromStr for Confirmation {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or_else(|| UnknownWord {
            text: text.to_owned(),
            allowed: "token, counter, in_order, clerk, assumed",
        })
    }
}

#[cfg(test)]
mod tests;
