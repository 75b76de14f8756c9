//! What must lie in the drawer, what was counted, and the difference.

use serde::{Deserialize, Serialize};

use crate::money::Minor;

/// Movements of cash in a session, all positive but the sales, which a refund can turn negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cash {
    /// In the drawer at the start.
    pub float_minor: Minor,
    /// Net cash of sales and refunds: tendered less change.
    pub sales_minor: Minor,
    /// Put in without a sale.
    pub paid_in_minor: Minor,
    /// Taken out without a refund.
    pub paid_out_minor: Minor,
}

impl Cash {
    /// What must lie in the drawer.
    #[must_use]
    pub fn expected(&self) -> Minor {
        self.float_minor + self.sales_minor + self.paid_in_minor - self.paid_out_minor
    }
}

/// A count of the drawer beside what was expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CashCount {
    /// What was counted.
    pub counted_minor: Minor,
    /// Why it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl CashCount {
    /// Counted less expected: over is positive, short is negative.
    #[must_use]
    pub fn difference(&self, cash: &Cash) -> Minor {
        self.counted_minor - cash.expected()
    }
}
