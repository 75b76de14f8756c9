//! What stops a statement, and how the store's callers hear of it.

use tokio_postgres::Error;
use tokio_postgres::error::{Severity, SqlState};

use crate::store::StoreError;

/// Why the work of a transaction ended.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// PostgreSQL or the connection to it failed.
    #[error(transparent)]
    Postgres(#[from] Error),
    /// The caller asked for what cannot be.
    #[error("{0}")]
    Refused(&'static str),
    /// It met a row that another transaction put there meanwhile.
    #[error("another transaction was first")]
    Met,
    /// A stored value is not one this program knows.
    #[error("{0}")]
    Unreadable(String),
}

impl Fault {
    /// A stored value that does not read back.
    pub(super) fn unreadable(error: impl std::fmt::Display) -> Self {
        Self::Unreadable(error.to_string())
    }

    /// Whether it met another transaction and may fare better alone.
    pub(super) fn is_conflict(&self) -> bool {
        let Self::Postgres(error) = self else { return matches!(self, Self::Met) };
        error.code().is_some_and(|code| {
            [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED].contains(code)
        })
    }

    /// Whether the server lives and said so itself: it undid the statement.
    pub(super) fn is_of_server(&self) -> bool {
        let Self::Postgres(error) = self else { return true };
        error.as_db_error().is_some_and(|said| said.parsed_severity() == Some(Severity::Error))
    }
}

/// A fault that certainly stored nothing.
impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(why) => Self::Refused(why),
            Fault::Unreadable(what) => Self::Unreadable(what),
            Fault::Met => Self::Unavailable(Box::new(fault)),
            Fault::Postgres(error) => broken_rule(&error)
                .map_or_else(|| Self::Unavailable(Box::new(error)), Self::Refused),
        }
    }
}

/// The rule of the tables or types that a statement broke: classes 22 and 23 of SQLSTATE.
fn broken_rule(error: &Error) -> Option<&'static str> {
    let code = error.code()?;
    match code.code() {
        "23503" => Some("it refers to something that does not exist"),
        "23505" => Some("that is taken already"),
        other if other.starts_with("22") || other.starts_with("23") => {
            Some("a value is not allowed")
        }
        _ => None,
    }
}
