//! What the store may answer instead of a result.

use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::print_job;
use tillroll_sqlite::rusqlite;
use tillroll_sqlite::{OpenError, Refusal, WriteError};

/// Why the store did not do it. Unless it says otherwise, nothing was stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The same id was recorded with another body.
    #[error("{job_id} is recorded with fingerprint {recorded}, this body has {offered}")]
    Conflict {
        /// The id.
        job_id: String,
        /// Fingerprint of the recorded body.
        recorded: Fingerprint,
        /// Fingerprint of the body offered now.
        offered: Fingerprint,
    },
    /// No such row.
    #[error("there is no {what} {name:?}")]
    NotFound {
        /// `job`, `printer`, `client`, ...
        what: &'static str,
        /// The name asked for.
        name: String,
    },
    /// The name is taken.
    #[error("there is already a {what} {name:?}")]
    Taken {
        /// `printer`, `client`, ...
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The job's state does not allow it.
    #[error(transparent)]
    Refused(#[from] print_job::Refusal),
    /// Something is still open that forbids it.
    #[error("{0}")]
    Forbidden(&'static str),
    /// What was asked for lacks something, or holds what cannot be.
    #[error("{field} {must}")]
    Field {
        /// The field at fault.
        field: &'static str,
        /// What it must be.
        must: &'static str,
    },
    /// A job of this printer is at the device already, perhaps by a claim whose commit was unknown:
    /// what became of it comes first (see [`crate::Store::interrupted`]).
    #[error("another job is at this printer already")]
    Occupied,
    /// Another change came first; look again.
    #[error("the job changed in the meantime")]
    Stale,
    /// The body of this receipt was dropped after its time.
    #[error("the content of this receipt is no longer kept")]
    BodyGone,
    /// The database has no register yet, or a folder of another one.
    #[error("the folder holds no register; run `tillctl init` first")]
    NotInitialised,
    /// The folder already holds a register.
    #[error("the folder holds a register already")]
    AlreadyInitialised,
    /// The disk is full; certainly nothing was stored.
    #[error("the disk is full; nothing was stored")]
    DiskFull,
    /// The commit failed: it may be stored or not. Ask again with the same id.
    #[error("the commit failed; ask again with the same id")]
    OutcomeUnknown,
    /// The database takes no writes now; certainly nothing was stored.
    #[error("the database takes no writes now; nothing was stored")]
    Unavailable,
    /// A stored value is not one this program knows.
    #[error("the database holds a value this program does not know: {0}")]
    Unreadable(String),
    /// The mark or installation file could not be read or written.
    #[error("cannot {action} {path}: {source}")]
    File {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The database could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// SQLite failed before the commit; certainly nothing was stored.
    #[error("the database failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

impl Refusal for StoreError {
    fn sqlite(&self) -> Option<&rusqlite::Error> {
        if let Self::Sqlite(error) = self { Some(error) } else { None }
    }
}

impl StoreError {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "whatever else a write may fail with, nothing was stored"
    )]
    pub(crate) fn from_write(error: WriteError<Self>) -> Self {
        match error {
            WriteError::Refused(refusal) => refusal,
            WriteError::DiskFull => Self::DiskFull,
            WriteError::OutcomeUnknown => Self::OutcomeUnknown,
            WriteError::Sqlite(source) => Self::Sqlite(source),
            _ => Self::Unavailable,
        }
    }

    /// Whether one row is at fault, and not the database: every other row may read well.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "whatever else a read may fail with is the database's fault"
    )]
    pub(crate) fn is_of_one_row(&self) -> bool {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType,
            QueryReturnedNoRows, Utf8Error,
        };
        match self {
            Self::BodyGone | Self::Unreadable(_) | Self::NotFound { .. } => true,
            Self::Sqlite(error) => matches!(
                error,
                QueryReturnedNoRows
                    | FromSqlConversionFailure(..)
                    | IntegralValueOutOfRange(..)
                    | InvalidColumnType(..)
                    | Utf8Error(..)
            ),
            _ => false,
        }
    }

    pub(crate) fn not_found(what: &'static str, name: impl ToString) -> Self {
        Self::NotFound { what, name: name.to_string() }
    }

    /// A stored word that does not read back.
    pub(crate) fn unreadable(error: impl std::fmt::Display) -> Self {
        Self::Unreadable(error.to_string())
    }
}
