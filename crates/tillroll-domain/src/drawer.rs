//! When the cash drawer may open: one pulse for a paid receipt or refund with cash in it, soon after it
//! was accepted; never for a copy, a card sale, a test print or an unpaid bill.

use std::time::Duration;

use crate::ids::JobKind;
use crate::receipt::{Receipt, Tender};

/// A pulse later than this after acceptance is dropped and recorded, so that a printer that comes back
/// does not open the drawer of an empty shop.
pub const PULSE_WITHIN: Duration = Duration::from_secs(10);

/// Whether this receipt asks for the drawer at all.
#[must_use]
pub fn opens_drawer(receipt: &Receipt) -> bool {
    let paid = matches!(receipt.kind, JobKind::Receipt | JobKind::Refund);
    paid && receipt.tenders.iter().any(Tender::is_cash)
}

/// Whether a pulse asked for that long ago may still be given.
#[must_use]
pub fn is_fresh(since_acceptance: Duration) -> bool {
    since_acceptance <= PULSE_WITHIN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Minor;

    fn paid_by(kind: JobKind, tender: &str) -> Receipt {
        let mut receipt = Receipt::new("1".parse().unwrap(), kind);
        let tender_type = tender.parse().unwrap();
        receipt.tenders.push(Tender { tender_type, amount_minor: Minor(100) });
        receipt
    }

    #[test]
    fn only_cash_of_a_sale_or_refund_opens_the_drawer() {
        assert!(opens_drawer(&paid_by(JobKind::Receipt, "cash")));
        assert!(opens_drawer(&paid_by(JobKind::Refund, "cash")));
        assert!(!opens_drawer(&paid_by(JobKind::Receipt, "card")));
        assert!(!opens_drawer(&paid_by(JobKind::Prebill, "cash")));
        assert!(!opens_drawer(&paid_by(JobKind::Kitchen, "cash")));
    }

    #[test]
    fn late_pulse_is_dropped() {
        assert!(is_fresh(Duration::from_secs(10)));
        assert!(!is_fresh(Duration::from_millis(10_001)));
    }
}
