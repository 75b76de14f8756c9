//! What a receipt adds to the day, in the signs of the books.

use super::Receipt;
use crate::ids::JobKind;
use crate::money::Minor;

/// The sums of one receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amounts {
    /// Lines + charges - discounts + taxes not included + rounding.
    pub computed_total: Minor,
    /// Tenders less the change.
    pub paid: Minor,
}

impl Receipt {
    /// The sums as the receipt shows them: positive, also on a refund.
    #[must_use]
    pub fn amounts(&self) -> Amounts {
        let lines: Minor = self.lines.iter().filter_map(super::Line::amount).sum();
        let charges: Minor = self.charges.iter().map(|charge| charge.amount_minor).sum();
        let discounts: Minor = self.discounts.iter().map(|discount| discount.amount_minor).sum();
        let added = self.taxes.iter().filter(|tax| !tax.included).map(|tax| tax.amount_minor);
        let taxes: Minor = added.sum();
        let tendered: Minor = self.tenders.iter().map(|tender| tender.amount_minor).sum();
        Amounts {
            computed_total: lines + charges - discounts
                + taxes
                + self.rounding_minor.unwrap_or_default(),
            paid: tendered - self.change_minor.unwrap_or_default(),
        }
    }

    /// What the receipt adds to the takings: a refund takes away, other papers move nothing.
    #[must_use]
    pub fn takings(&self) -> Minor {
        self.signed(self.total_minor.unwrap_or_default())
    }

    /// What each tender type gains, in the order of the receipt and without double entries. The change
    /// comes out of the cash: it is not takings.
    #[must_use]
    pub fn takings_by_tender(&self) -> Vec<(String, Minor)> {
        let mut by_type: Vec<(String, Minor)> = Vec::new();
        let mut add =
            |tender: &str, amount: Minor| match by_type.iter_mut().find(|(name, _)| name == tender)
            {
                Some((_, sum)) => *sum = *sum + amount,
                None => by_type.push((tender.to_owned(), amount)),
            };
        for tender in &self.tenders {
            add(tender.tender_type.as_str(), self.signed(tender.amount_minor));
        }
        match self.change_minor {
            Some(change) if change != Minor::ZERO => add(super::CASH, self.signed(-change)),
            Some(_) | None => {}
        }
        by_type
    }

    fn signed(&self, amount: Minor) -> Minor {
        match self.kind {
            JobKind::Receipt => amount,
            JobKind::Refund => -amount,
            JobKind::Prebill | JobKind::Kitchen | JobKind::Report => Minor::ZERO,
        }
    }
}
