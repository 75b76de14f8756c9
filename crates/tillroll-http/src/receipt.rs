//! The parts of a receipt as an API describes them. What is read is the receipt of the domain, which knows no
//! API; each program's own test holds the two together.

use serde::Deserialize;
use utoipa::ToSchema;

/// One line of what was sold.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "Line")]
#[expect(dead_code, reason = "a shape to describe, never a value")]
pub struct LineBody {
    /// What it is.
    name: String,
    /// How much of it, a decimal: `"2"`, `"0.375"`.
    quantity: Option<String>,
    /// Unit of the quantity, `kg`.
    unit: Option<String>,
    /// Price of one unit.
    #[schema(minimum = 0)]
    unit_price_minor: Option<i64>,
    /// Price of the line; without it quantity times unit price, rounded once.
    #[schema(minimum = 0)]
    amount_minor: Option<i64>,
    /// A remark under the line.
    note: Option<String>,
}

/// A named charge or discount.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "NamedAmount")]
#[expect(dead_code, reason = "a shape to describe, never a value")]
pub struct NamedAmountBody {
    /// What it is.
    name: String,
    /// How much.
    #[schema(minimum = 0)]
    amount_minor: i64,
}

/// A tax.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "Tax")]
#[expect(dead_code, reason = "a shape to describe, never a value")]
pub struct TaxBody {
    /// Name and rate as printed.
    name: String,
    /// How much.
    #[schema(minimum = 0)]
    amount_minor: i64,
    /// Whether the prices contain it already.
    #[serde(default)]
    included: bool,
}

/// A payment.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "Tender")]
#[expect(dead_code, reason = "a shape to describe, never a value")]
pub struct TenderBody {
    /// How it was paid: `cash`, `card`, ...
    r#type: String,
    /// How much was handed over.
    #[schema(minimum = 0)]
    amount_minor: i64,
}
