//! A sale or refund that is to be shared, as a register tells it.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::ids::{JobId, JobKind, Part};
use tillroll_domain::money::{Currency, Minor};
use tillroll_wire::record::{Record, SplitFact};

use super::{Refused, body, check_day, own_job};

/// A sale or refund to be shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared {
    /// Its job id, of this store: the split's id.
    pub id: JobId,
    /// The receipt that a refund takes back from, of this store; none for a sale.
    pub of: Option<JobId>,
    /// Business day.
    pub day: Date,
    /// What was paid or given back, above zero.
    pub amount: Minor,
    /// In what currency.
    pub currency: Currency,
    /// When it was paid.
    pub paid_at: Timestamp,
}

pub(super) fn read(record: &Record, store: &Part) -> Result<Shared, Refused> {
    let fact: SplitFact = body(record)?;
    if record.flow_no.is_none() {
        return Err(Refused::value("flow_no: a split has that of its receipt"));
    }
    let id = own_job(&fact.id, store)?;
    let of = fact.of.as_deref().map(|of| own_job(of, store)).transpose()?;
    check_kinds(&id, of.as_ref())?;
    let amount = Minor(fact.amount_minor);
    if amount < Minor(1) || !amount.is_plain() {
        let amount = amount.0;
        return Err(Refused::value(format!("amount_minor: {amount} cannot be shared")));
    }
    check_day(fact.day, record)?;
    let SplitFact { day, currency, paid_at, .. } = fact;
    Ok(Shared { id, of, day, amount, currency, paid_at })
}

/// A refund takes back from a receipt, and nothing else does.
fn check_kinds(id: &JobId, of: Option<&JobId>) -> Result<(), Refused> {
    let fits = match id.kind {
        JobKind::Receipt => of.is_none(),
        JobKind::Refund => of.is_some_and(|of| of.kind == JobKind::Receipt),
        JobKind::Prebill | JobKind::Kitchen | JobKind::Report => false,
    };
    if fits && id.copy.is_none() {
        return Ok(());
    }
    Err(Refused::value(
        "of: a receipt has none, a refund that of its receipt, others are not shared",
    ))
}
