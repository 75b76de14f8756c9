//! What a batch of records adds to the counters of a register's day: pure, the same for every engine.

use std::collections::BTreeMap;

use tillroll_domain::ids::JobKind;

use super::fact::Sale;

/// What is added to a day.
#[derive(Debug, Default)]
pub(crate) struct DayCounts {
    pub(crate) receipts: i64,
    pub(crate) refunds: i64,
    pub(crate) gross_minor: i64,
    pub(crate) refunded_minor: i64,
    pub(crate) printed: i64,
    pub(crate) closed: i64,
    pub(crate) rejected: i64,
    /// Takings by tender type.
    pub(crate) tenders: BTreeMap<String, i64>,
}

impl DayCounts {
    /// Adds a receipt; what moves no money is in the books without being counted.
    pub(crate) fn book(&mut self, sale: &Sale, on_paper: bool) {
        match sale.kind() {
            JobKind::Receipt => {
                self.receipts += 1;
                self.gross_minor += sale.takings_minor;
            }
            JobKind::Refund => {
                self.refunds += 1;
                self.refunded_minor -= sale.takings_minor;
            }
            JobKind::Prebill | JobKind::Kitchen | JobKind::Report => return,
        }
        self.printed += i64::from(on_paper);
        for (tender, takings_minor) in &sale.tenders {
            *self.tenders.entry(tender.clone()).or_default() += takings_minor;
        }
    }
}
