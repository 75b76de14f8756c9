//! The description is that of the routes, and the committed one is current.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tillroll_domain::receipt::Receipt;
use tillroll_register::http::openapi_json;
use tillroll_register::view::ReceiptBody;

use crate::support::{Plan, Shop};

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

#[test]
fn committed_description_is_current() {
    let committed = std::fs::read_to_string(COMMITTED).unwrap_or_default();
    assert!(committed == openapi_json(), "docs/openapi.json is not current: run `make openapi`");
}

#[test]
fn every_operation_has_a_name_of_its_own_and_may_end_with_a_problem() {
    let description: Value = serde_json::from_str(&openapi_json()).unwrap();
    assert_eq!(description["openapi"], "3.1.0");
    let mut names = BTreeSet::new();
    for (path, item) in description["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name.to_owned()), "{name} twice");
            let problem = &operation["responses"]["default"]["$ref"];
            assert_eq!(problem, "#/components/responses/Problem", "{method} {path}");
            assert!(!operation["summary"].as_str().unwrap().is_empty(), "{name}");
            for (status, response) in operation["responses"].as_object().unwrap() {
                let is_described = response.get("description").is_some() || status == "default";
                assert!(is_described, "{name} {status}: OpenAPI asks for a description");
            }
        }
    }
    for expected in ["submit_receipt", "answer_job", "skip_jobs", "close_day", "listen_to_events"] {
        assert!(names.contains(expected), "{expected}");
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let description: Value = serde_json::from_str(&openapi_json()).unwrap();
    let mut references = BTreeSet::new();
    collect(&description, &mut references);
    assert!(references.len() > 20);
    for reference in references {
        let target = description.pointer(reference.trim_start_matches('#'));
        assert!(target.is_some(), "{reference} leads nowhere");
    }
}

fn collect(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                found.insert(reference.clone());
            }
            fields.values().for_each(|value| collect(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| collect(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A receipt with every field there is.
fn whole_receipt() -> Value {
    json!({
        "order_no": "1", "kind": "receipt", "version": 1, "issued_at": "2026-10-09T02:03:25Z", "printer": "front",
        "header": ["h"],
        "lines": [{"name": "n", "quantity": "2", "unit": "kg", "unit_price_minor": 1, "amount_minor": 2, "note": "n"}],
        "charges": [{"name": "c", "amount_minor": 1}], "discounts": [{"name": "d", "amount_minor": 1}],
        "taxes": [{"name": "t", "amount_minor": 1, "included": true}],
        "rounding_minor": -1, "total_minor": 1, "tenders": [{"type": "cash", "amount_minor": 1}], "change_minor": 1,
        "footer": ["f"], "qr": "q", "barcode": "b", "logo": "l", "raw_base64": "AA=="
    })
}

#[test]
fn described_receipt_has_the_fields_of_the_one_that_is_read() {
    let read: Receipt = serde_json::from_value(whole_receipt()).unwrap();
    let written = serde_json::to_value(&read).unwrap();
    serde_json::from_value::<ReceiptBody>(written.clone()).expect("the shape has every field");
    let description: Value = serde_json::from_str(&openapi_json()).unwrap();
    for (schema, part) in [
        ("ReceiptBody", "/"),
        ("LineBody", "/lines/0"),
        ("NamedAmountBody", "/charges/0"),
        ("NamedAmountBody", "/discounts/0"),
        ("TaxBody", "/taxes/0"),
        ("TenderBody", "/tenders/0"),
    ] {
        let described = &description["components"]["schemas"][schema]["properties"];
        let part = written.pointer(part.trim_end_matches('/')).unwrap();
        assert_eq!(names(described), names(part), "{schema}");
    }
}

fn names(object: &Value) -> BTreeSet<&String> {
    object.as_object().unwrap().keys().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn register_serves_its_description() {
    let shop = Shop::open(Plan::default()).await;
    let served = shop.bare(reqwest::Method::GET, "/v1/openapi.json").send().await.unwrap();
    assert_eq!(served.headers()["content-type"], "application/json");
    assert_eq!(served.text().await.unwrap(), openapi_json());
}
