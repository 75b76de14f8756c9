//! The day: three columns side by side, and every difference.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_domain::ids::Part;
use tillroll_domain::money::Minor;
use tillroll_domain::print_job::JobState;
use tillroll_domain::reconciliation::{Difference, PaperCounts, Totals};
use tillroll_store::{DayView as StoredDay, DrawerOpening, MovementKind, SessionView};
use utoipa::ToSchema;

use super::{CloudView, OpeningView};
use crate::days::{cash_of, count_of};
use crate::problem::Problem;

/// A day.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DayView {
    /// The business day.
    pub day: String,
    /// What the POS declared.
    pub pos: Option<TotalsView>,
    /// What the register recorded.
    pub register: TotalsView,
    /// What became of it on paper.
    pub paper: PaperView,
    /// What the head office knows.
    pub cloud: CloudView,
    /// Every difference, with its cure.
    #[schema(value_type = Vec<Object>)]
    pub differences: Vec<Difference>,
    /// The day's sessions, first to last.
    pub sessions: Vec<SessionFigures>,
    /// Openings of the drawer without a sale, first to last.
    pub openings: Vec<OpeningView>,
}

impl DayView {
    pub(crate) fn of(
        day: Date,
        stored: &StoredDay,
        cloud: CloudView,
        differences: Vec<Difference>,
    ) -> Self {
        Self {
            day: day.to_string(),
            pos: stored.pos.as_ref().map(TotalsView::from),
            register: TotalsView::from(&stored.register),
            paper: PaperView::from(stored.paper),
            cloud,
            differences,
            sessions: stored.sessions.iter().map(SessionFigures::from).collect(),
            openings: Vec::new(),
        }
    }

    pub(crate) fn with_openings(self, openings: Vec<DrawerOpening>) -> Self {
        Self { openings: openings.into_iter().map(OpeningView::from).collect(), ..self }
    }
}

/// Counts and sums of one column; gross and refunded are both positive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TotalsView {
    /// Receipts of sales.
    #[schema(minimum = 0)]
    pub receipts: i64,
    /// Refunds.
    #[serde(default)]
    #[schema(minimum = 0)]
    pub refunds: i64,
    /// Sum of the sales.
    #[schema(minimum = 0)]
    pub gross_minor: i64,
    /// Sum given back.
    #[serde(default)]
    #[schema(minimum = 0)]
    pub refunded_minor: i64,
    /// Net takings by tender type.
    #[serde(default)]
    pub tenders: BTreeMap<String, i64>,
}

impl From<&Totals> for TotalsView {
    fn from(totals: &Totals) -> Self {
        Self {
            receipts: totals.receipts,
            refunds: totals.refunds,
            gross_minor: totals.gross_minor.0,
            refunded_minor: totals.refunded_minor.0,
            tenders: totals.tenders.iter().map(|(name, sum)| (name.clone(), sum.0)).collect(),
        }
    }
}

impl TotalsView {
    /// What a POS declares; counts and sums must not be negative.
    pub(crate) fn into_totals(self) -> Result<Totals, Problem> {
        let counts = [
            ("receipts", self.receipts),
            ("refunds", self.refunds),
            ("gross_minor", self.gross_minor),
            ("refunded_minor", self.refunded_minor),
        ];
        for (field, value) in counts {
            if !Minor(value).is_plain() {
                return Err(Problem::value(field, "must not be negative"));
            }
        }
        if self.tenders.len() > 50 {
            return Err(Problem::value("tenders", "must have at most 50 entries"));
        }
        if let Some(name) = self.tenders.keys().find(|name| Part::new(name, "tender").is_err()) {
            let must = format!("names no tender type: {name:?} must be of A-Z a-z 0-9 . _ ~ -");
            return Err(Problem::value("tenders", must));
        }
        Ok(Totals {
            receipts: self.receipts,
            refunds: self.refunds,
            gross_minor: Minor(self.gross_minor),
            refunded_minor: Minor(self.refunded_minor),
            tenders: self.tenders.into_iter().map(|(name, sum)| (name, Minor(sum))).collect(),
        })
    }
}

/// What became of the day's receipts and refunds on paper.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PaperView {
    /// Recorded.
    pub recorded: i64,
    /// Printed with proof by the device.
    pub printed: i64,
    /// Printed on the owner's trust.
    pub assumed: i64,
    /// A clerk saw it on paper.
    pub confirmed_by_clerk: i64,
    /// Skipped with a reason.
    pub skipped: i64,
    /// May be on paper.
    pub unconfirmed: i64,
    /// Not on paper.
    pub failed: i64,
    /// Waiting, printing or held.
    pub waiting: i64,
    /// Of the printed ones, those marked REPRINT.
    pub reprinted: i64,
    /// Copies printed.
    pub copies: i64,
}

