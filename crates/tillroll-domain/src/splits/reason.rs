//! Why a split is where it is: stable codes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::printer::UnknownWord;

/// A fault of a call that passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChannelFault {
    /// No answer came in time: it arrived or not.
    Unanswered,
    /// It certainly did not arrive.
    Unreached,
    /// The channel has no room now and did nothing.
    Busy,
}

/// What the channel will not pay before a person changed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelRefusal {
    /// An account is frozen.
    Frozen,
    /// There is no balance to pay from.
    NoBalance,
    /// It does not take the request as it is: an unknown account, a broken rule.
    Rejected,
}

/// Why a split waits, is with a person, or was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SplitReason {
    /// No answer came in time.
    Unanswered,
    /// The channel cannot be reached.
    Unreached,
    /// The channel has no room now.
    Busy,
    /// The channel has queued it and will pay.
    Queued,
    /// It was paid, and the channel does not know it any more.
    Missing,
    /// An account is frozen.
    Frozen,
    /// There is no balance to pay from.
    NoBalance,
    /// The channel does not take it as it is.
    Rejected,
    /// Its time for tries is over.
    Exhausted,
    /// The channel has another amount under its id.
    AmountDiffers,
    /// A person took it back.
    Canceled,
}

impl SplitReason {
    /// Every reason.
    pub const ALL: [Self; 11] = [
        Self::Unanswered,
        Self::Unreached,
        Self::Busy,
        Self::Queued,
        Self::Missing,
        Self::Frozen,
        Self::NoBalance,
        Self::Rejected,
        Self::Exhausted,
        Self::AmountDiffers,
        Self::Canceled,
    ];

    /// The stable code in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unanswered => "unanswered",
            Self::Unreached => "unreached",
            Self::Busy => "busy",
            Self::Queued => "queued",
            Self::Missing => "missing",
            Self::Frozen => "frozen",
            Self::NoBalance => "no_balance",
            Self::Rejected => "rejected",
            Self::Exhausted => "exhausted",
            Self::AmountDiffers => "amount_differs",
            Self::Canceled => "canceled",
        }
    }
}

impl From<ChannelFault> for SplitReason {
    fn from(fault: ChannelFault) -> Self {
        match fault {
            ChannelFault::Unanswered => Self::Unanswered,
            ChannelFault::Unreached => Self::Unreached,
            ChannelFault::Busy => Self::Busy,
        }
    }
}

impl From<ChannelRefusal> for SplitReason {
    fn from(refusal: ChannelRefusal) -> Self {
        match refusal {
            ChannelRefusal::Frozen => Self::Frozen,
            ChannelRefusal::NoBalance => Self::NoBalance,
            ChannelRefusal::Rejected => Self::Rejected,
        }
    }
}

impl fmt::Display for SplitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SplitReason {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text).ok_or_else(|| UnknownWord {
            text: text.to_owned(),
            allowed: "unanswered, unreached, busy, queued, missing, frozen, no_balance, rejected, \
                      exhausted, amount_differs, canceled",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_read_back() {
        for reason in SplitReason::ALL {
            assert_eq!(reason.as_str().parse::<SplitReason>(), Ok(reason));
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{reason}\""));
        }
    }
}
