//! What a request to the counters came to.

use serde::{Deserialize, Serialize};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::Part;
use utoipa::ToSchema;

use super::entry::Entry;

/// What a request came to. Only [`Outcome::Counted`] changed anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It counted.
    Counted(Entry),
    /// It counted before, with this answer.
    Replayed(Entry),
    /// Its id was used with another body.
    Conflict {
        /// The fingerprint that is stored.
        stored: Fingerprint,
    },
    /// It cannot be counted as things stand; the same request may count later.
    Refused(NotCounted),
}

/// Why a request does not count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotCounted {
    /// There is less in stock than it takes.
    #[error("{}", shortages(.0))]
    Short(Vec<Shortage>),
    /// A figure would pass [`FIGURE_MAX`](super::FIGURE_MAX).
    #[error("{0}: would grow past what can be counted")]
    Overflow(String),
    /// The store has no such register.
    #[error("register: the store has no register {0}")]
    NoRegister(Part),
    /// The day is too far from today.
    #[error(
        "day: must be at most {} days after today and {} before",
        super::DAYS_AHEAD,
        super::DAYS_BEHIND
    )]
    Day,
}

/// What is short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Shortage {
    /// The sku.
    #[schema(value_type = String)]
    pub sku: Part,
    /// What is there.
    pub there: i64,
    /// What was asked for.
    pub asked: i64,
}

fn shortages(short: &[Shortage]) -> String {
    let each = short
        .iter()
        .map(|Shortage { sku, there, asked }| format!("{sku}: {asked} asked for, {there} there"));
    format!("stock is short: {}", each.collect::<Vec<_>>().join("; "))
}
