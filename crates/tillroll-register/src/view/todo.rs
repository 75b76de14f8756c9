//! What waits for a person.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_store::{Notice, Rejection};
use utoipa::ToSchema;

use super::{CloudOnlyView, JobView, RefusedRecordView};

/// Everything that waits for a person.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TodoView {
    /// Jobs that ask, or wait too long.
    pub jobs: Vec<JobView>,
    /// Receipts that were refused.
    pub rejected: Vec<RejectedView>,
    /// Records the head office refused.
    #[serde(default)]
    pub refused_records: Vec<RefusedRecordView>,
    /// Records the head office has that went here with an older copy of the database.
    #[serde(default)]
    pub cloud_only: Vec<CloudOnlyView>,
    /// What the register itself has to tell.
    pub notices: Vec<NoticeView>,
}

/// The refused receipts nobody has dealt with.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RejectedListView {
    /// Oldest first.
    pub rejected: Vec<RejectedView>,
}

/// A refused receipt.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RejectedView {
    /// Its number on the list.
    pub id: i64,
    /// The POS's order number, as far as it was readable.
    pub order_no: Option<String>,
    /// Its kind.
    pub kind: Option<String>,
    /// The stable code of the problem.
    pub code: String,
    /// What was wrong.
    pub detail: String,
    /// When it was refused.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub rejected_at: Timestamp,
}

impl From<Rejection> for RejectedView {
    fn from(rejection: Rejection) -> Self {
        Self {
            id: rejection.id,
            order_no: rejection.order_no,
            kind: rejection.kind,
            code: rejection.code,
            detail: rejection.detail,
            rejected_at: rejection.rejected_at,
        }
    }
}

/// What a person did about a refused receipt.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RejectedAnswer {
    /// What was done.
    pub answer: String,
}

/// Something the register itself has to tell.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NoticeView {
    /// Its number.
    pub id: i64,
    /// `rescued`, `restored`, `unreadable_job`, `fonts_missing`, `cloud_differences` or `clock_drift`.
    pub code: String,
    /// What happened.
    pub detail: String,
    /// When it was noticed.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub noticed_at: Timestamp,
}

impl From<Notice> for NoticeView {
    fn from(notice: Notice) -> Self {
        Self {
            id: notice.id,
            code: notice.code,
            detail: notice.detail,
            noticed_at: notice.noticed_at,
        }
    }
}
