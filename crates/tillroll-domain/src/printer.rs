//! A printer's own state. It is never a job's state: a printer that cannot be reached stops itself and
//! costs its jobs nothing.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What the device can prove, strongest first. Probed at set-up and stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ConfirmationLevel {
    /// Answers with our own four characters when that printing is completed (Epson `GS ( H` function 48).
    Token,
    /// Answers `GS r` in order and counts lines and cuts (`GS g 2`).
    Counter,
    /// Answers `GS r` when the interpreter reaches it.
    InOrder,
    /// Answers only real-time status; says nothing about a job.
    Realtime,
    /// Answers nothing.
    Silent,
}

impl ConfirmationLevel {
    /// Every level, strongest first.
    pub const ALL: [Self; 5] =
        [Self::Token, Self::Counter, Self::InOrder, Self::Realtime, Self::Silent];

    /// The word in rows, JSON and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Counter => "counter",
            Self::InOrder => "in_order",
            Self::Realtime => "realtime",
            Self::Silent => "silent",
        }
    }

    /// Whether a job on such a printer becomes `printed` by itself.
    #[must_use]
    pub fn proves(self) -> bool {
        matches!(self, Self::Token | Self::Counter | Self::InOrder)
    }
}

impl fmt::Display for ConfirmationLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is no word of this kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not one of {allowed}")]
pub struct UnknownWord {
    /// What was read.
    pub text: String,
    /// The words that are known.
    pub allowed: &'static str,
}

impl FromStr for ConfirmationLevel {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL.into_iter().find(|level| level.as_str() == text).ok_or_else(|| UnknownWord {
            text: text.to_owned(),
            allowed: "token, counter, in_order, realtime, silent",
        })
    }
}

/// What the owner chose for a printer that cannot confirm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Unproven {
    /// A clean job counts as printed, shown as assumed.
    Trust,
    /// A clean job is listed until a person answers.
    #[default]
    Ask,
}

impl Unproven {
    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trust => "trust",
            Self::Ask => "ask",
        }
    }
}

impl FromStr for Unproven {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        [Self::Trust, Self::Ask]
            .into_iter()
            .find(|choice| choice.as_str() == text)
            .ok_or_else(|| UnknownWord { text: text.to_owned(), allowed: "trust, ask" })
    }
}

/// Why a printer cannot print now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Its paper is at the end.
    PaperEnd,
    /// Its cover is open.
    CoverOpen,
    /// Its cutter is jammed.
    CutterError,
    /// A fault that needs service.
    UnrecoverableError,
    /// A fault a person can clear at the device.
    RecoverableError,
    /// Its head is too hot; it goes on by itself.
    HeadHot,
    /// It says it is offline without a cause.
    Offline,
    /// It refused the connection: off, or busy with another host.
    Refused,
    /// No way to its address.
    Unreachable,
    /// Its name is not known.
    UnknownHost,
    /// Another program holds it.
    Busy,
    /// This program may not open it.
    Permission,
    /// It did not answer in time.
    TimedOut,
    /// It is not plugged in.
    NotFound,
    /// Several devices fit and nothing tells them apart.
    Ambiguous,
    /// The connection broke.
    LinkLost,
    /// The device or its driver gave another error.
    DeviceError,
}

impl StopReason {
    /// Every reason.
    pub const ALL: [Self; 17] = [
        Self::PaperEnd,
        Self::CoverOpen,
        Self::CutterError,
        Self::UnrecoverableError,
        Self::RecoverableError,
        Self::HeadHot,
        Self::Offline,
        Self::Refused,
        Self::Unreachable,
        Self::UnknownHost,
        Self::Busy,
        Self::Permission,
        Self::TimedOut,
        Self::NotFound,
        Self::Ambiguous,
        Self::LinkLost,
        Self::DeviceError,
    ];

    /// The stable code in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PaperEnd => "paper_end",
            Self::CoverOpen => "cover_open",
            Self::CutterError => "cutter_error",
            Self::UnrecoverableError => "unrecoverable_error",
            Self::RecoverableError => "recoverable_error",
            Self::HeadHot => "head_hot",
            Self::Offline => "offline",
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::UnknownHost => "unknown_host",
            Self::Busy => "busy",
            Self::Permission => "permission",
            Self::TimedOut => "timed_out",
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::LinkLost => "link_lost",
            Self::DeviceError => "device_error",
        }
    }

    /// What happened and what to do, for a clerk who reads English.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::PaperEnd => {
                "The paper is at the end. Put in a new roll; printing goes on by itself."
            }
            Self::CoverOpen => "The cover is open. Close it; printing goes on by itself.",
            Self::CutterError => {
                "The cutter is jammed. Switch the printer off, free the cutter, switch it on."
            }
            Self::UnrecoverableError => {
                "The printer reports a fault. Switch it off and on; if it stays, call service."
            }
            Self::RecoverableError => {
                "The printer reports a fault it can recover from. Open and close its cover."
            }
            Self::HeadHot => "The print head is hot. Wait; printing goes on by itself.",
            Self::Offline => "The printer says it is offline. Look at its lamps and its paper.",
            Self::Refused => {
                "The printer refuses the connection. Is it on, or does another computer print on it?"
            }
            Self::Unreachable => {
                "There is no way to the printer's address. Check its network cable and its power."
            }
            Self::UnknownHost => {
                "The printer's name is not known in this network. Check the name in its settings."
            }
            Self::Busy => "Another program holds the printer. Close that program.",
            Self::Permission => {
                "This computer's user may not open the printer. Ask for the right to the device."
            }
            Self::TimedOut => "The printer does not answer in time. Check its power and its cable.",
            Self::NotFound => {
                "The printer is not plugged in. Check its cable; it is found again by itself."
            }
            Self::Ambiguous => {
                "Several printers look alike. Choose which one by its port in the settings."
            }
            Self::LinkLost => {
                "The connection to the printer broke. It is built up again by itself."
            }
            Self::DeviceError => {
                "The printer's port gave an error. Unplug it and plug it in again."
            }
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for StopReason {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        Self::ALL
            .into_iter()
            .find(|reason| reason.as_str() == text)
            .ok_or_else(|| UnknownWord { text: text.to_owned(), allowed: "the stop reasons" })
    }
}

/// What a printer is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "state", content = "reason", rename_all = "snake_case")]
pub enum PrinterState {
    /// Nothing to do.
    Idle,
    /// A job is on the device.
    Printing,
    /// It cannot print and tries again by itself.
    Stopped(StopReason),
    /// A person paused it.
    Paused,
}

/// A printer that stayed up this long, or confirmed a job, starts its back-off anew.
pub const STABLE_AFTER: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_reason_has_its_own_code_and_its_own_advice() {
        let codes: BTreeSet<_> = StopReason::ALL.iter().map(|reason| reason.as_str()).collect();
        let advice: BTreeSet<_> = StopReason::ALL.iter().map(|reason| reason.advice()).collect();
        assert_eq!((codes.len(), advice.len()), (17, 17));
        for reason in StopReason::ALL {
            assert_eq!(reason.as_str().parse::<StopReason>(), Ok(reason));
        }
    }

    #[test]
    fn only_the_first_three_levels_prove_a_job() {
        let proving = ConfirmationLevel::ALL.into_iter().filter(|level| level.proves()).count();
        assert_eq!(proving, 3);
        for level in ConfirmationLevel::ALL {
            assert_eq!(level.as_str().parse::<ConfirmationLevel>(), Ok(level));
        }
    }
}
