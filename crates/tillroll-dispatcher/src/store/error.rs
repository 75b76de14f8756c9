//! Why the store could not answer.

/// Why the store could not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Nothing was stored; it can be tried again.
    #[error("the store cannot be written now: {0}")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It was stored or not: ask with the same id.
    #[error("whether it was stored is not known: {0}")]
    OutcomeUnknown(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A name is taken or a number does not exist.
    #[error("{0}")]
    Refused(&'static str),
    /// A row holds what this program does not understand.
    #[error("a row cannot be read: {0}")]
    Unreadable(String),
}
