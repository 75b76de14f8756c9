//! Counters of a register's days: what a batch adds to them.

use std::collections::BTreeMap;

use jiff::civil::Date;
use tillroll_sqlite::rusqlite::{Connection, params};

use super::columns::run;
use super::fault::Fault;
use crate::job::RegisterNo;
use crate::store::day_counts::DayCounts;

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
