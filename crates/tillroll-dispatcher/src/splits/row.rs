//! A split as the dispatcher keeps it.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::money::{Currency, Minor};
use tillroll_domain::splits::{Facts, Pace, PartyAmount, SplitReason, SplitState};
use utoipa::ToSchema;

use super::NoParts;
use crate::job::StoreNo;

/// Key of a split's row. Numbers grow, so their order is that of making within a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SplitKey {
    /// Its store.
    pub store: StoreNo,
    /// Its number there.
    pub seq: i64,
}

/// A split as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Its row.
    pub key: SplitKey,
    /// Its id in the store.
    pub id: String,
    /// Fingerprint of what was asked for.
    pub fingerprint: Fingerprint,
    /// The split that it takes back from, if it is a refund.
    pub of: Option<String>,
    /// The business day of the sale or refund.
    pub day: Date,
    /// The amount.
    pub amount: Minor,
    /// In what currency.
    pub currency: Currency,
    /// What each party gets, or gives back.
    pub parts: Vec<PartyAmount>,
    /// The share table it was divided by.
    pub table_version: u32,
    /// How soon it is wanted.
    pub pace: Pace,
    /// Where it stands.
    pub facts: Facts,
    /// Why, where the state has a why.
    pub reason: Option<SplitReason>,
    /// When it is due.
    pub due_at: Option<Timestamp>,
    /// When its time for tries began.
    pub window_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub changed_at: Timestamp,
    /// Counts its changes.
    pub version: i64,
}

/// A split to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSplit {
    /// Its store.
    pub store: StoreNo,
    /// Its id there.
    pub id: String,
    /// Fingerprint of what is asked for.
    pub fingerprint: Fingerprint,
    /// The split that a refund takes back from.
    pub of: Option<String>,
    /// The business day of the sale or refund.
    pub day: Date,
    /// The amount, above zero.
    pub amount: Minor,
    /// In what currency.
    pub currency: Currency,
    /// When it was paid: this decides the share table.
    pub paid_at: Timestamp,
    /// How soon it is wanted.
    pub pace: Pace,
    /// Now.
    pub now: Timestamp,
}

/// What the making of a split came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prepared {
    /// It is new.
    New(Split),
    /// It was made before.
    Replayed(Split),
    /// Something else was asked for under its id before.
    Conflict {
        /// Fingerprint of what was asked for first.
        stored: Fingerprint,
    },
    /// It cannot be divided.
    Refused(NoParts),
}

impl NewSplit {
    /// What it comes to where its id is known already.
    pub(crate) fn meets(&self, known: Split) -> Prepared {
        if known.fingerprint == self.fingerprint {
            Prepared::Replayed(known)
        } else {
            Prepared::Conflict { stored: known.fingerprint }
        }
    }

    /// The facts it begins with.
    pub(crate) fn facts() -> Facts {
        Facts {
            state: SplitState::Init,
            confirmed: false,
            tries: 0,
            doubtful: false,
            by_hand: false,
        }
    }
}

/// How many, and their amounts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct SplitSum {
    /// How many.
    pub count: u64,
    /// Their amounts together.
    pub amount_minor: i64,
}

impl SplitSum {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.amount_minor = self.amount_minor.saturating_add(other.amount_minor);
    }
}

/// A day's splits by where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct SplitTotals {
    /// Paid.
    pub succeeded: SplitSum,
    /// Not paid yet: recorded, under way, or tried again.
    pub pending: SplitSum,
    /// With a person.
    pub manual: SplitSum,
    /// Taken back.
    pub failed: SplitSum,
}

impl SplitTotals {
    /// Adds those in a state.
    pub(crate) fn add(&mut self, state: SplitState, sum: SplitSum) {
        let to = match state {
            SplitState::Init | SplitState::Processing | SplitState::RetryableFailed => {
                &mut self.pending
            }
            SplitState::Succeeded => &mut self.succeeded,
            SplitState::Failed => &mut self.failed,
            SplitState::Manual => &mut self.manual,
        };
        to.add(sum);
    }
}
