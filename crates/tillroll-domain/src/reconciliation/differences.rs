//! Every single difference, with what cures it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Totals;
use crate::money::Minor;

/// What became of the day's receipts on paper. Each job is counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PaperCounts {
    /// Receipts and refunds recorded.
    pub recorded: i64,
    /// Printed with proof by the device.
    pub printed: i64,
    /// Printed on the owner's trust.
    pub assumed: i64,
    /// A clerk saw it on paper.
    pub confirmed_by_clerk: i64,
    /// Skipped with a reason.
    pub skipped: i64,
    /// May be on paper: an answer is due.
    pub unconfirmed: i64,
    /// Not on paper and not tried again by itself.
    pub failed: i64,
    /// Still waiting, printing or held.
    pub waiting: i64,
    /// Of the printed ones, those that carry the REPRINT mark.
    pub reprinted: i64,
    /// Copies printed; they touch no other count.
    pub copies: i64,
}

impl std::ops::AddAssign for PaperCounts {
    fn add_assign(&mut self, other: Self) {
        self.recorded += other.recorded;
        self.printed += other.printed;
        self.assumed += other.assumed;
        self.confirmed_by_clerk += other.confirmed_by_clerk;
        self.skipped += other.skipped;
        self.unconfirmed += other.unconfirmed;
        self.failed += other.failed;
        self.waiting += other.waiting;
        self.reprinted += other.reprinted;
        self.copies += other.copies;
    }
}

impl PaperCounts {
    /// Receipts about which nothing is left to decide.
    #[must_use]
    pub fn settled(&self) -> i64 {
        self.printed + self.assumed + self.confirmed_by_clerk + self.skipped
    }
}

/// What a person can do about a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Cure {
    /// Answer the jobs on the to-do list.
    AnswerTodo,
    /// Look at the printer; the rest prints by itself.
    LookAtPrinter,
    /// Compare with the POS's own list and key in what is missing.
    CompareWithPos,
    /// Find out where the receipt with that flow number went.
    FindFlowNumber,
    /// Count again, or state the reason.
    Recount,
    /// Set the clock.
    SetClock,
    /// See that there is a network; the rest is sent by itself.
    WaitForNetwork,
    /// Send the records again, or give them up with a reason.
    AnswerRecords,
    /// Compare with the head office's own list.
    CompareWithCloud,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Difference {
    /// The POS and the register count or sum differently.
    Pos {
        /// Which figure: `receipts`, `gross_minor`, `tenders.cash`, ...
        figure: String,
        /// What the POS says.
        pos: i64,
        /// What the register recorded.
        register: i64,
        /// What cures it.
        cure: Cure,
    },
    /// Receipts whose paper is not settled.
    Paper {
        /// `unconfirmed`, `failed` or `waiting`.
        figure: &'static str,
        /// How many.
        count: i64,
        /// What cures it.
        cure: Cure,
    },
    /// Recorded receipts do not add up to the counted papers: a fault of the register itself.
    Unaccounted {
        /// Recorded less everything that was counted.
        count: i64,
        /// What cures it.
        cure: Cure,
    },
    /// Flow numbers are missing between two receipts.
    FlowGap {
        /// The last number before the gap.
        after: i64,
        /// The first number after it.
        before: i64,
        /// More than ten are missing.
        alarm: bool,
        /// What cures it.
        cure: Cure,
    },
    /// The drawer holds another amount than expected.
    CashDifference {
        /// Counted less expected.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        difference_minor: Minor,
        /// Why, as the manager said.
        reason: Option<String>,
        /// What cures it.
        cure: Cure,
    },
    /// Records of the day that the head office has not acknowledged.
    Unsent {
        /// How many.
        count: i64,
        /// What cures it.
        cure: Cure,
    },
    /// Records of the day that the head office refused.
    Refused {
        /// How many.
        count: i64,
        /// What cures it.
        cure: Cure,
    },
    /// The head office counts or sums differently.
    Cloud {
        /// Which figure, as for the POS.
        figure: String,
        /// What the register recorded.
        register: i64,
        /// What the head office has.
        cloud: i64,
        /// What cures it.
        cure: Cure,
    },
    /// The register's clock is wrong.
    ClockDrift {
        /// The head office's clock less this one's, in milliseconds.
        drift_ms: i64,
        /// What cures it.
        cure: Cure,
    },
}

/// A gap of more flow numbers than this is an alarm; any gap shows.
pub const GAP_ALARM: i64 = 10;

