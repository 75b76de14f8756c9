//! One transaction: `BEGIN IMMEDIATE`, the writes, `COMMIT`, verdict. One that refuses or panics leaves its
//! neighbours alone.
//!
//! The caller checks [`Connection::is_autocommit`] afterwards: a connection left inside a
//! transaction is not to be used again.

use rusqlite::{Connection, ErrorCode};

use crate::error::{failure, is_failed_sync};
use crate::options::CommitFault;
use crate::verdict::Verdict;
use crate::work::{Ran, Work};

/// What a transaction did.
pub(crate) struct Ended {
    pub(crate) verdict: Verdict,
    /// Writes whose changes were kept.
    pub(crate) kept: u64,
    /// False when the files or the connection can no longer be trusted.
    pub(crate) sound: bool,
    /// True when SQLite met damaged content.
    pub(crate) damage: bool,
}

impl Ended {
    fn new(verdict: Verdict, kept: u64) -> Self {
        let sound = !matches!(verdict, Verdict::Unknown);
        Self { verdict, kept, sound, damage: false }
    }

    fn failed(verdict: Verdict, error: &rusqlite::Error) -> Self {
        let ended = Self::new(verdict, 0);
        let damage = crate::error::is_damage(error);
        Self { sound: ended.sound && !is_failed_sync(error), damage, ..ended }
    }
}

/// Runs a batch of writes in one transaction.
///
/// A savepoint a write copies every page the write touches, so there is none at first: only when a write
/// that changed something must be undone, all are, and run again, each in a savepoint of its own.
pub(crate) fn run(
    connection: &Connection,
    batch: &mut [&mut dyn Work],
    fault: Option<&CommitFault>,
) -> Ended {
    if let Err(error) = execute(connection, "BEGIN IMMEDIATE") {
        return Ended::failed(Verdict::not_stored(&error), &error);
    }
    match run_all(connection, batch) {
        Ok(0) => end_empty(connection),
        Ok(kept) => commit(connection, kept, fault),
        Err(error) => give_up(connection, &error),
    }
}

/// Runs all writes and tells how many were kept; an error when all must be undone for good.
fn run_all(connection: &Connection, batch: &mut [&mut dyn Work]) -> rusqlite::Result<u64> {
    // A write that is alone needs no savepoint: the transaction is its savepoint.
    let alone = batch.len() == 1;
    let mut kept = 0;
    for work in &mut *batch {
        let before = connection.total_changes();
        if run_one(connection, &mut **work)? {
            kept += 1;
        } else if !alone && connection.total_changes() != before {
            execute(connection, "ROLLBACK")?;
            execute(connection, "BEGIN IMMEDIATE")?;
            return run_apart(connection, batch);
        }
    }
    Ok(kept)
}

/// Runs all writes, each in its own savepoint, and tells how many were kept.
fn run_apart(connection: &Connection, batch: &mut [&mut dyn Work]) -> rusqlite::Result<u64> {
    let mut kept = 0;
    for work in batch {
        execute(connection, "SAVEPOINT one_write")?;
        if run_one(connection, &mut **work)? {
            kept += 1;
        } else {
            execute(connection, "ROLLBACK TO one_write")?;
        }
        execute(connection, "RELEASE one_write")?;
    }
    Ok(kept)
}

/// Runs one write; `Ok(false)` when its changes are to be undone, an error when all must be.
fn run_one(connection: &Connection, work: &mut dyn Work) -> rusqlite::Result<bool> {
    let ran = work.run(connection);
    if let Ran::Broke(error) = ran {
        return Err(error);
    }
    if connection.is_autocommit() {
        return Err(failure(rusqlite::ffi::SQLITE_MISUSE, "a write ended its transaction"));
    }
    Ok(matches!(ran, Ran::Kept))
}

fn commit(connection: &Connection, kept: u64, fault: Option<&CommitFault>) -> Ended {
    if fault.is_some_and(|fault| fault.check().is_err()) {
        let _gone = execute(connection, "ROLLBACK");
        return Ended::new(Verdict::Unknown, 0);
    }
    let Err(error) = execute(connection, "COMMIT") else {
        return Ended::new(Verdict::Committed, kept);
    };
    tracing::error!(%error, "commit failed");
    let rolled_back = roll_back(connection);
    let verdict = if rolled_back { Verdict::of_failed_commit(&error) } else { Verdict::Unknown };
    Ended::failed(verdict, &error)
}

/// Ends a transaction in which every write was undone; no sync is needed.
fn end_empty(connection: &Connection) -> Ended {
    let sound = roll_back(connection);
    Ended { sound, ..Ended::new(Verdict::Committed, 0) }
}

/// Rolls everything back after an error in the middle. No commit record was written, so nothing is
/// stored, unless a write ended the transaction behind our back.
fn give_up(connection: &Connection, error: &rusqlite::Error) -> Ended {
    tracing::warn!(%error, "transaction given up");
    let misused = error.sqlite_error_code() == Some(ErrorCode::ApiMisuse);
    let sound = roll_back(connection);
    let verdict = if misused { Verdict::Unknown } else { Verdict::not_stored(error) };
    let ended = Ended::failed(verdict, error);
    Ended { sound: sound && ended.sound, ..ended }
}

/// True when the connection is outside any transaction afterwards.
fn roll_back(connection: &Connection) -> bool {
    if !connection.is_autocommit()
        && let Err(error) = execute(connection, "ROLLBACK")
    {
        tracing::error!(%error, "rollback failed");
    }
    connection.is_autocommit()
}

fn execute(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}
