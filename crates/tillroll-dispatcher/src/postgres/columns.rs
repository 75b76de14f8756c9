//! How values stand in columns: instants as UTC milliseconds, words as their codes, days as dates.

use std::fmt::Display;
use std::str::FromStr;

use deadpool_postgres::GenericClient;
use jiff::Timestamp;
use tillroll_domain::fingerprint::Fingerprint;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql};

use super::fault::Fault;
pub(super) use crate::store::instant::{ms, ms_not_before};

/// A parameter of a statement.
pub(super) type Param<'a> = &'a (dyn ToSql + Sync);

/// A column as it stands.
pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, column: usize) -> Result<T, Fault> {
    row.try_get(column).map_err(Fault::unreadable)
}

/// A number that is never negative and fits 32 bits.
pub(super) fn get_u32(row: &Row, column: usize) -> Result<u32, Fault> {
    u32::try_from(get::<i64>(row, column)?).map_err(Fault::unreadable)
}

/// A stored instant.
pub(super) fn at(row: &Row, column: usize) -> Result<Timestamp, Fault> {
    instant(get(row, column)?)
}

/// A stored instant that may be absent.
pub(super) fn optional_at(row: &Row, column: usize) -> Result<Option<Timestamp>, Fault> {
    get::<Option<i64>>(row, column)?.map(instant).transpose()
}

fn instant(ms: i64) -> Result<Timestamp, Fault> {
    Timestamp::from_millisecond(ms).map_err(Fault::unreadable)
}

/// A stored word: a kind, a name, an id, a day.
pub(super) fn word<T: FromStr<Err: Display>>(row: &Row, column: usize) -> Result<T, Fault> {
    get::<&str>(row, column)?.parse().map_err(Fault::unreadable)
}

/// A stored word that may be absent.
pub(super) fn optional_word<T: FromStr<Err: Display>>(
    row: &Row,
    column: usize,
) -> Result<Option<T>, Fault> {
    let text = get::<Option<&str>>(row, column)?;
    text.map(|text| text.parse().map_err(Fault::unreadable)).transpose()
}

/// A stored fingerprint.
pub(super) fn fingerprint(row: &Row, column: usize) -> Result<Fingerprint, Fault> {
    Fingerprint::from_bytes(get(row, column)?).map_err(Fault::unreadable)
}

/// A free text as PostgreSQL takes it: it keeps no zero character.
pub(super) fn text(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// One column of many rows, for a statement that takes arrays.
pub(super) fn column<'a, R, T>(rows: &'a [R], value: impl FnMut(&'a R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

/// All rows of a query, each read by `read`.
pub(super) async fn all<T>(
    db: &impl GenericClient,
    sql: &str,
    params: &[Param<'_>],
    read: impl Fn(&Row) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let statement = db.prepare_cached(sql).await?;
    db.query(&statement, params).await?.iter().map(read).collect()
}

/// As [`all`]; a row that cannot be read is logged and costs the others nothing.
pub(super) async fn all_readable<T>(
    db: &impl GenericClient,
    sql: &str,
    params: &[Param<'_>],
    read: impl Fn(&Row) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let found = all(db, sql, params, |row| match read(row) {
        Err(error @ Fault::Unreadable(_)) => {
            tracing::error!(%error, "a row cannot be read");
            Ok(None)
        }
        read => read.map(Some),
    });
    Ok(found.await?.into_iter().flatten().collect())
}

/// The first row of a query, if there is one.
pub(super) async fn first<T>(
    db: &impl GenericClient,
    sql: &str,
    params: &[Param<'_>],
    read: impl FnOnce(&Row) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    let statement = db.prepare_cached(sql).await?;
    db.query(&statement, params).await?.first().map(read).transpose()
}

/// Runs a statement; the number of rows it changed.
pub(super) async fn run(
    db: &impl GenericClient,
    sql: &str,
    params: &[Param<'_>],
) -> Result<u64, Fault> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.execute(&statement, params).await?)
}

/// Refuses when a statement that must change a row changed none.
pub(super) async fn run_on_one(
    db: &impl GenericClient,
    sql: &str,
    params: &[Param<'_>],
    refusal: &'static str,
) -> Result<(), Fault> {
    if run(db, sql, params).await? == 0 { Err(Fault::Refused(refusal)) } else { Ok(()) }
}

/// A limit as PostgreSQL takes it.
pub(super) fn limit(rows: u32) -> i64 {
    i64::from(rows)
}