/// A flow number and the epoch it was given in. Numbers are gapless within an epoch; a new one goes on
/// higher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlowNumber {
    /// The epoch of the installation.
    pub epoch: u32,
    /// The number.
    pub number: i64,
}

/// Compares the columns of a day. `flow_numbers` are those of the day in ascending order.
#[must_use]
pub fn differences(
    pos: Option<&Totals>,
    register: &Totals,
    paper: &PaperCounts,
    flow_numbers: impl IntoIterator<Item = FlowNumber>,
) -> Vec<Difference> {
    let mut found = Vec::new();
    if let Some(pos) = pos {
        against_pos(pos, register, &mut found);
    }
    on_paper(paper, &mut found);
    gaps(flow_numbers, &mut found);
    found
}

fn against_pos(pos: &Totals, register: &Totals, found: &mut Vec<Difference>) {
    for (figure, pos, register) in unequal(pos, register) {
        found.push(Difference::Pos { figure, pos, register, cure: Cure::CompareWithPos });
    }
}

/// The figures that differ between two columns, with both values.
fn unequal(left: &Totals, right: &Totals) -> Vec<(String, i64, i64)> {
    let mut figures = vec![
        ("receipts".to_owned(), left.receipts, right.receipts),
        ("refunds".to_owned(), left.refunds, right.refunds),
        ("gross_minor".to_owned(), left.gross_minor.0, right.gross_minor.0),
        ("refunded_minor".to_owned(), left.refunded_minor.0, right.refunded_minor.0),
    ];
    let names: BTreeSet<_> = left.tenders.keys().chain(right.tenders.keys()).collect();
    figures.extend(names.into_iter().map(|name| {
        let of = |totals: &Totals| totals.tenders.get(name).copied().unwrap_or_default().0;
        (format!("tenders.{name}"), of(left), of(right))
    }));
    figures.retain(|(_, left, right)| left != right);
    figures
}

/// What the head office has of a day, and what is still under way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CloudColumn {
    /// Its counts and sums; `None` where nothing is known of them.
    pub totals: Option<Totals>,
    /// Records of the day that wait.
    pub waiting: i64,
    /// Records of the day that were refused and that nobody has dealt with.
    pub refused: i64,
}

/// Compares the register with the head office. While records wait, its figures are behind and no
/// difference.
#[must_use]
pub fn cloud_differences(register: &Totals, cloud: &CloudColumn) -> Vec<Difference> {
    let mut found = Vec::new();
    if cloud.waiting > 0 {
        found.push(Difference::Unsent { count: cloud.waiting, cure: Cure::WaitForNetwork });
    }
    if cloud.refused > 0 {
        found.push(Difference::Refused { count: cloud.refused, cure: Cure::AnswerRecords });
    }
    if let Some(totals) = cloud.totals.as_ref().filter(|_| cloud.waiting == 0) {
        found.extend(unequal(register, totals).into_iter().map(|(figure, register, cloud)| {
            Difference::Cloud { figure, register, cloud, cure: Cure::CompareWithCloud }
        }));
    }
    found
}

fn on_paper(paper: &PaperCounts, found: &mut Vec<Difference>) {
    let rows = [
        ("unconfirmed", paper.unconfirmed, Cure::AnswerTodo),
        ("failed", paper.failed, Cure::AnswerTodo),
        ("waiting", paper.waiting, Cure::LookAtPrinter),
    ];
    for (figure, count, cure) in rows {
        if count != 0 {
            found.push(Difference::Paper { figure, count, cure });
        }
    }
    let counted = paper.settled() + paper.unconfirmed + paper.failed + paper.waiting;
    if counted != paper.recorded {
        let count = paper.recorded - counted;
        found.push(Difference::Unaccounted { count, cure: Cure::CompareWithPos });
    }
}

fn gaps(flow_numbers: impl IntoIterator<Item = FlowNumber>, found: &mut Vec<Difference>) {
    let mut last: Option<FlowNumber> = None;
    for flow in flow_numbers {
        let before = last.replace(flow).filter(|before| before.epoch == flow.epoch);
        let missing = before.map_or(0, |before| flow.number - before.number - 1);
        if let Some(FlowNumber { number: after, .. }) = before
            && missing > 0
        {
            let (alarm, cure) = (missing > GAP_ALARM, Cure::FindFlowNumber);
            found.push(Difference::FlowGap { after, before: flow.number, alarm, cure });
        }
    }
}
