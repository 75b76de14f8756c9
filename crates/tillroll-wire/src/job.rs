//! A print job in the dispatcher: what business systems send and see.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::printer::StopReason;
use utoipa::ToSchema;

/// Where a print job stands in the dispatcher. `accepted` is durable at the register, not paper.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CloudState {
    /// Waits for its push: its printer is stopped, has enough unanswered, or it is about to go.
    Scheduled,
    /// Its register is not connected.
    Parked,
    /// Sent, not yet accepted.
    Pushed,
    /// Durable at the register.
    Accepted,
    /// On paper.
    Printed,
    /// Certainly not on paper, and not tried again by itself.
    Failed,
    /// It may be on paper; a person at the register is asked.
    Unconfirmed,
    /// A person at the register decided that it is not printed.
    Skipped,
    /// The register refused it.
    Rejected,
    /// Its deadline passed first. A late result still settles it.
    TimedOut,
    /// It was to be taken back; the register has not answered.
    CancelRequested,
    /// It was taken back before it began.
    Canceled,
}

impl CloudState {
    /// Every state.
    pub const ALL: [Self; 12] = [
        Self::Scheduled,
        Self::Parked,
        Self::Pushed,
        Self::Accepted,
        Self::Printed,
        Self::Failed,
        Self::Unconfirmed,
        Self::Skipped,
        Self::Rejected,
        Self::TimedOut,
        Self::CancelRequested,
        Self::Canceled,
    ];

    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Parked => "parked",
            Self::Pushed => "pushed",
            Self::Accepted => "accepted",
            Self::Printed => "printed",
            Self::Failed => "failed",
            Self::Unconfirmed => "unconfirmed",
            Self::Skipped => "skipped",
            Self::Rejected => "rejected",
            Self::TimedOut => "timed_out",
            Self::CancelRequested => "cancel_requested",
            Self::Canceled => "canceled",
        }
    }

    /// The state of a word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether the business was told that this is how it ended. `timed_out`, `failed`, `unconfirmed`
    /// may still be settled by a late result.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(
            self,
            Self::Scheduled | Self::Parked | Self::Pushed | Self::Accepted | Self::CancelRequested
        )
    }
}

impl fmt::Display for CloudState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a deadline passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeOutReason {
    /// Its register was not connected.
    DeviceOffline,
    /// It was pushed and nothing came back: a person checks.
    NoAck,
    /// Its printer was stopped.
    PrinterStopped(Option<StopReason>),
    /// It waited behind older jobs after its register came back.
    RecoveryBacklog,
}

impl TimeOutReason {
    /// The code in rows and JSON, with the printer's reason behind a colon.
    #[must_use]
    pub fn code(self) -> String {
        match self {
            Self::DeviceOffline => "device_offline".to_owned(),
            Self::NoAck => "no_ack".to_owned(),
            Self::PrinterStopped(None) => "printer_stopped".to_owned(),
            Self::PrinterStopped(Some(reason)) => format!("printer_stopped:{reason}"),
            Self::RecoveryBacklog => "recovery_backlog".to_owned(),
        }
    }
}

/// What happens to a job whose deadline passed while its register was away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AfterDeadline {
    /// It goes to the register when it returns, held for the clerk.
    #[default]
    Hold,
    /// It is dropped.
    Drop,
}

/// What `POST /v1/stores/{store}/print-jobs` takes beside the receipt's own fields.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Scheduling {
    /// Seconds until it is too late, 90 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_s: Option<u32>,
    /// What happens when the deadline passed while the register was away.
    #[serde(default)]
    pub after_deadline: AfterDeadline,
}

/// A job as business systems see it, and the body of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CloudJobView {
    /// The job id.
    pub id: String,
    /// Where it stands.
    pub state: CloudState,
    /// Why, where the state has a why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The register it went to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub register: Option<String>,
    /// The printer it is for.
    pub printer: String,
    /// Pushes so far.
    pub pushes: u32,
    /// When it was taken.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it is too late.
    #[schema(value_type = String, format = DateTime)]
    pub deadline_at: Timestamp,
    /// When its state last changed.
    #[schema(value_type = String, format = DateTime)]
    pub changed_at: Timestamp,
    /// A result that came after the deadline settled it.
    #[serde(default)]
    pub late: bool,
    /// The same body was sent before.
    #[serde(default)]
    pub replayed: bool,
}
