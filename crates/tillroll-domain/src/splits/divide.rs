//! What each party gets of an order, and what a refund takes back.

use serde::{Deserialize, Serialize};

use super::table::{Share, ShareTable};
use super::{Party, apportion};
use crate::money::Minor;

/// One party's part of an amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartyAmount {
    /// Whose.
    pub party: Party,
    /// How much.
    pub amount_minor: Minor,
}

/// What a party was given, and what refunds took back of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Whose.
    pub party: Party,
    /// What it was given.
    pub amount_minor: Minor,
    /// What earlier refunds took back.
    pub taken_minor: Minor,
}

/// More is to be taken back than is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be at most what is left of the order, {}", .left_minor.0)]
pub struct OverRefund {
    /// What is left.
    pub left_minor: Minor,
}

/// Shares an order by a checked table: one part for each of its parties, in its order, none negative.
/// They add up to the amount; one that is negative counts as nothing.
///
/// The rates are shared by the largest remainder. Fixed fee, minimum and cap of the others are then at the
/// merchant's cost or gain. Where the others would get more than there is, they share all of it in
/// proportion.
#[must_use]
pub fn divide(table: &ShareTable, amount: Minor) -> Vec<PartyAmount> {
    let amount = unsigned(amount);
    let rates: Vec<u64> = table.shares.iter().map(|share| share.rate_bp.into()).collect();
    let due: Vec<u64> = table
        .shares
        .iter()
        .zip(apportion(amount, &rates))
        .map(|(share, part)| due(share, part))
        .collect();
    let others = due.iter().copied().fold(0, u64::saturating_add);
    let amounts = if others > amount { apportion(amount, &due) } else { due };
    let rest = amount.saturating_sub(others);
    let part = |(share, part): (&Share, u64)| PartyAmount {
        party: share.party.clone(),
        amount_minor: signed(if share.is_merchants() { rest } else { part }),
    };
    table.shares.iter().zip(amounts).map(part).collect()
}

/// What a party is due of which the rate gives it a part; nothing for the merchant, who takes the rest.
fn due(share: &Share, part: u64) -> u64 {
    if share.is_merchants() {
        return 0;
    }
    let due = part.saturating_add(unsigned(share.fixed_minor)).max(unsigned(share.min_minor));
    share.cap_minor.map_or(due, |cap| due.min(unsigned(cap)))
}

/// What a refund takes back of each party, in the same order: in proportion to what each has left, so that
/// none ever gives back more than it was given and the last refund takes the rest.
///
/// # Errors
/// [`OverRefund`] when the refund is larger than what is left of the order.
pub fn take_back(given: &[Given], amount: Minor) -> Result<Vec<PartyAmount>, OverRefund> {
    let left: Vec<u64> =
        given.iter().map(|given| unsigned(given.amount_minor - given.taken_minor)).collect();
    let all = left.iter().copied().fold(0, u64::saturating_add);
    if unsigned(amount) > all {
        return Err(OverRefund { left_minor: signed(all) });
    }
    let taken = apportion(unsigned(amount), &left);
    let part = |(given, part): (&Given, u64)| PartyAmount {
        party: given.party.clone(),
        amount_minor: signed(part),
    };
    Ok(given.iter().zip(taken).map(part).collect())
}

fn unsigned(amount: Minor) -> u64 {
    u64::try_from(amount.0).unwrap_or(0)
}

fn signed(amount: u64) -> Minor {
    Minor(i64::try_from(amount).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests;
