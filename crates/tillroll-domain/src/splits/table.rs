//! Share tables: who gets what of an order, from when to when.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Party;
use crate::money::Minor;

/// The rates of a table add up to this: 100 % in basis points.
pub const RATE_WHOLE: u32 = 10_000;

/// The most parties of a table.
pub const PARTIES_MAX: usize = 16;

/// What one party gets of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// Who.
    pub party: Party,
    /// Its part of the amount, in basis points (hundredths of a percent).
    pub rate_bp: u32,
    /// What it gets beside its rate.
    #[serde(default)]
    pub fixed_minor: Minor,
    /// The least it gets, rate and fixed fee together.
    #[serde(default)]
    pub min_minor: Minor,
    /// The most it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap_minor: Option<Minor>,
}

/// A store's share table. A newer version replaces an older one from the instant it is valid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareTable {
    /// Its number in the store, from 1.
    pub version: u32,
    /// Orders paid from then on ...
    pub valid_from: Timestamp,
    /// ... and before then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// One for each party, the merchant among them.
    pub shares: Vec<Share>,
}

/// What is wrong with a share table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidTable {
    /// Versions count from 1.
    #[error("version: must be from 1")]
    Version,
    /// It is never valid.
    #[error("valid_until: must be later than valid_from")]
    NeverValid,
    /// Too many parties.
    #[error("shares: must be at most {PARTIES_MAX}")]
    TooMany,
    /// A party stands twice.
    #[error("shares: {0} stands twice")]
    Twice(Party),
    /// Nobody takes what is left.
    #[error("shares: must hold the merchant, who takes what the others leave")]
    NoMerchant,
    /// The merchant's share follows from the others'.
    #[error("shares: the merchant has a rate alone, no fixed fee, minimum or cap")]
    MerchantBound,
    /// The rates do not add up.
    #[error("shares: the rates must add up to {RATE_WHOLE} basis points, not {0}")]
    Rates(u64),
    /// An amount is negative or too large.
    #[error("shares: an amount of {0} cannot be")]
    Amount(Party),
    /// The minimum is above the cap.
    #[error("shares: {0} has a minimum above its cap")]
    MinimumAboveCap(Party),
}

impl ShareTable {
    /// Whether an order can be shared by it.
    ///
    /// # Errors
    /// [`InvalidTable`], naming the field.
    pub fn check(&self) -> Result<(), InvalidTable> {
        if self.version == 0 {
            return Err(InvalidTable::Version);
        }
        if self.valid_until.is_some_and(|until| until <= self.valid_from) {
            return Err(InvalidTable::NeverValid);
        }
        if self.shares.len() > PARTIES_MAX {
            return Err(InvalidTable::TooMany);
        }
        for (place, share) in self.shares.iter().enumerate() {
            share.check()?;
            if self.shares[..place].iter().any(|other| other.party == share.party) {
                return Err(InvalidTable::Twice(share.party.clone()));
            }
        }
        if !self.shares.iter().any(Share::is_merchants) {
            return Err(InvalidTable::NoMerchant);
        }
        match self.shares.iter().map(|share| u64::from(share.rate_bp)).sum() {
            whole if whole == u64::from(RATE_WHOLE) => Ok(()),
            whole => Err(InvalidTable::Rates(whole)),
        }
    }

    /// Whether it is for an order paid at an instant.
    #[must_use]
    pub fn is_valid_at(&self, at: Timestamp) -> bool {
        self.valid_from <= at && self.valid_until.is_none_or(|until| at < until)
    }
}

impl Share {
    fn check(&self) -> Result<(), InvalidTable> {
        let party = || self.party.clone();
        let amounts = [Some(self.fixed_minor), Some(self.min_minor), self.cap_minor];
        if amounts.into_iter().flatten().any(|amount| !amount.is_plain()) {
            return Err(InvalidTable::Amount(party()));
        }
        if self.cap_minor.is_some_and(|cap| cap < self.min_minor) {
            return Err(InvalidTable::MinimumAboveCap(party()));
        }
        let bound = amounts.into_iter().flatten().any(|amount| amount > Minor::ZERO)
            || self.cap_minor.is_some();
        if self.is_merchants() && bound {
            return Err(InvalidTable::MerchantBound);
        }
        Ok(())
    }

    pub(super) fn is_merchants(&self) -> bool {
        self.party == Party::Merchant
    }
}

/// The table for an order paid at an instant: the newest version that is valid then.
#[must_use]
pub fn table_at(tables: &[ShareTable], at: Timestamp) -> Option<&ShareTable> {
    tables.iter().filter(|table| table.is_valid_at(at)).max_by_key(|table| table.version)
}

#[cfg(test)]
mod tests;
