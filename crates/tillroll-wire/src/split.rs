//! Splits as the dispatcher tells of them: one by one, and a day's together.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_domain::splits::SplitState;
use utoipa::ToSchema;

/// The longest name of a person, in bytes.
pub const BY_MAX: usize = 200;
/// The longest reason or evidence, in bytes.
pub const NOTE_MAX: usize = 1_000;

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

/// Splits of a store, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SplitList {
    /// The splits.
    pub splits: Vec<SplitView>,
    /// `before` of the next page; none on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}

/// What a person does about a split: `POST .../splits/{split}/{retry|settle|cancel}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SplitAction {
    /// The person.
    #[schema(min_length = 1, max_length = 200)]
    pub by: String,
    /// The reason; to settle, the evidence that it is paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 1000)]
    pub note: Option<String>,
}

/// How many, and their amounts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct SplitSum {
    /// How many.
    pub count: u64,
    /// Their amounts together.
    pub amount_minor: i64,
}

impl SplitSum {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.amount_minor = self.amount_minor.saturating_add(other.amount_minor);
    }
}

/// A day's splits by where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct SplitTotals {
    /// Paid.
    pub succeeded: SplitSum,
    /// Not paid yet: recorded, under way, or tried again.
    pub pending: SplitSum,
    /// With a person.
    pub manual: SplitSum,
    /// Taken back.
    pub failed: SplitSum,
}

impl SplitTotals {
    /// Adds those in a state.
    pub fn add(&mut self, state: SplitState, sum: SplitSum) {
        let to = match state {
            SplitState::Init | SplitState::Processing | SplitState::RetryableFailed => {
                &mut self.pending
            }
            SplitState::Succeeded => &mut self.succeeded,
            SplitState::Failed => &mut self.failed,
            SplitState::Manual => &mut self.manual,
        };
        to.add(sum);
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
