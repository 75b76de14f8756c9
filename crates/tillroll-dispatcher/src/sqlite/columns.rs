//! How values stand in columns: instants as UTC milliseconds, words as their codes, days as dates.

use std::fmt::Display;
use std::str::FromStr;

use jiff::Timestamp;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_sqlite::rusqlite::{Connection, Params, Row, RowIndex};

use super::fault::Fault;
pub(super) use crate::store::instant::{ms, ms_not_before};

/// A stored instant column.
pub(super) fn at(row: &Row<'_>, column: impl RowIndex) -> Result<Timestamp, Fault> {
    instant(row.get(column)?)
}

/// A stored instant column that may be absent.
pub(super) fn optional_at(
    row: &Row<'_>,
    column: impl RowIndex,
) -> Result<Option<Timestamp>, Fault> {
    row.get::<_, Option<i64>>(column)?.map(instant).transpose()
}

fn instant(ms: i64) -> Result<Timestamp, Fault> {
    Timestamp::from_millisecond(ms).map_err(Fault::unreadable)
}

/// A stored word: a kind, a name, an id, a day.
pub(super) fn word<T: FromStr<Err: Display>>(
    row: &Row<'_>,
    column: impl RowIndex,
) -> Result<T, Fault> {
    row.get_ref(column)?.as_str().map_err(Fault::unreadable)?.parse().map_err(Fault::unreadable)
}

/// A stored word that may be absent.
pub(super) fn optional_word<T: FromStr<Err: Display>>(
    row: &Row<'_>,
    column: impl RowIndex,
) -> Result<Option<T>, Fault> {
    let text = row.get_ref(column)?.as_str_or_null().map_err(Fault::unreadable)?;
    text.map(|text| text.parse().map_err(Fault::unreadable)).transpose()
}

/// A stored fingerprint.
pub(super) fn fingerprint(row: &Row<'_>, column: impl RowIndex) -> Result<Fingerprint, Fault> {
    let bytes = row.get_ref(column)?.as_blob().map_err(Fault::unreadable)?;
    Fingerprint::from_bytes(bytes).map_err(Fault::unreadable)
}

/// All rows of a query, each read by `read`.
pub(super) fn all<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    mut read: impl FnMut(&Row<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// As [`all`]; a row that cannot be read is logged and costs the others nothing.
pub(super) fn all_readable<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let found = all(db, sql, params, |row| match read(row) {
        Err(error) if error.is_of_one_row() => {
            tracing::error!(%error, "a row cannot be read");
            Ok(None)
        }
        read => read.map(Some),
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// The first row of a query, if there is one.
pub(super) fn first<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    rows.next()?.map(read).transpose()
}

/// Runs a statement; the number of rows it changed.
pub(super) fn run(db: &Connection, sql: &str, params: impl Params) -> Result<usize, Fault> {
    Ok(db.prepare_cached(sql)?.execute(params)?)
}

/// Refuses when a statement that must change a row changed none.
pub(super) fn run_on_one(
    db: &Connection,
    sql: &str,
    params: impl Params,
    refusal: &'static str,
) -> Result<(), Fault> {
    if run(db, sql, params)? == 0 { Err(Fault::Refused(refusal)) } else { Ok(()) }
}

/// A limit as SQLite takes it.
pub(super) fn limit(rows: u32) -> i64 {
    i64::from(rows)
}
