//! Splits: a paid order shared between the platform, the merchant and agents, and paid out by a channel.
//!
//! Invariants:
//! - The parts of an amount add up to it, and refunds never take back more of a party than it was given.
//! - A split is paid once: a call that may have arrived is asked about before it is made again, under the
//!   same id, which the channel keeps apart too.
//! - What no schedule can settle waits for a person, with its reason.
//!
//! The diagram of the states is `splits/states.md`; a test holds it against [`transition`].

mod apportion;
mod divide;
mod party;
mod reason;
mod schedule;
mod table;
mod transition;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use self::apportion::apportion;
pub use self::divide::{Given, OverRefund, PartyAmount, divide, take_back};
pub use self::party::Party;
pub use self::reason::{ChannelFault, ChannelRefusal, SplitReason};
pub use self::schedule::{LIVE_TRIES, Pace, WINDOW, is_live};
pub use self::table::{InvalidTable, PARTIES_MAX, RATE_WHOLE, Share, ShareTable, table_at};
pub use self::transition::{Call, Change, Due, Event, Facts, Refusal, Verb, transition};
use crate::printer::UnknownWord;

/// Where a split stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SplitState {
    /// Recorded; no money moves before it is confirmed and its first call is made.
    Init,
    /// A call is under way, or the channel has queued it: it may be paid.
    Processing,
    /// Paid, by the channel's word or by a person's evidence.
    Succeeded,
    /// A call met a fault that passes; it is tried again.
    RetryableFailed,
    /// Certainly not paid, and never will be: it was taken back.
    Failed,
    /// Waits for a person.
    Manual,
}

impl SplitState {
    /// Every state.
    pub const ALL: [Self; 6] = [
        Self::Init,
        Self::Processing,
        Self::Succeeded,
        Self::RetryableFailed,
        Self::Failed,
        Self::Manual,
    ];

    /// The word in rows, JSON and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Processing => "processing",
            Self::Succeeded => "succeeded",
            Self::RetryableFailed => "retryable_failed",
            Self::Failed => "failed",
            Self::Manual => "manual",
        }
    }

    /// Whether nothing more happens by itself.
    #[must_use]
    pub fn rests(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Manual)
    }
}

impl fmt::Display for SplitState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SplitState {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or_else(|| UnknownWord {
            text: text.to_owned(),
            allowed: "init, processing, succeeded, retryable_failed, failed, manual",
        })
    }
}
