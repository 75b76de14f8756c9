//! How values stand in columns: instants as UTC milliseconds, words as their codes, days as dates.

use std::fmt::Display;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_sqlite::rusqlite::{Connection, Params, Row, RowIndex};

use crate::StoreError;

/// An instant as stored.
pub(crate) fn ms(at: Timestamp) -> i64 {
    at.as_millisecond()
}

/// A stored instant.
pub(crate) fn instant(ms: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(ms).map_err(StoreError::unreadable)
}

/// A stored word: a state, a kind, a level.
pub(crate) fn word<T: FromStr<Err: Display>>(
    row: &Row<'_>,
    column: impl RowIndex,
) -> Result<T, StoreError> {
    parse(row.get_ref(column)?.as_str().map_err(StoreError::unreadable)?)
}

/// A stored word that may be absent.
pub(crate) fn optional_word<T: FromStr<Err: Display>>(
    row: &Row<'_>,
    column: impl RowIndex,
) -> Result<Option<T>, StoreError> {
    let text = row.get_ref(column)?.as_str_or_null().map_err(StoreError::unreadable)?;
    text.map(parse).transpose()
}

/// Reads a stored text.
pub(crate) fn parse<T: FromStr<Err: Display>>(text: &str) -> Result<T, StoreError> {
    text.parse().map_err(StoreError::unreadable)
}

/// A stored instant column.
pub(crate) fn at(row: &Row<'_>, column: impl RowIndex) -> Result<Timestamp, StoreError> {
    instant(row.get(column)?)
}

/// A stored instant column that may be absent.
pub(crate) fn optional_at(
    row: &Row<'_>,
    column: impl RowIndex,
) -> Result<Option<Timestamp>, StoreError> {
    row.get::<_, Option<i64>>(column)?.map(instant).transpose()
}

/// A stored business day.
pub(crate) fn day(row: &Row<'_>, column: &str) -> Result<Date, StoreError> {
    word(row, column)
}

/// All rows of a query, each read by `read`.
pub(crate) fn all<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// As [`all`] for lists people look at: a row that cannot be read costs the others nothing. Open jobs that
/// cannot be read are set aside with a notice.
pub(crate) fn all_readable<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let found = all(db, sql, params, |row| match read(row) {
        Err(error) if error.is_of_one_row() => {
            tracing::warn!(%error, "a row cannot be read");
            Ok(None)
        }
        read => read.map(Some),
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// The first row of a query, if there is one.
pub(crate) fn first<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    rows.next()?.map(read).transpose()
}
