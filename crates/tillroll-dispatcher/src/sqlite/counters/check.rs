//! A day's counters and ledger, read at one moment; and the day counted anew.

use jiff::civil::Date;
use tillroll_domain::ids::Part;
use tillroll_sqlite::rusqlite::{Connection, params};

use super::{PUT_NUMBER, figures, last_flow_no, ledger};
use crate::counters::sums::Sums;
use crate::counters::{GAPS_MAX, Observed};
use crate::job::StoreNo;
use crate::sqlite::columns::{all, first, limit, run, word};
use crate::sqlite::fault::Fault;

/// Reads what is compared.
pub(super) fn observe(db: &Connection, store: StoreNo, day: Date) -> Result<Observed, Fault> {
    let mut seen = Observed { counters: figures::sums(db, store, day)?, ..Observed::default() };
    let mut around: Option<(i64, i64)> = None;
    ledger::of_day(db, store, day, |entry| around = Some(seen.see(entry, around)))?;
    if let Some((from, to)) = around {
        seen.gaps = gaps(db, store, from, to)?;
    }
    seen.stock = stock_differences(db, store)?.into_iter().collect();
    seen.last_flow = (last_flow_no(db, store)?, last_in_ledger(db, store)?);
    let names = "SELECT register, name FROM registers WHERE store = ?1";
    let names = all(db, names, [store.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    seen.names = names.into_iter().collect();
    Ok(seen)
}

/// First and last of the numbers that are missing between the entry before a stretch and the one after it.
fn gaps(db: &Connection, store: StoreNo, from: i64, to: i64) -> Result<Vec<(i64, i64)>, Fault> {
    let params = params![store.0, from, to, limit(GAPS_MAX)];
    all(db, GAPS, params, |row| Ok((row.get(0)?, row.get(1)?)))
}

const GAPS: &str = "
    WITH begin (flow_no) AS (
        SELECT coalesce(max(flow_no), 0) FROM counter_ledger WHERE store = ?1 AND flow_no < ?2),
    entries (flow_no, before) AS (
        SELECT flow_no, lag(flow_no, 1, (SELECT flow_no FROM begin)) OVER (ORDER BY flow_no)
        FROM counter_ledger WHERE store = ?1 AND flow_no >= ?2 AND flow_no <= coalesce(
            (SELECT min(flow_no) FROM counter_ledger WHERE store = ?1 AND flow_no > ?3), ?3))
    SELECT before + 1, flow_no - 1 FROM entries WHERE flow_no > before + 1
    ORDER BY flow_no LIMIT ?4";

fn last_in_ledger(db: &Connection, store: StoreNo) -> Result<i64, Fault> {
    let sql = "SELECT coalesce(max(flow_no), 0) FROM counter_ledger WHERE store = ?1";
    Ok(first(db, sql, [store.0], |row| Ok(row.get(0)?))?.unwrap_or(0))
}

/// A sku with what is there and what moved.
type Differing = (Part, (i64, i64));

/// Skus whose stock is not what moved on all days.
fn stock_differences(db: &Connection, store: StoreNo) -> Result<Vec<Differing>, Fault> {
    let params = params![store.0, limit(GAPS_MAX)];
    all(db, STOCK_DIFFERENCES, params, |row| Ok((word(row, 0)?, (row.get(1)?, row.get(2)?))))
}

const STOCK_DIFFERENCES: &str = "
    SELECT sku, sum(there), sum(moved) FROM (
        SELECT sku, quantity AS there, 0 AS moved FROM stock WHERE store = ?1
        UNION ALL SELECT sku, 0, refunded - sold + adjusted FROM stock_days WHERE store = ?1)
    GROUP BY sku HAVING sum(there) <> sum(moved) ORDER BY sku LIMIT ?2";

/// Counts a day anew from the ledger, and the stock of every sku that differs from what moved.
pub(super) fn rebuild(db: &Connection, store: StoreNo, day: Date) -> Result<(), Fault> {
    let mut sums = Sums::default();
    ledger::of_day(db, store, day, |entry| sums.add(entry))?;
    for sql in FORGET {
        run(db, sql, params![store.0, day.to_string()])?;
    }
    figures::add(db, store, &sums)?;
    let differ = stock_differences(db, store)?;
    figures::put_stock(db, store, differ.iter().map(|(sku, (_, moved))| (sku, *moved)))?;
    let last = last_flow_no(db, store)?.max(last_in_ledger(db, store)?);
    if last > 0 {
        run(db, PUT_NUMBER, params![store.0, last])?;
    }
    Ok(())
}

const FORGET: [&str; 3] = [
    "DELETE FROM counter_days WHERE store = ?1 AND day = ?2",
    "DELETE FROM counter_hours WHERE store = ?1 AND day = ?2",
    "DELETE FROM stock_days WHERE store = ?1 AND day = ?2",
];
