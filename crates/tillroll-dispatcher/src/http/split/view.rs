//! Splits as they go out.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_domain::splits::PartyAmount;
use utoipa::ToSchema;

use crate::splits::{Split, SplitRecord, SplitTotals};
use crate::store::SplitDay;

/// What one party gets, or gives back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SplitPart {
    /// Who.
    pub party: String,
    /// How much.
    pub amount_minor: i64,
}

/// One change of a split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SplitChangeView {
    /// Counts from 1.
    pub version: i64,
    /// What happened.
    pub event: String,
    /// Where it led.
    pub state: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// In what words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// A split as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SplitView {
    /// Its id.
    pub split_id: String,
    /// Its number in the store; grows.
    pub no: i64,
    /// The split it takes back from, if it is a refund.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The business day.
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    /// The amount.
    pub amount_minor: i64,
    /// Its currency.
    pub currency: String,
    /// What each party gets, or gives back; adds up to the amount.
    pub parts: Vec<SplitPart>,
    /// The share table it follows.
    pub table_version: u32,
    /// `init`, `processing`, `succeeded`, `retryable_failed`, `failed` or `manual`.
    pub state: String,
    /// Why, where the state has a why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it may be paid.
    pub confirmed: bool,
    /// Tries since it was confirmed, or since a person asked for them anew.
    pub tries: u32,
    /// A call to pay it may have arrived, so the channel is asked first.
    pub may_be_paid: bool,
    /// A person's evidence settled it.
    pub by_hand: bool,
    /// When it is tried next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub due_at: Option<Timestamp>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it changed last.
    #[schema(value_type = String, format = DateTime)]
    pub changed_at: Timestamp,
    /// What happened to it, oldest first, where one split is asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<SplitChangeView>,
    /// It was so before; nothing is new.
    pub replayed: bool,
}

impl SplitView {
    pub(crate) fn of(split: Split, replayed: bool) -> Self {
        let part = |part: PartyAmount| SplitPart {
            party: part.party.to_string(),
            amount_minor: part.amount_minor.0,
        };
        Self {
            split_id: split.id,
            no: split.key.seq,
            of: split.of,
            day: split.day,
            amount_minor: split.amount.0,
            currency: split.currency.code().to_owned(),
            parts: split.parts.into_iter().map(part).collect(),
            table_version: split.table_version,
            state: split.facts.state.to_string(),
            reason: split.reason.map(|reason| reason.to_string()),
            confirmed: split.facts.confirmed,
            tries: split.facts.tries,
            may_be_paid: split.facts.doubtful,
            by_hand: split.facts.by_hand,
            due_at: split.due_at,
            created_at: split.created_at,
            changed_at: split.changed_at,
            history: Vec::new(),
            replayed,
        }
    }

    pub(in crate::http) fn with_history(self, history: Vec<SplitRecord>) -> Self {
        let view = |record: SplitRecord| SplitChangeView {
            version: record.version,
            event: record.event,
            state: record.state.to_string(),
            reason: record.reason.map(|reason| reason.to_string()),
            by: record.by,
            note: record.note,
            at: record.at,
        };
        Self { history: history.into_iter().map(view).collect(), ..self }
    }
}

/// Splits of a store, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SplitList {
    /// The splits.
    pub splits: Vec<SplitView>,
    /// `before` of the next page; none on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}

impl SplitList {
    pub(crate) fn of(splits: Vec<Split>, limit: u32) -> Self {
        let is_full = u32::try_from(splits.len()).is_ok_and(|count| count >= limit);
        let next = splits.last().filter(|_| is_full).map(|split| split.key.seq);
        Self { splits: splits.into_iter().map(|split| SplitView::of(split, false)).collect(), next }
    }
}

/// A day's splits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SplitDayView {
    /// The day.
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    /// Orders shared.
    pub shares: SplitTotals,
    /// Refunds.
    pub refunds: SplitTotals,
}

impl SplitDayView {
    pub(in crate::http) fn of(day: Date, SplitDay { shares, refunds }: SplitDay) -> Self {
        Self { day, shares, refunds }
    }
}
