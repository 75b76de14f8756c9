//! A day's counters and ledger, read at one moment; and the day counted anew.

use deadpool_postgres::Transaction;
use jiff::civil::Date;
use tillroll_domain::ids::Part;

use super::{figures, ledger, lock, put_number};
use crate::counters::sums::Sums;
use crate::counters::{GAPS_MAX, Observed};
use crate::job::StoreNo;
use crate::postgres::columns::{all, first, get, limit, run, word};
use crate::postgres::fault::Fault;

/// Reads what is compared.
pub(super) async fn observe(
    db: &Transaction<'_>,
    store: StoreNo,
    day: Date,
) -> Result<Observed, Fault> {
    let counters = figures::sums(db, store, day).await?;
    let mut seen = Observed { counters, ..Observed::default() };
    let mut around: Option<(i64, i64)> = None;
    let show = |entry: &_| around = Some(seen.see(entry, around));
    ledger::of_day(db, store, day, show).await?;
    if let Some((from, to)) = around {
        seen.gaps = gaps(db, store, from, to).await?;
    }
    seen.stock = stock_differences(db, store).await?.into_iter().collect();
    seen.last_flow = (figures::last_flow_no(db, store).await?, last_in_ledger(db, store).await?);
    let names = "SELECT register, name FROM registers WHERE store = $1";
    let names = all(db, names, &[&store.0], |row| Ok((get(row, 0)?, get(row, 1)?))).await?;
    seen.names = names.into_iter().collect();
    Ok(seen)
}

/// First and last of the numbers that are missing between the entry before a stretch and the one after it.
async fn gaps(
    db: &Transaction<'_>,
    store: StoreNo,
    from: i64,
    to: i64,
) -> Result<Vec<(i64, i64)>, Fault> {
    let params = [&store.0 as _, &from as _, &to as _, &limit(GAPS_MAX) as _];
    all(db, GAPS, &params, |row| Ok((get(row, 0)?, get(row, 1)?))).await
}

pub(in crate::postgres) const GAPS: &str = "
    WITH begin (flow_no) AS (
        SELECT coalesce(max(flow_no), 0) FROM counter_ledger WHERE store = $1 AND flow_no < $2),
    entries (flow_no, before) AS (
        SELECT flow_no, lag(flow_no, 1, (SELECT flow_no FROM begin)) OVER (ORDER BY flow_no)
        FROM counter_ledger WHERE store = $1 AND flow_no >= $2 AND flow_no <= coalesce(
            (SELECT min(flow_no) FROM counter_ledger WHERE store = $1 AND flow_no > $3), $3))
    SELECT before + 1, flow_no - 1 FROM entries WHERE flow_no > before + 1
    ORDER BY flow_no LIMIT $4";

async fn last_in_ledger(db: &Transaction<'_>, store: StoreNo) -> Result<i64, Fault> {
    let sql = "SELECT coalesce(max(flow_no), 0) FROM counter_ledger WHERE store = $1";
    Ok(first(db, sql, &[&store.0], |row| get(row, 0)).await?.unwrap_or(0))
}

/// A sku with what is there and what moved.
type Differing = (Part, (i64, i64));

/// Skus whose stock is not what moved on all days.
async fn stock_differences(db: &Transaction<'_>, store: StoreNo) -> Result<Vec<Differing>, Fault> {
    let params = [&store.0 as _, &limit(GAPS_MAX) as _];
    all(db, STOCK_DIFFERENCES, &params, |row| Ok((word(row, 0)?, (get(row, 1)?, get(row, 2)?))))
        .await
}

const STOCK_DIFFERENCES: &str = "
    SELECT sku, sum(there)::bigint, sum(moved)::bigint FROM (
        SELECT sku, quantity AS there, 0 AS moved FROM stock WHERE store = $1
        UNION ALL SELECT sku, 0, refunded - sold + adjusted FROM stock_days WHERE store = $1) AS sides
    GROUP BY sku HAVING sum(there) <> sum(moved) ORDER BY sku LIMIT $2";

/// Counts a day anew from the ledger, and the stock of every sku that differs from what moved.
pub(super) async fn rebuild(db: &Transaction<'_>, store: StoreNo, day: Date) -> Result<(), Fault> {
    let given = lock(db, store).await?;
    let mut sums = Sums::default();
    ledger::of_day(db, store, day, |entry| sums.add(entry)).await?;
    for sql in FORGET {
        run(db, sql, &[&store.0, &day.to_string()]).await?;
    }
    figures::add(db, store, sums).await?;
    let differ = stock_differences(db, store).await?;
    let moved = differ.iter().map(|(sku, (_, moved))| (sku, *moved)).collect();
    figures::put_stock(db, store, moved).await?;
    put_number(db, store, given.max(last_in_ledger(db, store).await?)).await
}

const FORGET: [&str; 3] = [
    "DELETE FROM counter_days WHERE store = $1 AND day = $2",
    "DELETE FROM counter_hours WHERE store = $1 AND day = $2",
    "DELETE FROM stock_days WHERE store = $1 AND day = $2",
];
