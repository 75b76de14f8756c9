//! A split as the dispatcher keeps it.

use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::json;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::money::{Currency, Minor};
use tillroll_domain::splits::{Facts, Pace, PartyAmount, SplitReason, SplitState};

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

/// What a split is asked for with, beside its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskedSplit {
    /// As in [`NewSplit`].
    pub of: Option<String>,
    /// As in [`NewSplit`].
    pub day: Date,
    /// As in [`NewSplit`].
    pub amount: Minor,
    /// As in [`NewSplit`].
    pub currency: Currency,
    /// As in [`NewSplit`].
    pub paid_at: Timestamp,
    /// As in [`NewSplit`].
    pub pace: Pace,
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
    /// A split of a store with the fingerprint of what is asked for.
    pub(crate) fn of(store: StoreNo, id: String, asked: AskedSplit, now: Timestamp) -> Self {
        let AskedSplit { of, day, amount, currency, paid_at, pace } = asked;
        let body = json!({
            "day": day, "amount_minor": amount, "currency": currency,
            "paid_at": paid_at, "pace": pace, "of": of,
        });
        let fingerprint = Fingerprint::of(body.to_string().as_bytes());
        Self { store, id, fingerprint, of, day, amount, currency, paid_at, pace, now }
    }

    /// What it comes to where its id is known already.
    pub(crate) fn meets(&self, known: Split) -> Prepared {
        if known.fingerprint == self.fingerprint {
            Prepared::Replayed(known)
        } else {
            Prepared::Conflict { stored: known.fingerprint }
        }
    }

    /// The split as it is prepared. Its row has no number yet.
    pub(crate) fn prepared(&self, table_version: u32, parts: Vec<PartyAmount>) -> Split {
        Split {
            key: SplitKey { store: self.store, seq: 0 },
            id: self.id.clone(),
            fingerprint: self.fingerprint,
            of: self.of.clone(),
            day: self.day,
            amount: self.amount,
            currency: self.currency,
            parts,
            table_version,
            pace: self.pace,
            facts: Self::facts(),
            reason: None,
            due_at: None,
            window_at: None,
            created_at: self.now,
            changed_at: self.now,
            version: 1,
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
