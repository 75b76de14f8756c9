//! Checks of a receipt: bounds, required fields, and sums that add up. All faults are found at once.

use super::{Line, NamedAmount, Receipt, Tender};
use crate::ids::{JobKind, NUMBER_MAX};
use crate::money::{AMOUNT_MAX, Minor};

/// Bounds of a receipt, in entries or bytes.
pub mod limits {
    /// Lines of goods.
    pub const LINES: usize = 2_000;
    /// Charges, discounts, taxes, tenders, header and footer rows: entries in each.
    pub const ENTRIES: usize = 100;
    /// One text, in bytes of UTF-8.
    pub const TEXT: usize = 1_000;
    /// A QR code's content: version 40 at error correction M holds 2,331 bytes (ISO/IEC 18004).
    pub const QR: usize = 2_331;
    /// A bar code's content: what fits on 80 mm paper at the narrowest module.
    pub const BARCODE: usize = 40;
    /// Base64 of a raw job, in bytes.
    pub const RAW: usize = 4 * 1024 * 1024;
}

/// One thing wrong with a receipt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A required field is missing.
    #[error("{field} is required{because}")]
    Missing {
        /// The field's path.
        field: String,
        /// Why it is required, with a leading space, or empty.
        because: &'static str,
    },
    /// A field is not as it must be.
    #[error("{field} {must}")]
    Field {
        /// The field's path.
        field: String,
        /// What it must be.
        must: String,
    },
    /// Two sums differ.
    #[error("{formula}: {computed} is not {stated}")]
    Sum {
        /// The field that states the sum.
        field: &'static str,
        /// How it is computed.
        formula: &'static str,
        /// What the parts add up to, in minor units.
        computed: i64,
        /// What the field says, in minor units.
        stated: i64,
    },
}

impl Fault {
    /// The path of the field at fault.
    #[must_use]
    pub fn field(&self) -> &str {
        match self {
            Self::Missing { field, .. } | Self::Field { field, .. } => field,
            Self::Sum { field, .. } => field,
        }
    }
}

const TOTAL_FORMULA: &str =
    "lines + charges - discounts + taxes not included + rounding_minor = total_minor";
const TENDER_FORMULA: &str = "tenders - change_minor = total_minor";

