//! Records going up: what the register tells the head office, and a verdict for each.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::JobKind;
use tillroll_domain::money::Currency;
use tillroll_domain::outbox::RecordKind;
use utoipa::ToSchema;

use crate::Code;
use crate::channel::ClockReading;

/// Most records of one batch.
pub const BATCH_RECORDS: usize = 500;
/// Most bytes of one batch's body.
pub const BATCH_BYTES: usize = 4 * 1024 * 1024;

/// `POST /v1/sync/records`: records of one register, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Batch {
    /// The protocol version the register speaks.
    pub protocol: u32,
    /// Id of the installation.
    pub installation: String,
    /// Both clocks of the register when it sent this.
    pub clock: ClockReading,
    /// The records.
    pub records: Vec<Record>,
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Record {
    /// The idempotency key: subject, kind, epoch and row version.
    pub request_id: String,
    /// What it is about.
    #[schema(value_type = String, pattern = "^(receipt|print|close|correction|split)$")]
    pub kind: RecordKind,
    /// SHA-256 of the serialised body.
    #[schema(value_type = String, pattern = "^[0-9a-fA-F]{64}$")]
    pub fingerprint: Fingerprint,
    /// The receipt it belongs to; records of one receipt go in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow_no: Option<i64>,
    /// Epoch of the installation when the fact was made.
    pub epoch: u32,
    /// The register's stored time of the fact.
    #[schema(value_type = String, format = DateTime)]
    pub recorded_at: Timestamp,
    /// The fact. Its shape goes with the kind: [`ReceiptFact`] for `receipt`, [`SplitFact`] for `split`.
    pub body: serde_json::Value,
}

/// Body of a `receipt` record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReceiptFact {
    /// Job id.
    pub id: String,
    /// What it is.
    #[schema(value_type = String)]
    pub kind: JobKind,
    /// Business day by the register's stored time.
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    /// Z number of its session.
    pub z_no: i64,
    /// Takings: positive for a sale, negative for a refund, zero for what moves no money.
    pub takings_minor: i64,
    /// Takings by tender type.
    pub tenders: BTreeMap<String, i64>,
    /// The receipt itself, where its body is still kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<serde_json::Value>,
}

/// Body of a `split` record: a sale or refund that is to be shared. The split's id is the job id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SplitFact {
    /// Job id of the receipt or refund.
    pub id: String,
    /// Business day by the register's stored time.
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    /// What was paid, or given back; above zero.
    pub amount_minor: i64,
    /// Its currency.
    #[schema(value_type = String)]
    pub currency: Currency,
    /// The register's stored time: this decides the share table.
    #[schema(value_type = String, format = DateTime)]
    pub paid_at: Timestamp,
    /// Job id of the receipt that a refund takes back from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

/// Answer to a batch, one verdict for each record that was looked at; a record without one is sent again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Verdicts {
    /// The dispatcher's clock.
    #[schema(value_type = String, format = DateTime)]
    pub now: Timestamp,
    /// The verdicts, in the order of the records.
    pub verdicts: Vec<RecordVerdict>,
    /// The store shares its orders: each sale and refund recorded from now on brings a `split` record.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shares_orders: bool,
}

/// The verdict on one record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecordVerdict {
    /// The record.
    pub request_id: String,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// What became of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Stored, durable.
    Accepted,
    /// It was stored before, with the same body.
    Replayed,
    /// It is refused for good: a person must look.
    Rejected {
        /// Why.
        code: Code,
        /// Why, for people.
        detail: String,
    },
    /// Not now.
    RetryAfter {
        /// When to try again.
        ms: u64,
    },
}

impl Verdict {
    /// Whether the dispatcher has it for good.
    #[must_use]
    pub fn is_stored(&self) -> bool {
        matches!(self, Self::Accepted | Self::Replayed)
    }
}

/// `GET /v1/requests`: the fate of ids, for people and tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fate {
    /// The request id asked for.
    pub request_id: String,
    /// When it was stored; none when it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub stored_at: Option<Timestamp>,
    /// Its fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub fingerprint: Option<Fingerprint>,
    /// The code it was refused with, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Code>,
}
