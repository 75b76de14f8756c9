//! The receipt as a POS hands it over, for the description of the API. What is read is
//! [`tillroll_domain::receipt::Receipt`], which knows no API; a test holds the two together.

use serde::Deserialize;
use tillroll_http::{LineBody, NamedAmountBody, TaxBody, TenderBody};
use utoipa::ToSchema;

/// A receipt, refund, unpaid bill, kitchen order or report for one print job. Amounts are integers of
/// minor units and never negative, but for `rounding_minor`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "Receipt")]
#[expect(dead_code, reason = "a shape to describe, never a value")]
pub struct ReceiptBody {
    /// The POS's own number of the order, of `A-Z a-z 0-9 . _ ~ -`.
    #[schema(min_length = 1, max_length = 80, pattern = "^[A-Za-z0-9._~-]+$")]
    order_no: String,
    /// What is printed: `receipt`, `refund`, `prebill`, `kitchen` or `report`.
    #[schema(pattern = "^(receipt|refund|prebill|kitchen|report)$")]
    kind: String,
    /// Version of this order's paper; a correction by the POS is the next version.
    #[schema(minimum = 1, maximum = 999_999, default = 1)]
    #[serde(default)]
    version: u32,
    /// The POS's own time of the sale.
    #[schema(format = DateTime)]
    issued_at: Option<String>,
    /// Printer to use; without it the route of the kind.
    printer: Option<String>,
    /// Lines of text above the receipt.
    #[serde(default)]
    header: Vec<String>,
    /// What was sold.
    #[serde(default)]
    lines: Vec<LineBody>,
    /// Added to the lines, a tip or packaging.
    #[serde(default)]
    charges: Vec<NamedAmountBody>,
    /// Taken off the lines.
    #[serde(default)]
    discounts: Vec<NamedAmountBody>,
    /// Taxes, contained in the prices or added to them.
    #[serde(default)]
    taxes: Vec<TaxBody>,
    /// Signed rounding of the total to a payable amount.
    rounding_minor: Option<i64>,
    /// What is to pay; required with lines of a receipt or refund.
    #[schema(minimum = 0)]
    total_minor: Option<i64>,
    /// How it was paid.
    #[serde(default)]
    tenders: Vec<TenderBody>,
    /// Cash given back out of the tenders.
    #[schema(minimum = 0)]
    change_minor: Option<i64>,
    /// Lines of text below the receipt.
    #[serde(default)]
    footer: Vec<String>,
    /// Content of a QR code.
    qr: Option<String>,
    /// Content of a Code 128 bar code; 13 digits with a right check digit print as EAN-13.
    barcode: Option<String>,
    /// Name of a stored picture printed on top.
    logo: Option<String>,
    /// ESC/POS bytes in base64, in place of the lines.
    raw_base64: Option<String>,
}
