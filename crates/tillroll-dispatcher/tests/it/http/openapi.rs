//! The description is that of the routes, and the committed one is current.

use std::collections::BTreeSet;

use serde_json::Value;
use tillroll_dispatcher::http::openapi_json;

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi-dispatcher.json");

#[test]
fn committed_description_is_current() {
    let committed = std::fs::read_to_string(COMMITTED).unwrap_or_default();
    let current = committed == openapi_json();
    assert!(current, "docs/openapi-dispatcher.json is not current: run `make openapi`");
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
            let is_open =
                ["/healthz", "/metrics", "/v1/openapi.json", "/v1/pair"].contains(&path.as_str());
            assert_eq!(operation.get("security").is_none(), is_open, "{name}");
        }
    }
    for expected in ["submit_print_job", "take_records", "open_channel", "pair", "list_rejected"] {
        assert!(names.contains(expected), "{expected}");
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let description: Value = serde_json::from_str(&openapi_json()).unwrap();
    let mut references = BTreeSet::new();
    collect(&description, &mut references);
    assert!(references.len() > 15, "{references:?}");
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
