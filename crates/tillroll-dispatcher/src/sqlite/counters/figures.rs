//! The figures beside the ledger: registers by day and hour, skus by day, stock.

use std::collections::BTreeMap;

use jiff::civil::Date;
use tillroll_domain::ids::Part;
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use crate::counters::sums::Sums;
use crate::counters::{
    CounterDay, Figures, HourFigures, Movement, RegisterFigures, SKUS_MAX, StockDay,
};
use crate::job::StoreNo;
use crate::sqlite::columns::{all, first, limit, run, word};
use crate::sqlite::fault::Fault;

/// The number of a register by its name.
pub(super) fn register(db: &Connection, store: StoreNo, name: &Part) -> Result<Option<i64>, Fault> {
    let sql = "SELECT register FROM registers WHERE store = ?1 AND name = ?2";
    first(db, sql, params![store.0, name.as_str()], |row| Ok(row.get(0)?))
}

/// What is in stock of a sku.
pub(super) fn stock(db: &Connection, store: StoreNo, sku: &Part) -> Result<Option<i64>, Fault> {
    first(db, STOCK, params![store.0, sku.as_str()], |row| Ok(row.get(0)?))
}

pub(in crate::sqlite) const STOCK: &str =
    "SELECT quantity FROM stock WHERE store = ?1 AND sku = ?2";

/// The figures of a register's day.
pub(super) fn of_register(
    db: &Connection,
    store: StoreNo,
    day: Date,
    register: i64,
) -> Result<Option<Figures>, Fault> {
    let params = params![store.0, day.to_string(), register];
    first(db, DAY_OF_REGISTER, params, |row| figures(row, 0))
}

pub(in crate::sqlite) const DAY_OF_REGISTER: &str =
    "SELECT sales, refunds, gross_minor, refunded_minor FROM counter_days
     WHERE store = ?1 AND day = ?2 AND register = ?3";

/// Reads the four figures from a column on.
fn figures(row: &Row<'_>, from: usize) -> Result<Figures, Fault> {
    Ok(Figures {
        sales: row.get(from)?,
        refunds: row.get(from + 1)?,
        gross_minor: row.get(from + 2)?,
        refunded_minor: row.get(from + 3)?,
    })
}

/// Adds sums of entries to the figures.
pub(super) fn add(db: &Connection, store: StoreNo, sums: &Sums) -> Result<(), Fault> {
    for ((day, register), f) in &sums.days {
        let (day, of) = (day.to_string(), (f.sales, f.refunds, f.gross_minor, f.refunded_minor));
        run(db, ADD_DAY, params![store.0, day, register, of.0, of.1, of.2, of.3])?;
    }
    for ((day, register, hour), f) in &sums.hours {
        let (day, of) = (day.to_string(), (f.sales, f.refunds, f.gross_minor, f.refunded_minor));
        run(db, ADD_HOUR, params![store.0, day, register, hour, of.0, of.1, of.2, of.3])?;
    }
    for ((day, sku), of) in &sums.moved {
        let (day, sku) = (day.to_string(), sku.as_str());
        run(db, ADD_MOVED, params![store.0, sku, day, of.sold, of.refunded, of.adjusted])?;
    }
    Ok(())
}

const ADD_DAY: &str = "INSERT INTO counter_days
        (store, day, register, sales, refunds, gross_minor, refunded_minor)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT (store, day, register) DO UPDATE SET sales = sales + ?4, refunds = refunds + ?5,
        gross_minor = gross_minor + ?6, refunded_minor = refunded_minor + ?7";
const ADD_HOUR: &str = "INSERT INTO counter_hours
        (store, day, register, hour, sales, refunds, gross_minor, refunded_minor)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (store, day, register, hour) DO UPDATE SET sales = sales + ?5,
        refunds = refunds + ?6, gross_minor = gross_minor + ?7, refunded_minor = refunded_minor + ?8";
const ADD_MOVED: &str = "INSERT INTO stock_days (store, sku, day, sold, refunded, adjusted)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (store, sku, day) DO UPDATE SET sold = sold + ?4, refunded = refunded + ?5,
        adjusted = adjusted + ?6";

/// Writes what is left of skus.
pub(super) fn put_stock<'a>(
    db: &Connection,
    store: StoreNo,
    left: impl IntoIterator<Item = (&'a Part, i64)>,
) -> Result<(), Fault> {
    for (sku, left) in left {
        run(db, PUT_STOCK, params![store.0, sku.as_str(), left])?;
    }
    Ok(())
}

const PUT_STOCK: &str = "INSERT INTO stock (store, sku, quantity) VALUES (?1, ?2, ?3)
    ON CONFLICT (store, sku) DO UPDATE SET quantity = ?3";

/// A day as counted, for people.
pub(super) fn day(db: &Connection, store: StoreNo, day: Date) -> Result<CounterDay, Fault> {
    let date = day.to_string();
    let registers = all(db, DAYS, params![store.0, date], |row| {
        Ok(RegisterFigures { register: word(row, 1)?, figures: figures(row, 2)? })
    })?;
    let hours = all(db, HOURS, params![store.0, date], |row| {
        Ok(HourFigures { hour: row.get(2)?, register: word(row, 1)?, figures: figures(row, 3)? })
    })?;
    let stock = all(db, MOVED, params![store.0, date, limit(SKUS_MAX)], |row| {
        Ok(StockDay { sku: word(row, 0)?, movement: movement(row, 1)? })
    })?;
    Ok(CounterDay { day, last_flow_no: super::last_flow_no(db, store)?, registers, hours, stock })
}

/// A day as counted, by numbers; every sku.
pub(super) fn sums(db: &Connection, store: StoreNo, day: Date) -> Result<Sums, Fault> {
    let date = day.to_string();
    let days =
        all(db, DAYS, params![store.0, date], |row| Ok(((day, row.get(0)?), figures(row, 2)?)))?;
    let hours = all(db, HOURS, params![store.0, date], |row| {
        Ok(((day, row.get(0)?, row.get(2)?), figures(row, 3)?))
    })?;
    let moved = all(db, MOVED, params![store.0, date, i64::MAX], |row| {
        Ok(((day, word(row, 0)?), movement(row, 1)?))
    })?;
    let (days, hours) = (days.into_iter().collect(), hours.into_iter().collect());
    Ok(Sums { days, hours, moved: moved.into_iter().collect::<BTreeMap<_, _>>() })
}

pub(in crate::sqlite) const DAYS: &str =
    "SELECT register, name, sales, refunds, gross_minor, refunded_minor
     FROM counter_days JOIN registers USING (store, register)
     WHERE store = ?1 AND day = ?2 ORDER BY name";
pub(in crate::sqlite) const HOURS: &str =
    "SELECT register, name, hour, sales, refunds, gross_minor, refunded_minor
     FROM counter_hours JOIN registers USING (store, register)
     WHERE store = ?1 AND day = ?2 ORDER BY hour, name";
pub(in crate::sqlite) const MOVED: &str = "SELECT sku, sold, refunded, adjusted
     FROM stock_days INDEXED BY stock_days_by_day
     WHERE store = ?1 AND day = ?2 ORDER BY sku LIMIT ?3";

fn movement(row: &Row<'_>, from: usize) -> Result<Movement, Fault> {
    Ok(Movement {
        sold: row.get(from)?,
        refunded: row.get(from + 1)?,
        adjusted: row.get(from + 2)?,
    })
}
