//! The manager's list of records at the head office, and the answers to it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_store::{CloudOnly, ParkedRecord};
use utoipa::ToSchema;

/// Which records are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordState {
    /// Refused by the head office.
    Parked,
    /// At the head office and not here.
    CloudOnly,
}

/// Records nobody has dealt with.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CloudRecordsView {
    /// Those the head office refused, oldest first.
    pub parked: Vec<RefusedRecordView>,
    /// Those it has and this register has not, oldest first.
    pub cloud_only: Vec<CloudOnlyView>,
}

/// A record the head office refused, or that waits behind one.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RefusedRecordView {
    /// Its number on the list.
    pub id: i64,
    /// Its id at the head office.
    pub request_id: String,
    /// `receipt`, `print`, `close`, `correction` or `split`.
    pub kind: String,
    /// The job it is about.
    pub job_id: Option<String>,
    /// The stable code it was refused with; `parked_behind` for one that waits with its receipt.
    pub code: String,
    /// Why, for people.
    pub detail: Option<String>,
    /// When the fact was recorded.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub recorded_at: Timestamp,
    /// When it was refused.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub parked_at: Timestamp,
}

impl From<ParkedRecord> for RefusedRecordView {
    fn from(record: ParkedRecord) -> Self {
        Self {
            id: record.id.0,
            request_id: record.request_id,
            kind: record.kind,
            job_id: record.job_id,
            code: record.code,
            detail: record.detail,
            recorded_at: record.recorded_at,
            parked_at: record.parked_at,
        }
    }
}

/// A record that went here with an older copy of the database, or reads otherwise here.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CloudOnlyView {
    /// Its number on the list.
    pub id: i64,
    /// Its id at the head office; it names the job.
    pub request_id: String,
    /// The epoch that made it.
    pub epoch: u32,
    /// It stands here too, with another content.
    pub otherwise: bool,
    /// When it was found.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub seen_at: Timestamp,
}

impl From<CloudOnly> for CloudOnlyView {
    fn from(record: CloudOnly) -> Self {
        Self {
            id: record.id,
            request_id: record.request_id,
            epoch: record.epoch,
            otherwise: record.otherwise,
            seen_at: record.seen_at,
        }
    }
}

/// What a manager may ask of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RecordVerb {
    /// Refused ones are sent again.
    SendAgain,
    /// Refused ones are given up, with a reason.
    GiveUp,
    /// Those only the head office has were compared with the POS, and what came of it.
    Compared,
}

impl RecordVerb {
    /// Every verb.
    pub const ALL: [Self; 3] = [Self::SendAgain, Self::GiveUp, Self::Compared];

    /// The word in JSON and addresses.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SendAgain => "send_again",
            Self::GiveUp => "give_up",
            Self::Compared => "compared",
        }
    }
}

/// Records to answer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct RecordsBody {
    /// Their numbers on the list, 1 to 500.
    pub ids: Vec<i64>,
    /// What came of it; required but for sending again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What became of them.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecordsAnswered {
    /// How many records, those that go with the same receipts included.
    pub answered: usize,
}
