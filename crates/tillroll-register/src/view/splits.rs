//! A day's splits, and what waits for a manager, as the head office tells of them.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_store::SplitDay;
use tillroll_wire::split::{SplitDayView, SplitList, SplitSum, SplitTotals, SplitView};
use utoipa::ToSchema;

/// How many, and their amounts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SplitSumView {
    /// How many.
    pub count: u64,
    /// Their amounts together.
    pub amount_minor: i64,
}

impl From<SplitSum> for SplitSumView {
    fn from(SplitSum { count, amount_minor }: SplitSum) -> Self {
        Self { count, amount_minor }
    }
}

/// A day's splits by where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SplitTotalsView {
    /// Paid.
    pub succeeded: SplitSumView,
    /// Not paid yet.
    pub pending: SplitSumView,
    /// With a person.
    pub manual: SplitSumView,
    /// Taken back: never paid.
    pub canceled: SplitSumView,
}

impl From<SplitTotals> for SplitTotalsView {
    fn from(totals: SplitTotals) -> Self {
        Self {
            succeeded: totals.succeeded.into(),
            pending: totals.pending.into(),
            manual: totals.manual.into(),
            canceled: totals.failed.into(),
        }
    }
}

/// A split that waits for a manager.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ManualSplitView {
    /// Its id: as a rule the job id of its receipt.
    pub id: String,
    /// The split it takes back from, if it is a refund.
    pub of: Option<String>,
    /// Its business day.
    #[schema(value_type = String, format = Date)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub day: Date,
    /// The amount.
    pub amount_minor: i64,
    /// Its currency.
    pub currency: String,
    /// `manual`, or what became of it by an action.
    pub state: String,
    /// Why, as a stable code: `frozen`, `no_balance`, `rejected`, `exhausted`, `amount_differs`.
    pub reason: Option<String>,
    /// It may be paid: it cannot be canceled before the channel was asked.
    pub may_be_paid: bool,
    /// Tries that were made.
    pub tries: u32,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub changed_at: Timestamp,
}

impl From<SplitView> for ManualSplitView {
    fn from(split: SplitView) -> Self {
        Self {
            id: split.split_id,
            of: split.of,
            day: split.day,
            amount_minor: split.amount_minor,
            currency: split.currency,
            state: split.state,
            reason: split.reason,
            may_be_paid: split.may_be_paid,
            tries: split.tries,
            changed_at: split.changed_at,
        }
    }
}

/// A day's splits of the store, every register's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SplitsView {
    /// The store shares its orders, or has splits on that day.
    pub shared: bool,
    /// The head office was asked just now.
    pub reached: bool,
    /// When it told these numbers; none when it never did.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub told_at: Option<Timestamp>,
    /// Sales.
    pub sales: SplitTotalsView,
    /// Refunds, as positive amounts.
    pub refunds: SplitTotalsView,
    /// Sales and refunds of this register that the head office was not told of yet.
    pub unsent: SplitSumView,
    /// What waits for a manager, of every day, newest first; at most 100, none while the head office is not reached.
    pub manual: Vec<ManualSplitView>,
}

impl SplitsView {
    /// As it is known here, with what waits for a manager where the head office was asked just now.
    pub(crate) fn of(shares_orders: bool, kept: SplitDay, manual: Option<SplitList>) -> Self {
        let unsent = kept.waiting.into();
        let reached = manual.is_some();
        let manual = manual.map(|list| list.splits).unwrap_or_default();
        let manual: Vec<_> = manual.into_iter().map(ManualSplitView::from).collect();
        let Some((SplitDayView { shares, refunds, .. }, told_at)) = kept.told else {
            return Self { shared: shares_orders, reached, unsent, manual, ..Self::default() };
        };
        let (sales, refunds) = (SplitTotalsView::from(shares), SplitTotalsView::from(refunds));
        let is_any = (sales, refunds) != Default::default() || !manual.is_empty();
        let shared = shares_orders || is_any;
        Self { shared, reached, told_at: Some(told_at), sales, refunds, unsent, manual }
    }
}

/// What a manager says to a split.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct SplitBody {
    /// The reason; to settle, the evidence that it is paid. Required but for a retry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
