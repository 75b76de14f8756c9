//! The parts receipts are built of.

use jiff::Timestamp;
use tillroll_domain::ids::{JobKind, Part};
use tillroll_domain::money::Minor;
use tillroll_domain::receipt::{Line, NamedAmount, Receipt, Tax, Tender};

pub(super) fn empty(order_no: &str, kind: JobKind) -> Receipt {
    Receipt::new(part(order_no), kind)
}

pub(super) fn part(text: &str) -> Part {
    text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

pub(super) fn at(text: &str) -> Timestamp {
    text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// A line of whole pieces.
pub(super) fn line(name: &str, quantity: u32, unit_price: i64) -> Line {
    counted(name, &quantity.to_string(), None, unit_price)
}

/// A line by the kilogram.
pub(super) fn weighed(name: &str, kilograms: &str, unit_price: i64) -> Line {
    counted(name, kilograms, Some("kg"), unit_price)
}

fn counted(name: &str, quantity: &str, unit: Option<&str>, unit_price: i64) -> Line {
    let quantity = quantity.parse().unwrap_or_else(|error| panic!("{quantity:?}: {error}"));
    Line {
        name: name.to_owned(),
        quantity: Some(quantity),
        unit: unit.map(str::to_owned),
        unit_price_minor: Some(Minor(unit_price)),
        amount_minor: None,
        note: None,
    }
}

pub(super) fn named(name: &str, amount: i64) -> NamedAmount {
    NamedAmount { name: name.to_owned(), amount_minor: Minor(amount) }
}

pub(super) fn tax(name: &str, amount: i64, included: bool) -> Tax {
    Tax { name: name.to_owned(), amount_minor: Minor(amount), included }
}

pub(super) fn tender(tender_type: &str, amount: i64) -> Tender {
    Tender { tender_type: part(tender_type), amount_minor: Minor(amount) }
}
