//! The figures beside the ledger: registers by day and hour, skus by day, stock.

use std::collections::BTreeMap;

use deadpool_postgres::{GenericClient, Transaction};
use jiff::civil::Date;
use tillroll_domain::ids::Part;
use tokio::try_join;
use tokio_postgres::Row;

use crate::counters::sums::Sums;
use crate::counters::{
    CounterDay, Figures, HourFigures, Movement, RegisterFigures, SKUS_MAX, StockDay,
};
use crate::job::StoreNo;
use crate::postgres::columns::{all, column, first, get, limit, run, word};
use crate::postgres::fault::Fault;

/// Numbers of registers by their names.
pub(super) async fn registers(
    db: &impl GenericClient,
    store: StoreNo,
    names: &[&str],
) -> Result<Vec<(Part, i64)>, Fault> {
    let sql = "SELECT name, register FROM unnest($2::text[]) AS asked (register_name)
        CROSS JOIN LATERAL (SELECT name, register FROM registers
            WHERE store = $1 AND name = register_name LIMIT 1) AS known";
    all(db, sql, &[&store.0, &names], |row| Ok((word(row, 0)?, get(row, 1)?))).await
}

/// What is in stock of skus; one that was never counted is left out.
pub(super) async fn stock(
    db: &impl GenericClient,
    store: StoreNo,
    skus: &[&str],
) -> Result<Vec<(Part, i64)>, Fault> {
    all(db, STOCK, &[&store.0, &skus], |row| Ok((word(row, 0)?, get(row, 1)?))).await
}

pub(in crate::postgres) const STOCK: &str =
    "SELECT sku, quantity FROM unnest($2::text[]) AS asked (asked_sku) CROSS JOIN LATERAL (
         SELECT sku, quantity FROM stock WHERE store = $1 AND sku = asked_sku LIMIT 1) AS known";

/// The figures of registers on some days.
pub(super) async fn of_days(
    db: &impl GenericClient,
    store: StoreNo,
    days: &[Date],
) -> Result<Vec<((Date, i64), Figures)>, Fault> {
    let days = column(days, ToString::to_string);
    let sql = "SELECT day, register, sales, refunds, gross_minor, refunded_minor
        FROM unnest($2::text[]) AS asked (asked_day) CROSS JOIN LATERAL (
            SELECT * FROM counter_days WHERE store = $1 AND day = asked_day LIMIT $3) AS known";
    all(db, sql, &[&store.0, &days, &i64::MAX], |row| {
        Ok(((word(row, 0)?, get(row, 1)?), figures(row, 2)?))
    })
    .await
}

/// Reads the four figures from a column on.
fn figures(row: &Row, from: usize) -> Result<Figures, Fault> {
    Ok(Figures {
        sales: get(row, from)?,
        refunds: get(row, from + 1)?,
        gross_minor: get(row, from + 2)?,
        refunded_minor: get(row, from + 3)?,
    })
}

/// Adds sums of entries to the figures.
pub(super) async fn add(db: &Transaction<'_>, store: StoreNo, sums: Sums) -> Result<(), Fault> {
    let days: Vec<_> = sums.days.into_iter().collect();
    let hours: Vec<_> = sums.hours.into_iter().collect();
    let moved: Vec<_> = sums.moved.into_iter().collect();
    try_join!(
        add_days(db, store, &days),
        add_hours(db, store, &hours),
        add_moved(db, store, &moved),
    )?;
    Ok(())
}

async fn add_days(
    db: &Transaction<'_>,
    store: StoreNo,
    days: &[((Date, i64), Figures)],
) -> Result<(), Fault> {
    let params = [
        &store.0 as _,
        &column(days, |((day, _), _)| day.to_string()) as _,
        &column(days, |((_, register), _)| *register) as _,
        &column(days, |(_, of)| of.sales) as _,
        &column(days, |(_, of)| of.refunds) as _,
        &column(days, |(_, of)| of.gross_minor) as _,
        &column(days, |(_, of)| of.refunded_minor) as _,
    ];
    run(db, ADD_DAYS, &params).await.map(drop)
}

const ADD_DAYS: &str = "INSERT INTO counter_days AS had
        (store, day, register, sales, refunds, gross_minor, refunded_minor)
    SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
        $7::bigint[])
    ON CONFLICT (store, day, register) DO UPDATE SET sales = had.sales + excluded.sales,
        refunds = had.refunds + excluded.refunds,
        gross_minor = had.gross_minor + excluded.gross_minor,
        refunded_minor = had.refunded_minor + excluded.refunded_minor";

async fn add_hours(
    db: &Transaction<'_>,
    store: StoreNo,
    hours: &[((Date, i64, i64), Figures)],
) -> Result<(), Fault> {
    let params = [
        &store.0 as _,
        &column(hours, |((day, ..), _)| day.to_string()) as _,
        &column(hours, |((_, register, _), _)| *register) as _,
        &column(hours, |((.., hour), _)| *hour) as _,
        &column(hours, |(_, of)| of.sales) as _,
        &column(hours, |(_, of)| of.refunds) as _,
        &column(hours, |(_, of)| of.gross_minor) as _,
        &column(hours, |(_, of)| of.refunded_minor) as _,
    ];
    run(db, ADD_HOURS, &params).await.map(drop)
}