impl From<PaperCounts> for PaperView {
    fn from(paper: PaperCounts) -> Self {
        Self {
            recorded: paper.recorded,
            printed: paper.printed,
            assumed: paper.assumed,
            confirmed_by_clerk: paper.confirmed_by_clerk,
            skipped: paper.skipped,
            unconfirmed: paper.unconfirmed,
            failed: paper.failed,
            waiting: paper.waiting,
            reprinted: paper.reprinted,
            copies: paper.copies,
        }
    }
}

/// A numbered session.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SessionFigures {
    /// Its number.
    pub z_no: i64,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub opened_at: Timestamp,
    /// When it was closed.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub closed_at: Option<Timestamp>,
    /// Who closed it; sessions closed before this was kept have nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub closed_by: Option<String>,
    /// What was recorded in it.
    pub totals: TotalsView,
    /// Its cash.
    pub cash: CashView,
    /// What changed after it was closed.
    pub corrections: Vec<CorrectionView>,
}

impl From<&SessionView> for SessionFigures {
    fn from(session: &SessionView) -> Self {
        let closing = closing_of(session);
        Self {
            z_no: session.z_no,
            opened_at: session.opened_at,
            closed_at: session.closed_at,
            closed_by: closing.as_ref().and_then(|closing| closing.closed_by.clone()),
            totals: TotalsView::from(&session.totals),
            cash: CashView::of(session, closing),
            corrections: session
                .corrections
                .iter()
                .map(|correction| CorrectionView {
                    id: correction.job_id.clone(),
                    was: correction.was,
                    became: correction.became,
                    corrected_at: correction.corrected_at,
                })
                .collect(),
        }
    }
}

/// Cash of a session.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CashView {
    /// In the drawer at the start.
    pub float_minor: i64,
    /// Net cash of sales and refunds.
    pub sales_minor: i64,
    /// Put in without a sale.
    pub paid_in_minor: i64,
    /// Taken out without a refund.
    pub paid_out_minor: i64,
    /// What must lie in the drawer.
    pub expected_minor: i64,
    /// What was counted.
    pub counted_minor: Option<i64>,
    /// Counted less expected.
    pub difference_minor: Option<i64>,
    /// Why it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub reason: Option<String>,
}

/// The figures a session was closed with. They are the register's own and read back.
fn closing_of(session: &SessionView) -> Option<ClosingView> {
    session.closing.as_deref().and_then(|closing| serde_json::from_str(closing).ok())
}

impl CashView {
    fn of(session: &SessionView, closing: Option<ClosingView>) -> Self {
        let cash = cash_of(session);
        let count = count_of(session);
        Self {
            float_minor: cash.float_minor.0,
            sales_minor: cash.sales_minor.0,
            paid_in_minor: cash.paid_in_minor.0,
            paid_out_minor: cash.paid_out_minor.0,
            expected_minor: cash.expected().0,
            counted_minor: count.as_ref().map(|count| count.counted_minor.0),
            difference_minor: count.as_ref().map(|count| count.difference(&cash).0),
            reason: closing
                .and_then(|closing| closing.cash_reason)
                .or_else(|| count.and_then(|count| count.reason)),
        }
    }
}

/// An answer or proof that came after the close.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CorrectionView {
    /// The job.
    pub id: String,
    /// Its state in the closed books.
    #[schema(value_type = String)]
    pub was: JobState,
    /// What it became.
    #[schema(value_type = String)]
    pub became: JobState,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub corrected_at: Timestamp,
}

/// A movement of cash.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct CashBody {
    /// `float`, `paid_in`, `paid_out` or `count`.
    #[schema(value_type = String)]
    pub kind: MovementKind,
    /// How much, never negative.
    #[schema(minimum = 0)]
    pub amount_minor: i64,
    /// Why; required for paid in and out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How the day is closed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default, deny_unknown_fields)]
pub struct CloseBody {
    /// The session shown to whoever closes it; another one open by now is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z_no: Option<i64>,
    /// What was counted in the drawer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_minor: Option<i64>,
    /// Why it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The figures a session was closed with; they stand for good.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ClosingView {
    /// The session's number: the Z number.
    pub z_no: i64,
    /// What was recorded in it.
    pub totals: TotalsView,
    /// Receipts and refunds recorded in it.
    pub recorded: i64,
    /// Of them settled on paper.
    pub settled: i64,
    /// What must lie in the drawer.
    pub cash_expected_minor: i64,
    /// What was counted.
    pub cash_counted_minor: Option<i64>,
    /// Counted less expected.
    pub cash_difference_minor: Option<i64>,
    /// Why it differs.
    pub cash_reason: Option<String>,
    /// Differences of the day when it was closed.
    pub differences: usize,
    /// Who closed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub closed_by: Option<String>,
}

/// What a day is written to a file as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// For a table program.
    Csv,
    /// For the file.
    Pdf,
}

impl ExportFormat {
    /// How the name of such a file ends.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Pdf => "pdf",
        }
    }
}
