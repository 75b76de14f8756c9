//! What each party gets of a split, or gives back: the same for every engine.

use tillroll_domain::money::Minor;
use tillroll_domain::splits::{
    Given, OverRefund, PartyAmount, ShareTable, SplitState, divide, table_at, take_back,
};

use super::{NewSplit, Split};

/// Why a split cannot be divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoParts {
    /// The store has no table for it.
    #[error("the store has no share table that was valid when it was paid")]
    NoTable,
    /// There is nothing to take back from.
    #[error("names no split of this store that shares an order")]
    NoOriginal,
    /// What it takes back from was itself taken back.
    #[error("names a split that was canceled")]
    OriginalCanceled,
    /// It is in another currency than what it takes back from.
    #[error("is not the currency of the split it takes back from")]
    OtherCurrency,
    /// It takes back more than is left.
    #[error(transparent)]
    OverRefund(#[from] OverRefund),
}

impl NoParts {
    /// The field at fault.
    pub(crate) fn field(&self) -> &'static str {
        match self {
            Self::NoTable => "paid_at",
            Self::NoOriginal | Self::OriginalCanceled => "of",
            Self::OtherCurrency => "currency",
            Self::OverRefund(_) => "amount_minor",
        }
    }
}

/// What one refund takes back, as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refunded {
    /// What of each party.
    pub parts: Vec<PartyAmount>,
}

/// The parts of an order, and the version of the table they follow.
pub(crate) fn shares_of(
    new: &NewSplit,
    tables: &[ShareTable],
) -> Result<(u32, Vec<PartyAmount>), NoParts> {
    let table = table_at(tables, new.paid_at).ok_or(NoParts::NoTable)?;
    Ok((table.version, divide(table, new.amount)))
}

/// What a refund takes back, beside the refunds before it that were not canceled.
pub(crate) fn refund_of(
    new: &NewSplit,
    original: Option<&Split>,
    earlier: &[Refunded],
) -> Result<(u32, Vec<PartyAmount>), NoParts> {
    let original = original.filter(|split| split.of.is_none()).ok_or(NoParts::NoOriginal)?;
    if original.facts.state == SplitState::Failed {
        return Err(NoParts::OriginalCanceled);
    }
    if original.currency != new.currency {
        return Err(NoParts::OtherCurrency);
    }
    let given: Vec<_> = original.parts.iter().map(|part| given(part, earlier)).collect();
    Ok((original.table_version, take_back(&given, new.amount)?))
}

fn given(part: &PartyAmount, earlier: &[Refunded]) -> Given {
    let taken = earlier.iter().flat_map(|refund| &refund.parts);
    let taken_minor: Minor =
        taken.filter(|taken| taken.party == part.party).map(|taken| taken.amount_minor).sum();
    Given { party: part.party.clone(), amount_minor: part.amount_minor, taken_minor }
}