const ADD_HOURS: &str = "INSERT INTO counter_hours AS had
        (store, day, register, hour, sales, refunds, gross_minor, refunded_minor)
    SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bigint[])
    ON CONFLICT (store, day, register, hour) DO UPDATE SET sales = had.sales + excluded.sales,
        refunds = had.refunds + excluded.refunds,
        gross_minor = had.gross_minor + excluded.gross_minor,
        refunded_minor = had.refunded_minor + excluded.refunded_minor";

async fn add_moved(
    db: &Transaction<'_>,
    store: StoreNo,
    moved: &[((Date, Part), Movement)],
) -> Result<(), Fault> {
    let params = [
        &store.0 as _,
        &column(moved, |((_, sku), _)| sku.as_str()) as _,
        &column(moved, |((day, _), _)| day.to_string()) as _,
        &column(moved, |(_, of)| of.sold) as _,
        &column(moved, |(_, of)| of.refunded) as _,
        &column(moved, |(_, of)| of.adjusted) as _,
    ];
    run(db, ADD_MOVED, &params).await.map(drop)
}

const ADD_MOVED: &str = "INSERT INTO stock_days AS had
        (store, sku, day, sold, refunded, adjusted)
    SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
    ON CONFLICT (store, sku, day) DO UPDATE SET sold = had.sold + excluded.sold,
        refunded = had.refunded + excluded.refunded, adjusted = had.adjusted + excluded.adjusted";

/// Writes what is left of skus.
pub(super) async fn put_stock(
    db: &Transaction<'_>,
    store: StoreNo,
    left: BTreeMap<&Part, i64>,
) -> Result<(), Fault> {
    let (skus, left): (Vec<&str>, Vec<i64>) =
        left.into_iter().map(|(sku, left)| (sku.as_str(), left)).unzip();
    run(db, PUT_STOCK, &[&store.0, &skus, &left]).await.map(drop)
}

const PUT_STOCK: &str = "INSERT INTO stock (store, sku, quantity)
    SELECT $1, * FROM unnest($2::text[], $3::bigint[])
    ON CONFLICT (store, sku) DO UPDATE SET quantity = excluded.quantity";

/// The last flow number given out in a store.
pub(super) async fn last_flow_no(db: &impl GenericClient, store: StoreNo) -> Result<i64, Fault> {
    let sql = "SELECT flow_no FROM counter_numbers WHERE store = $1";
    Ok(first(db, sql, &[&store.0], |row| get(row, 0)).await?.unwrap_or(0))
}

/// A day as counted, for people.
pub(super) async fn day(
    db: &Transaction<'_>,
    store: StoreNo,
    day: Date,
) -> Result<CounterDay, Fault> {
    let date = day.to_string();
    let params = [&store.0 as _, &date as _];
    let registers = all(db, DAYS, &params, |row| {
        Ok(RegisterFigures { register: word(row, 1)?, figures: figures(row, 2)? })
    });
    let registers = registers.await?;
    let hours = all(db, HOURS, &params, |row| {
        Ok(HourFigures { hour: get(row, 2)?, register: word(row, 1)?, figures: figures(row, 3)? })
    });
    let hours = hours.await?;
    let most = limit(SKUS_MAX);
    let params = [&store.0 as _, &date as _, &most as _];
    let stock = all(db, MOVED, &params, |row| {
        Ok(StockDay { sku: word(row, 0)?, movement: movement(row, 1)? })
    });
    let stock = stock.await?;
    let last_flow_no = last_flow_no(db, store).await?;
    Ok(CounterDay { day, last_flow_no, registers, hours, stock })
}

/// A day as counted, by numbers; every sku.
pub(super) async fn sums(db: &Transaction<'_>, store: StoreNo, day: Date) -> Result<Sums, Fault> {
    let date = day.to_string();
    let params = [&store.0 as _, &date as _];
    let days = all(db, DAYS, &params, |row| Ok(((day, get(row, 0)?), figures(row, 2)?)));
    let days = days.await?.into_iter().collect();
    let hours =
        all(db, HOURS, &params, |row| Ok(((day, get(row, 0)?, get(row, 2)?), figures(row, 3)?)));
    let hours = hours.await?.into_iter().collect();
    let params = [&store.0 as _, &date as _, &i64::MAX as _];
    let moved = all(db, MOVED, &params, |row| Ok(((day, word(row, 0)?), movement(row, 1)?)));
    let moved = moved.await?.into_iter().collect();
    Ok(Sums { days, hours, moved })
}

pub(in crate::postgres) const DAYS: &str =
    "SELECT register, name, sales, refunds, gross_minor, refunded_minor
     FROM counter_days JOIN registers USING (store, register)
     WHERE store = $1 AND day = $2 ORDER BY name";
pub(in crate::postgres) const HOURS: &str =
    "SELECT register, name, hour, sales, refunds, gross_minor, refunded_minor
     FROM counter_hours JOIN registers USING (store, register)
     WHERE store = $1 AND day = $2 ORDER BY hour, name";
pub(in crate::postgres) const MOVED: &str = "SELECT sku, sold, refunded, adjusted FROM stock_days
     WHERE store = $1 AND day = $2 ORDER BY sku LIMIT $3";

fn movement(row: &Row, from: usize) -> Result<Movement, Fault> {
    Ok(Movement {
        sold: get(row, from)?,
        refunded: get(row, from + 1)?,
        adjusted: get(row, from + 2)?,
    })
}
