//! The print job as a business system sends it, for the description of the API. What is read is
//! [`tillroll_domain::receipt::Receipt`], which knows no API; a test holds the two together.

use serde::Deserialize;
use tillroll_http::{LineBody, NamedAmountBody, TaxBody, TenderBody};
use utoipa::ToSchema;

/// A receipt, refund, unpaid bill, kitchen order or report, and how long it may take. Amounts are
/// integers of minor units and never negative, but for `rounding_minor`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "PrintJob")]
#[expect(dead_code, reason = "a shape to describe, never a value")]
pub(super) struct PrintJobBody {
    /// The order's number, of `A-Z a-z 0-9 . _ ~ -`, unique in the store.
    #[schema(min_length = 1, max_length = 80, pattern = "^[A-Za-z0-9._~-]+$")]
    order_no: String,
    /// What is printed: `receipt`, `refund`, `prebill`, `kitchen` or `report`.
    #[schema(pattern = "^(receipt|refund|prebill|kitchen|report)$")]
    kind: String,
    /// Version of this order's paper; a correction is the next version.
    #[schema(minimum = 1, maximum = 999_999, default = 1)]
    #[serde(default)]
    version: u32,
    /// Seconds until it is too late; 90 without it.
    #[schema(minimum = 1, maximum = 604_800)]
    deadline_s: Option<u32>,
    /// What happens when that passed while the register was away: `hold` or `drop`.
    #[schema(pattern = "^(hold|drop)$", default = "hold")]
    after_deadline: Option<String>,
    /// The sender's own time of the order.
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
    /// Name of a picture stored at the register, printed on top.
    logo: Option<String>,
    /// ESC/POS bytes in base64, in place of the lines.
    raw_base64: Option<String>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};
    use tillroll_domain::receipt::Receipt;

    use super::*;
    use crate::http::openapi_json;

    /// A receipt with every field there is.
    fn whole_receipt() -> Value {
        json!({
            "order_no": "1", "kind": "receipt", "version": 1, "issued_at": "2026-10-09T02:03:25Z",
            "printer": "front", "header": ["h"],
            "lines": [{"name": "n", "quantity": "2", "unit": "kg", "unit_price_minor": 1,
                "amount_minor": 2, "note": "n"}],
            "charges": [{"name": "c", "amount_minor": 1}],
            "discounts": [{"name": "d", "amount_minor": 1}],
            "taxes": [{"name": "t", "amount_minor": 1, "included": true}],
            "rounding_minor": -1, "total_minor": 1,
            "tenders": [{"type": "cash", "amount_minor": 1}], "change_minor": 1,
            "footer": ["f"], "qr": "q", "barcode": "b", "logo": "l", "raw_base64": "AA=="
        })
    }

    #[test]
    fn described_job_has_the_fields_of_the_one_that_is_read() {
        let read: Receipt = serde_json::from_value(whole_receipt()).unwrap();
        let mut written = serde_json::to_value(&read).unwrap();
        written["deadline_s"] = json!(90);
        written["after_deadline"] = json!("hold");
        serde_json::from_value::<PrintJobBody>(written.clone()).expect("the shape has every field");
        let description: Value = serde_json::from_str(&openapi_json()).unwrap();
        for (schema, part) in [
            ("PrintJobBody", ""),
            ("LineBody", "/lines/0"),
            ("NamedAmountBody", "/charges/0"),
            ("NamedAmountBody", "/discounts/0"),
            ("TaxBody", "/taxes/0"),
            ("TenderBody", "/tenders/0"),
        ] {
            let described = &description["components"]["schemas"][schema]["properties"];
            assert_eq!(names(described), names(written.pointer(part).unwrap()), "{schema}");
        }
    }

    fn names(object: &Value) -> BTreeSet<&String> {
        object.as_object().unwrap().keys().collect()
    }
}
