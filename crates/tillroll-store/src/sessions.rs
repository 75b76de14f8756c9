//! Numbered sessions of business days. A sale opens the day's session if none is open; a report opens none.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::ids::JobKind;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::StoreError;
use crate::columns::{first, ms};

/// The open session of a day; begins one when there is none.
pub(crate) fn open_session(db: &Connection, day: Date, now: Timestamp) -> Result<i64, StoreError> {
    let day = day.to_string();
    if let Some(open) = find_open(db, &day)? {
        return Ok(open);
    }
    db.prepare_cached("INSERT INTO sessions (business_day, opened_at) VALUES (?1, ?2)")?
        .execute(params![day, ms(now)])?;
    Ok(db.last_insert_rowid())
}

/// The session a paper of that kind is recorded in. A report often is about the session just closed:
/// it goes into the newest there is.
pub(crate) fn session_for(
    db: &Connection,
    kind: JobKind,
    day: Date,
    now: Timestamp,
) -> Result<i64, StoreError> {
    if kind == JobKind::Report
        && let Some(newest) = first(db, NEWEST, [], |row| Ok(row.get(0)?))?
    {
        return Ok(newest);
    }
    open_session(db, day, now)
}

const NEWEST: &str = "SELECT z_no FROM sessions ORDER BY z_no DESC LIMIT 1";

/// The open session of a day, if there is one.
pub(crate) fn find_open(db: &Connection, day: &str) -> Result<Option<i64>, StoreError> {
    first(
        db,
        "SELECT z_no FROM sessions WHERE business_day = ?1 AND closed_at IS NULL",
        [day],
        |row| Ok(row.get(0)?),
    )
}
