//! A change is told to the page.

use std::sync::mpsc;

use serde_json::Value;
use tauri::Listener as _;

use crate::desk::{PATIENCE, Page};

#[test]
fn printed_receipt_is_told_by_its_id() {
    let page = Page::with_printer();
    tillroll_window::tell_changes(page.app.handle().clone());
    let (heard, hear) = mpsc::channel();
    page.app.listen("changed", move |event| {
        let batch: Vec<Value> = serde_json::from_str(event.payload()).unwrap();
        heard.send(batch).ok();
    });
    let id = page.submit("1001");
    let named = |batch: &Vec<Value>| {
        batch.iter().any(|hint| hint["changed"] == "job" && hint["id"] == id.as_str())
    };
    let told = std::iter::from_fn(|| hear.recv_timeout(PATIENCE).ok()).any(|batch| named(&batch));
    assert!(told, "the page heard of {id}");
}