impl Receipt {
    /// Finds everything wrong with the receipt.
    ///
    /// # Errors
    /// Every [`Fault`], in the order of the fields.
    pub fn check(&self) -> Result<(), Vec<Fault>> {
        let mut faults = Vec::new();
        self.check_shape(&mut faults);
        self.check_texts(&mut faults);
        self.check_amounts(&mut faults);
        if faults.is_empty() {
            self.check_sums(&mut faults);
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    fn check_shape(&self, faults: &mut Vec<Fault>) {
        if !(1..=NUMBER_MAX).contains(&self.version) {
            faults.push(field("version", format!("must be from 1 to {NUMBER_MAX}")));
        }
        match (&self.raw_base64, self.lines.is_empty()) {
            (None, true) => faults.push(missing("lines", ", or raw_base64 in their place")),
            (Some(_), false) => faults.push(field("raw_base64", "cannot stand beside lines")),
            (Some(raw), true) => self.check_raw(raw, faults),
            (None, false) => {}
        }
        let states_total = matches!(self.kind, JobKind::Receipt | JobKind::Refund);
        if states_total && !self.lines.is_empty() && self.total_minor.is_none() {
            faults.push(missing("total_minor", " with lines of a receipt or refund"));
        }
    }

    fn check_raw(&self, raw: &str, faults: &mut Vec<Fault>) {
        if raw.len() > limits::RAW {
            faults.push(field("raw_base64", format!("must be at most {} bytes", limits::RAW)));
        } else if self.raw().is_none_or(|bytes| bytes.is_empty()) {
            faults.push(field("raw_base64", "must be base64 of at least one byte"));
        }
    }

    fn check_texts(&self, faults: &mut Vec<Fault>) {
        let counts = [
            ("header", self.header.len(), limits::ENTRIES),
            ("lines", self.lines.len(), limits::LINES),
            ("charges", self.charges.len(), limits::ENTRIES),
            ("discounts", self.discounts.len(), limits::ENTRIES),
            ("taxes", self.taxes.len(), limits::ENTRIES),
            ("tenders", self.tenders.len(), limits::ENTRIES),
            ("footer", self.footer.len(), limits::ENTRIES),
        ];
        for (name, count, most) in counts {
            if count > most {
                faults.push(field(name, format!("must have at most {most} entries")));
            }
        }
        for (path, text) in self.texts() {
            if text.len() > limits::TEXT {
                faults.push(field(&path, format!("must be at most {} bytes", limits::TEXT)));
            }
        }
        self.check_codes(faults);
    }

    fn check_codes(&self, faults: &mut Vec<Fault>) {
        if let Some(qr) = &self.qr
            && !(1..=limits::QR).contains(&qr.len())
        {
            faults.push(field("qr", format!("must be 1 to {} bytes", limits::QR)));
        }
        if let Some(code) = &self.barcode {
            let sized = (1..=limits::BARCODE).contains(&code.len());
            if !sized || !code.bytes().all(|b| (0x20..0x7f).contains(&b)) {
                let must = format!("must be 1 to {} printable ASCII characters", limits::BARCODE);
                faults.push(field("barcode", must));
            }
        }
    }

    fn texts(&self) -> impl Iterator<Item = (String, &str)> {
        let header = numbered("header", &self.header, "").map(|(path, text)| (path, text.as_str()));
        let footer = numbered("footer", &self.footer, "").map(|(path, text)| (path, text.as_str()));
        let lines = self.lines.iter().enumerate().flat_map(|(i, line)| line_texts(i, line));
        let charges = numbered("charges", &self.charges, ".name").map(named);
        let discounts = numbered("discounts", &self.discounts, ".name").map(named);
        let taxes =
            numbered("taxes", &self.taxes, ".name").map(|(path, tax)| (path, tax.name.as_str()));
        header.chain(lines).chain(charges).chain(discounts).chain(taxes).chain(footer)
    }

    fn check_amounts(&self, faults: &mut Vec<Fault>) {
        let amount = |(path, entry): (String, &NamedAmount)| (path, entry.amount_minor);
        let tender = |(path, entry): (String, &Tender)| (path, entry.amount_minor);
        let lines = self.lines.iter().enumerate().flat_map(|(i, line)| line_amounts(i, line));
        let all = lines
            .chain(numbered("charges", &self.charges, ".amount_minor").map(amount))
            .chain(numbered("discounts", &self.discounts, ".amount_minor").map(amount))
            .chain(
                numbered("taxes", &self.taxes, ".amount_minor")
                    .map(|(path, tax)| (path, tax.amount_minor)),
            )
            .chain(numbered("tenders", &self.tenders, ".amount_minor").map(tender))
            .chain(self.total_minor.map(|amount| ("total_minor".to_owned(), amount)))
            .chain(self.change_minor.map(|amount| ("change_minor".to_owned(), amount)));
        for (path, amount) in all {
            if !amount.is_plain() {
                faults.push(field(&path, format!("must be from 0 to {AMOUNT_MAX}")));
            }
        }
        if let Some(rounding) = self.rounding_minor
            && !Minor(rounding.0.saturating_abs()).is_plain()
        {
            faults.push(field("rounding_minor", format!("must be within ±{AMOUNT_MAX}")));
        }
    }

    fn check_sums(&self, faults: &mut Vec<Fault>) {
        let Some(total) = self.total_minor else { return };
        let amounts = self.amounts();
        if !self.lines.is_empty() && amounts.computed_total != total {
            faults.push(sum("total_minor", TOTAL_FORMULA, amounts.computed_total, total));
        }
        if !self.tenders.is_empty() && amounts.paid != total {
            faults.push(sum("tenders", TENDER_FORMULA, amounts.paid, total));
        }
    }
}

fn numbered<'a, T>(
    name: &'static str,
    entries: &'a [T],
    suffix: &'static str,
) -> impl Iterator<Item = (String, &'a T)> {
    entries.iter().enumerate().map(move |(i, entry)| (format!("{name}[{i}]{suffix}"), entry))
}

fn named((path, entry): (String, &NamedAmount)) -> (String, &str) {
    (path, &entry.name)
}

fn line_texts(i: usize, line: &Line) -> impl Iterator<Item = (String, &str)> {
    [("name", Some(&line.name)), ("unit", line.unit.as_ref()), ("note", line.note.as_ref())]
        .into_iter()
        .filter_map(move |(name, text)| Some((format!("lines[{i}].{name}"), text?.as_str())))
}

/// A line's amounts; the computed one stands under the name of the field it stands in for.
fn line_amounts(i: usize, line: &Line) -> impl Iterator<Item = (String, Minor)> {
    [("unit_price_minor", line.unit_price_minor), ("amount_minor", line.amount())]
        .into_iter()
        .filter_map(move |(name, amount)| Some((format!("lines[{i}].{name}"), amount?)))
}

fn missing(name: &str, because: &'static str) -> Fault {
    Fault::Missing { field: name.to_owned(), because }
}

fn field(name: &str, must: impl Into<String>) -> Fault {
    Fault::Field { field: name.to_owned(), must: must.into() }
}

fn sum(field: &'static str, formula: &'static str, computed: Minor, stated: Minor) -> Fault {
    Fault::Sum { field, formula, computed: computed.0, stated: stated.0 }
}
