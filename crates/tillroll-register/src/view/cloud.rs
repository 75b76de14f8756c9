//! How the register stands with the head office, and its column of a day.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tillroll_domain::ids::Part;
use tillroll_store::{CloudRow, OutboxCounts};
use tillroll_sync::{CloudStatus, Connectivity, DRIFT_LIMIT};
use utoipa::ToSchema;

use super::TotalsView;

/// How to pair with a head office.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PairCloudBody {
    /// Address of the dispatcher: `https://...`; `http://` only on this machine.
    pub url: String,
    /// The one-time code the head office shows.
    pub code: String,
}

/// The code is a secret until it was used.
impl std::fmt::Debug for PairCloudBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairCloudBody").field("url", &self.url).finish_non_exhaustive()
    }
}

/// The connection to the head office.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CloudState {
    /// This register is not paired.
    NotPaired,
    /// The first connection is being made.
    Connecting,
    /// Connected: records go up, jobs come down.
    Online,
    /// No connection; it is tried again by itself.
    Offline,
    /// The head office refuses this register: a person must do something.
    Refused,
}

impl CloudState {
    /// The word in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotPaired => "not_paired",
            Self::Connecting => "connecting",
            Self::Online => "online",
            Self::Offline => "offline",
            Self::Refused => "refused",
        }
    }
}

/// How the register stands with the head office.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CloudStatusView {
    /// The connection.
    pub state: CloudState,
    /// Since when.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub since: Option<Timestamp>,
    /// Why it is refused, as a stable code: `unauthorized`, `replaced`, `unknown_protocol`, or
    /// `credential_missing`.
    pub code: Option<String>,
    /// Why there is no connection, for people.
    pub cause: Option<String>,
    /// Address of the dispatcher.
    pub url: Option<String>,
    /// The store's name there.
    pub store_name: Option<String>,
    /// The store's uid there.
    pub store_uid: Option<String>,
    /// When they were paired.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub paired_at: Option<Timestamp>,
    /// When they last spoke.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub contact_at: Option<Timestamp>,
    /// The head office's clock less this one's, in milliseconds, when they last spoke.
    pub drift_ms: Option<i64>,
    /// That is more than two minutes: the clock must be set.
    pub clock_is_wrong: bool,
    /// Records not yet acknowledged.
    pub unsent: i64,
    /// When the oldest of them was recorded.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub oldest_unsent_at: Option<Timestamp>,
    /// Records that were refused and that nobody has dealt with.
    pub refused_records: i64,
    /// Why the last upload failed.
    pub upload_error: Option<String>,
    /// Printers whose name belongs to another register of the store: no job comes for them.
    pub names_taken: Vec<String>,
}

impl CloudStatusView {
    pub(crate) fn unpaired(outbox: OutboxCounts) -> Self {
        Self {
            state: CloudState::NotPaired,
            since: None,
            code: None,
            cause: None,
            url: None,
            store_name: None,
            store_uid: None,
            paired_at: None,
            contact_at: None,
            drift_ms: None,
            clock_is_wrong: false,
            unsent: outbox.waiting,
            oldest_unsent_at: outbox.oldest_at,
            refused_records: outbox.parked,
            upload_error: None,
            names_taken: Vec::new(),
        }
    }

    /// Of a paired register. Without workers its credential is gone.
    pub(crate) fn of(row: CloudRow, status: Option<CloudStatus>, outbox: OutboxCounts) -> Self {
        let connection = status.as_ref().map(|status| &status.connection);
        let (state, since, code, cause) = connection.map_or_else(without_credential, told);
        let status = status.unwrap_or_default();
        let drift = status.drift.or(row.drift);
        Self {
            state,
            since,
            code,
            cause,
            url: Some(row.url),
            store_name: Some(row.store_name),
            store_uid: Some(row.store_uid),
            paired_at: Some(row.paired_at),
            contact_at: status.contact_at.or(row.contact_at),
            drift_ms: drift.map(milliseconds),
            clock_is_wrong: drift.is_some_and(|drift| drift.abs() > DRIFT_LIMIT),
            upload_error: status.upload_error,
            names_taken: status.names_taken.iter().map(Part::to_string).collect(),
            ..Self::unpaired(outbox)
        }
    }
}

type Told = (CloudState, Option<Timestamp>, Option<String>, Option<String>);

fn told(connection: &Connectivity) -> Told {
    match connection {
        Connectivity::NotSetUp | Connectivity::Connecting => {
            (CloudState::Connecting, None, None, None)
        }
        Connectivity::Online { since } => (CloudState::Online, Some(*since), None, None),
        Connectivity::Offline { since, cause } => {
            (CloudState::Offline, Some(*since), None, Some(cause.clone()))
        }
        Connectivity::Refused { since, code, detail } => {
            let code = code.as_str().to_owned();
            (CloudState::Refused, Some(*since), Some(code), Some(detail.clone()))
        }
    }
}

fn without_credential() -> Told {
    let cause = "this register's credential is gone: pair it again".to_owned();
    (CloudState::Refused, None, Some("credential_missing".to_owned()), Some(cause))
}

fn milliseconds(drift: SignedDuration) -> i64 {
    i64::try_from(drift.as_millis()).unwrap_or(i64::MAX)
}

/// Where the head office's figures come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CloudSource {
    /// It was asked just now.
    HeadOffice,
    /// It could not be asked: what it has acknowledged here.
    Acknowledged,
}

/// What the head office knows.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CloudView {
    /// A head office is set up.
    pub paired: bool,
    /// Where its figures come from.
    pub source: Option<CloudSource>,
    /// Its counts and sums of the day.
    pub totals: Option<TotalsView>,
    /// Receipts it knows to be on paper.
    pub printed: Option<i64>,
    /// Records not yet acknowledged, of every day.
    pub unsent: i64,
    /// When the oldest of them was recorded.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub oldest_unsent_at: Option<Timestamp>,
    /// Records it refused and nobody has dealt with, of every day.
    pub refused: i64,
}
