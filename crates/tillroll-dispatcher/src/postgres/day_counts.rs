//! Counters of a register's days: what a batch adds to them.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use jiff::civil::Date;

use super::columns::{column, run};
use super::fault::Fault;
use crate::job::RegisterNo;
use crate::store::day_counts::DayCounts;

/// Adds to the counters of a register's days.
pub(super) async fn add(
    db: &Transaction<'_>,
    register: RegisterNo,
    days: &BTreeMap<Date, DayCounts>,
) -> Result<(), Fault> {
    let rows: Vec<_> = days.iter().collect();
    if rows.is_empty() {
        return Ok(());
    }
    let params = [
        &register.store.0 as _,
        &register.no as _,
        &column(&rows, |(day, _)| day.to_string()) as _,
        &column(&rows, |(_, counts)| counts.receipts) as _,
        &column(&rows, |(_, counts)| counts.refunds) as _,
        &column(&rows, |(_, counts)| counts.gross_minor) as _,
        &column(&rows, |(_, counts)| counts.refunded_minor) as _,
        &column(&rows, |(_, counts)| counts.printed) as _,
        &column(&rows, |(_, counts)| counts.closed) as _,
        &column(&rows, |(_, counts)| counts.rejected) as _,
    ];
    run(db, ADD, &params).await?;
    add_tenders(db, register, days).await
}

async fn add_tenders(
    db: &Transaction<'_>,
    register: RegisterNo,
    days: &BTreeMap<Date, DayCounts>,
) -> Result<(), Fault> {
    let of_day = |(day, counts): (&Date, &DayCounts)| {
        let day = day.to_string();
        let row = move |(tender, takings): (&String, &i64)| (day.clone(), tender.clone(), *takings);
        counts.tenders.iter().map(row).collect::<Vec<_>>()
    };
    let rows: Vec<_> = days.iter().flat_map(of_day).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let params = [
        &register.store.0 as _,
        &register.no as _,
        &column(&rows, |(day, ..)| day.as_str()) as _,
        &column(&rows, |(_, tender, _)| tender.as_str()) as _,
        &column(&rows, |(.., takings_minor)| *takings_minor) as _,
    ];
    run(db, ADD_TENDERS, &params).await.map(drop)
}

const ADD: &str = "INSERT INTO register_days AS known (store, register, day, receipts, refunds,
        gross_minor, refunded_minor, printed, closed, rejected)
    SELECT $1, $2, day, receipts, refunds, gross_minor, refunded_minor, printed, closed, rejected
    FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
            $9::bigint[], $10::bigint[])
        AS added (day, receipts, refunds, gross_minor, refunded_minor, printed, closed, rejected)
    ON CONFLICT (store, day, register) DO UPDATE SET
        receipts = known.receipts + excluded.receipts,
        refunds = known.refunds + excluded.refunds,
        gross_minor = known.gross_minor + excluded.gross_minor,
        refunded_minor = known.refunded_minor + excluded.refunded_minor,
        printed = known.printed + excluded.printed,
        closed = known.closed + excluded.closed,
        rejected = known.rejected + excluded.rejected";
const ADD_TENDERS: &str = "INSERT INTO register_day_tenders AS known
        (store, register, day, tender, takings_minor)
    SELECT $1, $2, day, tender, takings_minor
    FROM unnest($3::text[], $4::text[], $5::bigint[]) AS added (day, tender, takings_minor)
    ON CONFLICT (store, day, register, tender)
        DO UPDATE SET takings_minor = known.takings_minor + excluded.takings_minor";
