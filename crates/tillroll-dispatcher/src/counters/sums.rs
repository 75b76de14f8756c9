//! What entries of the ledger add up to, by register, hour and sku. One addition serves three purposes: what
//! a batch adds to the counters, what a day's ledger says when it is checked, and what is written when the day
//! is counted anew.

use std::collections::BTreeMap;

use jiff::civil::Date;
use tillroll_domain::ids::Part;

use super::day::{Figures, Movement};
use super::entry::{Entry, EntryKind};

/// Sums of entries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sums {
    /// By day and register.
    pub(crate) days: BTreeMap<(Date, i64), Figures>,
    /// By day, register and the hour of counting, as hours since 1970 in UTC.
    pub(crate) hours: BTreeMap<(Date, i64, i64), Figures>,
    /// By day and sku.
    pub(crate) moved: BTreeMap<(Date, Part), Movement>,
}

impl Sums {
    /// The sums of some entries.
    pub(crate) fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut sums = Self::default();
        entries.into_iter().for_each(|entry| sums.add(entry));
        sums
    }

    /// Adds an entry.
    pub(crate) fn add(&mut self, entry: &Entry) {
        if let Some(register) = entry.register {
            let hour = entry.counted_at.as_millisecond().div_euclid(3_600_000);
            self.days.entry((entry.day, register)).or_default().add(entry);
            self.hours.entry((entry.day, register, hour)).or_default().add(entry);
        }
        for moved in &entry.moved {
            let movement = self.moved.entry((entry.day, moved.sku.clone())).or_default();
            movement.add(entry.kind, moved.by);
        }
    }
}

impl Figures {
    /// Adds an entry of a register.
    pub(super) fn add(&mut self, entry: &Entry) {
        let (count, sum) = match entry.kind {
            EntryKind::Refund => (&mut self.refunds, &mut self.refunded_minor),
            EntryKind::Sale | EntryKind::Set | EntryKind::Adjust => {
                (&mut self.sales, &mut self.gross_minor)
            }
        };
        *count = count.saturating_add(1);
        *sum = sum.saturating_add(entry.amount_minor);
    }
}

impl Movement {
    fn add(&mut self, kind: EntryKind, by: i64) {
        let (of, by) = match kind {
            EntryKind::Sale => (&mut self.sold, by.saturating_neg()),
            EntryKind::Refund => (&mut self.refunded, by),
            EntryKind::Set | EntryKind::Adjust => (&mut self.adjusted, by),
        };
        *of = of.saturating_add(by);
    }
}
