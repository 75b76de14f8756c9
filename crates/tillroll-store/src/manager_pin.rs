//! The manager's PIN: its hash, and the tries against it.
//!
//! A try is counted in its own commit before it is checked, so that neither many tries at once nor a
//! program that is killed gives a try for nothing.

use jiff::Timestamp;
use tillroll_domain::lock_out::{lock_out, locked_until};
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{first, ms, optional_at};
use crate::{Store, StoreError};

/// What may be done with a PIN that was keyed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PinTry {
    /// No PIN was set.
    Unset,
    /// It is not looked at before this instant.
    LockedUntil(Timestamp),
    /// It may be checked against this hash; the try is counted.
    Against(String),
}

struct Row {
    hash: String,
    wrong: u32,
    locked_until: Option<Timestamp>,
}

impl Store {
    /// Whether a PIN was set.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn has_pin(&self) -> Result<bool, StoreError> {
        self.read(|db| Ok(row(db)?.is_some())).await
    }

    /// Sets the PIN by its hash, and forgets wrong tries.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn put_pin(&self, hash: String, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute(
                "INSERT INTO manager_pin (id, hash, changed_at) VALUES (1, ?1, ?2)
                 ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at,
                     wrong = 0, locked_until = NULL",
                params![hash, ms(now)],
            )?;
            Ok(())
        })
        .await
    }

    /// Counts a try, as wrong until [`Store::pin_was_right`] says otherwise.
    ///
    /// # Errors
    /// When the database does not take it: then nothing may be checked.
    pub async fn try_pin(&self, now: Timestamp) -> Result<PinTry, StoreError> {
        self.write(move |db| count_try(db, now)).await
    }

    /// The try was right: wrong ones are forgotten.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn pin_was_right(&self) -> Result<(), StoreError> {
        self.write(|db| {
            db.execute("UPDATE manager_pin SET wrong = 0, locked_until = NULL", [])?;
            Ok(())
        })
        .await
    }
}

fn count_try(db: &Connection, now: Timestamp) -> Result<PinTry, StoreError> {
    let Some(row) = row(db)? else { return Ok(PinTry::Unset) };
    if let Some(until) = locked_until(row.locked_until, row.wrong, now) {
        return Ok(PinTry::LockedUntil(until));
    }
    let wrong = row.wrong.saturating_add(1);
    let until = lock_out(wrong).and_then(|length| now.checked_add(length).ok());
    db.execute(
        "UPDATE manager_pin SET wrong = ?1, locked_until = ?2",
        params![wrong, until.map(ms)],
    )?;
    Ok(PinTry::Against(row.hash))
}

fn row(db: &Connection) -> Result<Option<Row>, StoreError> {
    first(db, "SELECT hash, wrong, locked_until FROM manager_pin WHERE id = 1", [], |row| {
        Ok(Row {
            hash: row.get("hash")?,
            wrong: row.get("wrong")?,
            locked_until: optional_at(row, "locked_until")?,
        })
    })
}
