//! Counters of a register's days: what a batch adds to them.

use std::collections::BTreeMap;

use jiff::civil::Date;
use tillroll_domain::ids::JobKind;
use tillroll_sqlite::rusqlite::{Connection, params};

use super::columns::run;
use super::fault::Fault;
use crate::job::RegisterNo;
use crate::store::fact::Sale;

/// What is added to a day.
#[derive(Debug, Default)]
pub(super) struct DayCounts {
    receipts: i64,
    refunds: i64,
    gross_minor: i64,
    refunded_minor: i64,
    pub(super) printed: i64,
    pub(super) closed: i64,
    pub(super) rejected: i64,
    tenders: BTreeMap<String, i64>,
}

impl DayCounts {
    /// Adds a receipt; what moves no money is in the books without being counted.
    pub(super) fn book(&mut self, sale: &Sale, on_paper: bool) {
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

/// Adds to the counters of a register's days.
pub(super) fn add(
    db: &Connection,
    register: RegisterNo,
    days: &BTreeMap<Date, DayCounts>,
) -> Result<(), Fault> {
    let (store, no) = (register.store.0, register.no);
    for (day, counts) in days {
        let day = day.to_string();
        let params = params![
            store,
            day,
            no,
            counts.receipts,
            counts.refunds,
            counts.gross_minor,
            counts.refunded_minor,
            counts.printed,
            counts.closed,
            counts.rejected,
        ];
        run(db, ADD, params)?;
        for (tender, takings_minor) in &counts.tenders {
            run(db, ADD_TENDER, params![store, day, no, tender, takings_minor])?;
        }
    }
    Ok(())
}

const ADD: &str = "INSERT INTO register_days
        (store, day, register, receipts, refunds, gross_minor, refunded_minor, printed, closed, rejected)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT (store, day, register) DO UPDATE SET
        receipts = receipts + ?4, refunds = refunds + ?5, gross_minor = gross_minor + ?6,
        refunded_minor = refunded_minor + ?7, printed = printed + ?8, closed = closed + ?9,
        rejected = rejected + ?10";
const ADD_TENDER: &str =
    "INSERT INTO register_day_tenders (store, day, register, tender, takings_minor)
    VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (store, day, register, tender) DO UPDATE SET takings_minor = takings_minor + ?5";
