//! What stops a statement, and how the store's callers hear of it.

use tillroll_sqlite::rusqlite::{self, ErrorCode, ffi};
use tillroll_sqlite::{Refusal, WriteError};

use crate::store::StoreError;

/// Why the work of a transaction ended.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// SQLite failed.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// The caller asked for what cannot be.
    #[error("{0}")]
    Refused(&'static str),
    /// A stored value is not one this program knows.
    #[error("{0}")]
    Unreadable(String),
}

impl Fault {
    /// A stored value that does not read back.
    pub(super) fn unreadable(error: impl std::fmt::Display) -> Self {
        Self::Unreadable(error.to_string())
    }

    /// Whether one row is at fault, and not the database: every other row may read well.
    pub(super) fn is_of_one_row(&self) -> bool {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error,
        };
        match self {
            Self::Unreadable(_) => true,
            Self::Refused(_) => false,
            Self::Sqlite(error) => matches!(
                error,
                FromSqlConversionFailure(..)
                    | IntegralValueOutOfRange(..)
                    | InvalidColumnType(..)
                    | Utf8Error(..)
            ),
        }
    }
}

impl Refusal for Fault {
    fn sqlite(&self) -> Option<&rusqlite::Error> {
        if let Self::Sqlite(error) = self { Some(error) } else { None }
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        if fault.is_of_one_row() {
            return Self::Unreadable(fault.to_string());
        }
        match fault {
            Fault::Refused(why) => Self::Refused(why),
            Fault::Unreadable(what) => Self::Unreadable(what),
            Fault::Sqlite(error) => broken_rule(&error)
                .map_or_else(|| Self::Unavailable(Box::new(error)), Self::Refused),
        }
    }
}

/// What a write that was not acknowledged means to its caller.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "whatever else a write may fail with, nothing was stored"
)]
pub(super) fn of_write(error: WriteError<Fault>) -> StoreError {
    match error {
        WriteError::Refused(fault) => fault.into(),
        WriteError::OutcomeUnknown => StoreError::OutcomeUnknown(Box::new(error)),
        error => StoreError::Unavailable(Box::new(error)),
    }
}

/// The rule of the tables that a statement broke.
fn broken_rule(error: &rusqlite::Error) -> Option<&'static str> {
    if error.sqlite_error_code() != Some(ErrorCode::ConstraintViolation) {
        return None;
    }
    Some(match error.sqlite_error()?.extended_code {
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => "it refers to something that does not exist",
        ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => {
            "that is taken already"
        }
        _ => "a value is not allowed",
    })
}
