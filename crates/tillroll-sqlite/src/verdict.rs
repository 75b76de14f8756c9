//! What became of a commit: one verdict for every write in it.

use rusqlite::ErrorCode;

use crate::error::duplicate;

/// The fate of a transaction.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// `COMMIT` returned: what was kept is durable.
    Committed,
    /// The disk was full; certainly not stored.
    DiskFull,
    /// The commit failed in a way that leaves its records perhaps on the disk.
    Unknown,
    /// SQLite failed before anything could be stored.
    Failed(rusqlite::Error),
    /// The database is suspect and could not be rewritten yet; nothing was tried.
    Unavailable,
    /// The database is closed; nothing was tried.
    Closed,
}

impl Verdict {
    /// For an error after which the transaction certainly left nothing behind.
    pub(crate) fn not_stored(error: &rusqlite::Error) -> Self {
        if error.sqlite_error_code() == Some(ErrorCode::DiskFull) {
            Self::DiskFull
        } else {
            Self::Failed(duplicate(error))
        }
    }

    /// For a `COMMIT` that returned an error.
    ///
    /// A full disk stops the log before its commit record. A lock or a constraint stops the commit
    /// before the log. Anything else may have come after the commit record was written.
    pub(crate) fn of_failed_commit(error: &rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(
                ErrorCode::DiskFull
                | ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::ConstraintViolation,
            ) => Self::not_stored(error),
            _ => Self::Unknown,
        }
    }
}
