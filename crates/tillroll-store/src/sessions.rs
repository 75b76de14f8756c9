//! Numbered sessions of business days. A sale opens the day's session if none is open; a report opens none.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::ids::JobKind;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{all, first, ms};
use crate::{StoreError, register};

/// The open session of a day; begins one when there is none.
pub(crate) fn open_session(db: &Connection, day: Date, now: Timestamp) -> Result<i64, StoreError> {
    let day = day.to_string();
    if let Some(open) = find_open(db, &day)? {
        return Ok(open);
    }
    let z_no = register::next_number(db, register::LAST_Z_NO)?;
    db.prepare_cached("INSERT INTO sessions (z_no, business_day, opened_at) VALUES (?1, ?2, ?3)")?
        .execute(params![z_no, day, ms(now)])?;
    Ok(z_no)
}

/// Gives the open sessions new numbers. In an older copy of the database theirs may stand on Z reports by
/// now of which the copy does not know.
pub(crate) fn renumber_open(db: &Connection) -> Result<(), StoreError> {
    // The rows of a session follow its number one after the other.
    db.execute_batch("PRAGMA defer_foreign_keys = ON")?;
    let open: Vec<i64> =
        all(db, "SELECT z_no FROM sessions WHERE closed_at IS NULL ORDER BY z_no", [], |row| {
            Ok(row.get(0)?)
        })?;
    for old in open {
        let new = register::next_number(db, register::LAST_Z_NO)?;
        for sql in RENUMBER {
            db.execute(sql, params![old, new])?;
        }
    }
    Ok(())
}

const RENUMBER: [&str; 4] = [
    "UPDATE sessions SET z_no = ?2 WHERE z_no = ?1",
    "UPDATE receipts SET session = ?2 WHERE session = ?1",
    "UPDATE cash_movements SET session = ?2 WHERE session = ?1",
    "UPDATE corrections SET session = ?2 WHERE session = ?1",
];

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
