//! The arithmetic of the day: three columns side by side, and every difference as a row with its cure.
//!
//! The rule: receipts recorded = printed + confirmed by a clerk + skipped with a reason; anything else is
//! listed. Nothing here hides a difference.

mod cash;
mod differences;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::cash::{Cash, CashCount};
pub use self::differences::{
    CloudColumn, Cure, Difference, FlowNumber, PaperCounts, cloud_differences, differences,
};
use crate::money::Minor;

/// Counts and sums of one column. Gross and refunds are both positive.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Totals {
    /// Receipts of sales.
    pub receipts: i64,
    /// Refunds.
    pub refunds: i64,
    /// Sum of the sales.
    pub gross_minor: Minor,
    /// Sum given back.
    pub refunded_minor: Minor,
    /// Net takings by tender type: the change comes out of the cash.
    #[serde(default)]
    pub tenders: BTreeMap<String, Minor>,
}

impl Totals {
    /// Sales less refunds.
    #[must_use]
    pub fn net(&self) -> Minor {
        self.gross_minor - self.refunded_minor
    }

    /// Adds a receipt or refund.
    pub fn add(&mut self, receipt: &crate::receipt::Receipt) {
        let takings = receipt.takings();
        match receipt.kind {
            crate::ids::JobKind::Receipt => {
                self.receipts += 1;
                self.gross_minor = self.gross_minor + takings;
            }
            crate::ids::JobKind::Refund => {
                self.refunds += 1;
                self.refunded_minor = self.refunded_minor - takings;
            }
            crate::ids::JobKind::Prebill
            | crate::ids::JobKind::Kitchen
            | crate::ids::JobKind::Report => return,
        }
        for (tender, amount) in receipt.takings_by_tender() {
            let sum = self.tenders.entry(tender).or_default();
            *sum = *sum + amount;
        }
    }
}

#[cfg(test)]
mod tests;
