//! Receipts in JSON.

use serde_json::json;

/// A sale of 12.50 in cash.
pub fn sale(order_no: &str) -> String {
    let lines = json!([
        {"name": "Tea", "quantity": "2", "unit_price_minor": 300, "amount_minor": 600},
        {"name": "Sandwich", "amount_minor": 650},
    ]);
    json!({
        "order_no": order_no, "kind": "receipt", "lines": lines, "total_minor": 1250,
        "tenders": [{"type": "cash", "amount_minor": 2000}], "change_minor": 750,
    })
    .to_string()
}

/// The id of that sale.
pub fn id(order_no: &str) -> String {
    format!("S1:{order_no}:receipt:v1")
}

/// A sale whose total is not what its line says.
pub fn wrong_sum(order_no: &str) -> String {
    json!({
        "order_no": order_no, "kind": "receipt",
        "lines": [{"name": "Tea", "amount_minor": 600}], "total_minor": 700,
    })
    .to_string()
}
