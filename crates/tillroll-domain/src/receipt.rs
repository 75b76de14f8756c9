//! The receipt as a POS hands it over, and the checks before it is accepted.
//!
//! Invariants after [`Receipt::check`]: amounts are plain integers of minor units, every text and list
//! is bounded, and the sums add up. Control characters in texts are allowed here: keeping them off
//! the printer is the encoder's duty.

mod amounts;
mod check;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use self::amounts::Amounts;
pub use self::check::{Fault, limits};
use crate::fingerprint::Fingerprint;
use crate::ids::{JobKind, Part};
use crate::money::Minor;
use crate::quantity::Quantity;

/// A receipt, refund, unpaid bill, kitchen order or report for one print job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The POS's own number of the order.
    pub order_no: Part,
    /// What is printed.
    pub kind: JobKind,
    /// Version of this order's paper, from 1; a correction by the POS is the next version.
    #[serde(default = "first_version")]
    pub version: u32,
    /// The POS's own time of the sale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issued_at: Option<Timestamp>,
    /// Printer to use; without it the route of the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printer: Option<Part>,
    /// Lines of text above the receipt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub header: Vec<String>,
    /// What was sold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
    /// Added to the lines, a tip or packaging.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<NamedAmount>,
    /// Taken off the lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub discounts: Vec<NamedAmount>,
    /// Taxes, contained in the prices or added to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taxes: Vec<Tax>,
    /// Signed rounding of the total to a payable amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounding_minor: Option<Minor>,
    /// What is to pay; required with lines of a receipt or refund.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_minor: Option<Minor>,
    /// How it was paid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tenders: Vec<Tender>,
    /// Cash given back out of the tenders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_minor: Option<Minor>,
    /// Lines of text below the receipt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub footer: Vec<String>,
    /// Content of a QR code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qr: Option<String>,
    /// Content of a Code 128 bar code (13 digits with a right check digit print as EAN-13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barcode: Option<String>,
    /// Name of a stored picture printed on top.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo: Option<Part>,
    /// ESC/POS bytes in base64, in place of the lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_base64: Option<String>,
}

/// One line of what was sold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// What it is.
    pub name: String,
    /// How much of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantity: Option<Quantity>,
    /// Unit of the quantity, `kg`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Price of one unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit_price_minor: Option<Minor>,
    /// Price of the line; without it quantity times unit price, rounded once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_minor: Option<Minor>,
    /// A remark under the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A named charge or discount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedAmount {
    /// What it is.
    pub name: String,
    /// How much.
    pub amount_minor: Minor,
}

/// A tax.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tax {
    /// Name and rate as printed.
    pub name: String,
    /// How much.
    pub amount_minor: Minor,
    /// Whether the prices contain it already.
    #[serde(default)]
    pub included: bool,
}

/// A payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tender {
    /// How it was paid: `cash`, `card`, ...
    #[serde(rename = "type")]
    pub tender_type: Part,
    /// How much was handed over.
    pub amount_minor: Minor,
}

/// The tender type that lies in the drawer.
pub const CASH: &str = "cash";

impl Tender {
    /// Whether this payment lies in the drawer.
    #[must_use]
    pub fn is_cash(&self) -> bool {
        self.tender_type.as_str() == CASH
    }
}

impl Line {
    /// Price of the line: as given, or quantity times unit price rounded once; `None` without money.
    #[must_use]
    pub fn amount(&self) -> Option<Minor> {
        self.amount_minor.or_else(|| Some(self.quantity?.price(self.unit_price_minor?)))
    }
}

impl Receipt {
    /// A receipt of that number and kind with nothing on it yet.
    #[must_use]
    pub fn new(order_no: Part, kind: JobKind) -> Self {
        Self {
            order_no,
            kind,
            version: first_version(),
            issued_at: None,
            printer: None,
            header: Vec::new(),
            lines: Vec::new(),
            charges: Vec::new(),
            discounts: Vec::new(),
            taxes: Vec::new(),
            rounding_minor: None,
            total_minor: None,
            tenders: Vec::new(),
            change_minor: None,
            footer: Vec::new(),
            qr: None,
            barcode: None,
            logo: None,
            raw_base64: None,
        }
    }

    /// The ESC/POS bytes it carries in place of lines; `None` for a typed receipt or bad base64
    /// (which [`Receipt::check`] refuses).
    #[must_use]
    pub fn raw(&self) -> Option<Vec<u8>> {
        STANDARD.decode(self.raw_base64.as_deref()?).ok()
    }

    /// The canonical body: defaults filled in, fields in fixed order, absent fields left out.
    ///
    /// # Errors
    /// Never in practice: every field has a JSON form.
    pub fn canonical(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    /// The fingerprint of the canonical body.
    ///
    /// # Errors
    /// As [`Receipt::canonical`].
    pub fn fingerprint(&self) -> Result<Fingerprint, serde_json::Error> {
        self.canonical().map(|body| Fingerprint::of(&body))
    }
}

fn first_version() -> u32 {
    1
}

#[cfg(test)]
mod tests;
