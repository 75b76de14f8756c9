//! A day as the counters have it: by register, by hour, by sku.

use jiff::civil::Date;
use tillroll_domain::ids::Part;

/// Sales and refunds of a register in a day or an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// Sales.
    pub sales: i64,
    /// Refunds.
    pub refunds: i64,
    /// Sum of the sales.
    pub gross_minor: i64,
    /// Sum of the refunds, never negative.
    pub refunded_minor: i64,
}

impl Figures {
    /// The figures with their names.
    #[must_use]
    pub fn named(&self) -> [(&'static str, i64); 4] {
        [
            ("sales", self.sales),
            ("refunds", self.refunds),
            ("gross_minor", self.gross_minor),
            ("refunded_minor", self.refunded_minor),
        ]
    }
}

/// What moved of a sku.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Movement {
    /// Sold.
    pub sold: i64,
    /// Given back.
    pub refunded: i64,
    /// Adjusted, and what setting it changed; negative when it became less.
    pub adjusted: i64,
}

impl Movement {
    /// By how much it changed stock.
    #[must_use]
    pub fn net(&self) -> i64 {
        self.refunded.saturating_sub(self.sold).saturating_add(self.adjusted)
    }

    /// The figures with their names.
    #[must_use]
    pub fn named(&self) -> [(&'static str, i64); 3] {
        [("sold", self.sold), ("refunded", self.refunded), ("adjusted", self.adjusted)]
    }
}

/// A register's part of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterFigures {
    /// The register's name.
    pub register: Part,
    /// Its figures.
    pub figures: Figures,
}

/// A register's part of an hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HourFigures {
    /// The hour in which it was counted, as hours since 1970 in UTC.
    pub hour: i64,
    /// The register's name.
    pub register: Part,
    /// Its figures.
    pub figures: Figures,
}

/// A sku's part of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockDay {
    /// The sku.
    pub sku: Part,
    /// What moved.
    pub movement: Movement,
}

/// A day of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterDay {
    /// The day.
    pub day: Date,
    /// The store's last flow number, whatever its day.
    pub last_flow_no: i64,
    /// By register name.
    pub registers: Vec<RegisterFigures>,
    /// By hour, then register name.
    pub hours: Vec<HourFigures>,
    /// By sku, at most `SKUS_MAX`.
    pub stock: Vec<StockDay>,
}

/// Most skus of one answer.
pub(crate) const SKUS_MAX: u32 = 10_000;
