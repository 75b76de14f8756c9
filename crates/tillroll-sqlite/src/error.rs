//! The errors of this crate, one enum per boundary, and how SQLite's own are told apart.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rusqlite::ffi;

/// What the work of a write may fail with.
///
/// The writer must know whether the cause was the disk: then the whole commit is given up, not the
/// one write alone.
pub trait Refusal: From<rusqlite::Error> + Send + 'static {
    /// The SQLite error inside, if that is the cause.
    fn sqlite(&self) -> Option<&rusqlite::Error>;
}

impl Refusal for rusqlite::Error {
    fn sqlite(&self) -> Option<&rusqlite::Error> {
        Some(self)
    }
}

/// Why a write was not acknowledged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError<E> {
    /// The work itself said no: it was rolled back, its neighbours were not touched.
    #[error("the write was refused: {0}")]
    Refused(E),
    /// The work panicked: it was rolled back, its neighbours were not touched.
    #[error("the write panicked and was rolled back")]
    Panicked,
    /// The disk is full. Certainly not stored.
    #[error("the disk is full; nothing was stored")]
    DiskFull,
    /// The commit or its sync failed: the write may be stored or not. Ask for it by its own id.
    #[error("the commit failed; whether the write was stored is unknown")]
    OutcomeUnknown,
    /// An earlier commit failed and the database could not yet be rewritten. Certainly not stored.
    #[error("the database is waiting to be rewritten after a failed commit; nothing was stored")]
    Unavailable,
    /// Too many writes wait already. Certainly not stored.
    #[error("too many writes are waiting; nothing was stored")]
    Overloaded,
    /// The database was closed. Certainly not stored.
    #[error("the database is closed; nothing was stored")]
    Closed,
    /// SQLite failed before the commit. Certainly not stored.
    #[error("nothing was stored: {0}")]
    Sqlite(#[source] rusqlite::Error),
}

impl<E> WriteError<E> {
    /// Turns the refusal's error into another one.
    pub fn map_refused<F>(self, map: impl FnOnce(E) -> F) -> WriteError<F> {
        match self {
            Self::Refused(refusal) => WriteError::Refused(map(refusal)),
            Self::Panicked => WriteError::Panicked,
            Self::DiskFull => WriteError::DiskFull,
            Self::OutcomeUnknown => WriteError::OutcomeUnknown,
            Self::Unavailable => WriteError::Unavailable,
            Self::Overloaded => WriteError::Overloaded,
            Self::Closed => WriteError::Closed,
            Self::Sqlite(source) => WriteError::Sqlite(source),
        }
    }
}

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A newer version of the program wrote this database.
    #[error("the database has schema {found}, this program knows up to {supported}")]
    NewerSchema {
        /// The database's schema number.
        found: u32,
        /// The newest this program has.
        supported: u32,
    },
    /// A migration that was applied to this database has another text now.
    #[error("migration {number:04}_{name} differs from the one applied to this database")]
    ChangedMigration {
        /// Its number.
        number: u32,
        /// Its name in this program.
        name: &'static str,
    },
    /// The list of migrations cannot be applied to any database.
    #[error("migration {number:04} is invalid: {reason}")]
    InvalidMigration {
        /// Its number.
        number: u32,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A migration failed and was rolled back with all others of this start.
    #[error("migration {number:04}_{name} failed: {source}")]
    Migration {
        /// Its number.
        number: u32,
        /// Its name.
        name: &'static str,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The migrations leave a row that points to nothing.
    #[error("after the migrations, rows of table {table} point to rows that do not exist")]
    BrokenReference {
        /// The table with the dangling rows.
        table: String,
    },
    /// Another program holds the database.
    #[error("the database is locked by another program")]
    Locked,
    /// The disk is full.
    #[error("the disk is full")]
    DiskFull,
    /// An option cannot work.
    #[error("option {field} {reason}")]
    InvalidOption {
        /// Its name.
        field: &'static str,
        /// What it must be.
        reason: &'static str,
    },
    /// SQLite did not take a setting on which durability depends.
    #[error("SQLite did not accept {pragma} = {wanted}, it says {found}")]
    Setting {
        /// The pragma.
        pragma: &'static str,
        /// The value asked for.
        wanted: String,
        /// The value in force.
        found: String,
    },
    /// The operating system refused a file.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Any other failure of SQLite.
    #[error("cannot open the database: {0}")]
    Sqlite(#[source] rusqlite::Error),
}

impl OpenError {
    /// Names the file an I/O error is about.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }
}

impl From<rusqlite::Error> for OpenError {
    fn from(source: rusqlite::Error) -> Self {
        match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            _ => Self::Sqlite(source),
        }
    }
}

/// Why a close was not clean. The database is closed all the same; the next start checks it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CloseError {
    /// Writes, readers or the last checkpoint took longer than the limit.
    #[error("closing took too long; the next start checks the database")]
    Timeout,
    /// The last checkpoint failed.
    #[error("the last checkpoint failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The mark of an open database could not be removed.
    #[error("cannot mark the database as closed: {0}")]
    Io(#[from] io::Error),
    /// A commit with an unknown outcome, or damage, was met and not yet cured.
    #[error("the database is suspect; the next start checks it")]
    Suspect,
}

/// True when the file's content is at fault.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// For what every sound database has: that it is not there, or is no text, is damage.
pub(crate) fn unreadable_is_damage(error: rusqlite::Error) -> rusqlite::Error {
    match error.sqlite_error_code() {
        None | Some(ErrorCode::Unknown) => failure(ffi::SQLITE_CORRUPT, &error.to_string()),
        Some(_) => error,
    }
}

/// True when the whole transaction has to go, not only the write that met the error.
pub(crate) fn breaks_transaction(error: &rusqlite::Error) -> bool {
    is_damage(error)
        || matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory)
        )
}

/// True when a sync was refused: what the page cache shows may not be on the disk.
pub(crate) fn is_failed_sync(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|e| {
        matches!(e.extended_code, ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC)
    })
}

/// A second copy of an error that several callers must hear of.
pub(crate) fn duplicate(error: &rusqlite::Error) -> rusqlite::Error {
    match error.sqlite_error() {
        Some(failure) => rusqlite::Error::SqliteFailure(*failure, Some(error.to_string())),
        None => failure(ffi::SQLITE_ERROR, &error.to_string()),
    }
}

/// An error of ours in SQLite's clothes, for callers who know SQLite's only.
pub(crate) fn failure(code: i32, message: &str) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), Some(message.to_owned()))
}
