//! Every route of the description, and what each is asked with.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tillroll_register::http::openapi;
use tillroll_testkit::openapi::{Operation, operations};

use crate::support::{Shop, receipt};

const DAY: &str = "2026-10-09";

pub fn all() -> Vec<Operation> {
    let found = operations(&serde_json::to_value(openapi()).unwrap());
    assert!(found.len() > 40, "{} routes", found.len());
    found
}

pub fn method(operation: &Operation) -> Method {
    operation.method.parse().unwrap()
}

/// Fills in an address.
pub fn value(operation: &Operation, parameter: &str) -> String {
    let value = match parameter {
        "action" => "scan",
        "date" => DAY,
        "id" if operation.path.starts_with("/v1/jobs/") => "S1:R1-000001:receipt:v1",
        "id" => "1",
        "name" if operation.path.starts_with("/v1/clients/") => "pos-9",
        "name" => "front",
        "verb" => "retry",
        other => panic!("{other} is new: say what to ask for"),
    };
    value.to_owned()
}

/// A request with the owner's token, with a body where its route takes one.
pub fn request(shop: &Shop, operation: &Operation, path: &str) -> RequestBuilder {
    let request = shop.request(method(operation), path);
    if operation.takes_body { request.json(&body(operation)) } else { request }
}

/// A body of the fields that its route knows.
pub fn body(operation: &Operation) -> Value {
    let ids =
        || json!({"ids": ["S1:R1-000001:receipt:v1"], "reason": "a test", "printer": "front"});
    match operation.path.as_str() {
        "/v1/clients" => json!({"name": "pos-9", "order_scope": "store", "may_open_drawer": true,
            "may_manage": false}),
        "/v1/cloud/pair" => json!({"url": "http://127.0.0.1:1", "code": "123-456"}),
        "/v1/days/{date}/cash" => json!({"kind": "float", "amount_minor": 100, "reason": "a test"}),
        "/v1/days/{date}/close" => json!({"counted_minor": 0, "reason": "a test"}),
        "/v1/days/{date}/pos-totals" => json!({"receipts": 1, "refunds": 0, "gross_minor": 1_250,
            "refunded_minor": 0, "tenders": {"cash": 1_250}}),
        "/v1/jobs/{id}/{verb}" => json!({"reason": "a test", "printer": "front"}),
        "/v1/limits/promotion" => json!({"percent": 150, "lasts_s": 60}),
        "/v1/printers" => json!({"name": "bar", "uri": "virtual:bar", "level": "token"}),
        "/v1/printers/{name}" => json!({"columns": 42, "uri": "virtual:front"}),
        "/v1/printers/{name}/drawer" => json!({"reason": "a test"}),
        "/v1/receipts" => receipt(1),
        "/v1/rejected/{id}/answer" => json!({"answer": "given_up"}),
        "/v1/routes" => json!({"kitchen": "front"}),
        path if path.starts_with("/v1/jobs/") => ids(),
        path if path.starts_with("/v1/splits/") => json!({"note": "a test"}),
        path if path.starts_with("/v1/cloud/records/") => json!({"ids": [1], "reason": "a test"}),
        other => panic!("{other} is new: say what it takes"),
    }
}
