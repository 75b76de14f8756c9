use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn bill() -> Value {
    json!({
        "order_no": "20261009-000123", "kind": "receipt", "issued_at": "2026-10-09T10:03:25+08:00",
        "lines": [{"name": "红烧牛肉面（大碗）", "quantity": "2", "unit": "份", "unit_price_minor": 2800, "amount_minor": 5600, "note": "少辣"}],
        "charges": [{"name": "打包费", "amount_minor": 100}], "discounts": [{"name": "会员", "amount_minor": 300}],
        "taxes": [{"name": "增值税 6%", "amount_minor": 306, "included": true}],
        "total_minor": 5400, "tenders": [{"type": "cash", "amount_minor": 6000}], "change_minor": 600
    })
}

fn receipt(value: Value) -> Receipt {
    serde_json::from_value(value).unwrap()
}

fn with(field: &str, value: Value) -> Receipt {
    let mut bill = bill();
    bill[field] = value;
    receipt(bill)
}

fn faults(receipt: &Receipt) -> Vec<String> {
    receipt.check().unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn restaurant_bill_adds_up() {
    receipt(bill()).check().unwrap();
}

#[test]
fn wrong_total_names_both_sums() {
    let faults = faults(&with("total_minor", json!(5500)));
    assert_eq!(
        faults,
        [
            "lines + charges - discounts + taxes not included + rounding_minor = total_minor: 5400 is not 5500",
            "tenders - change_minor = total_minor: 5400 is not 5500"
        ]
    );
}

#[test]
fn added_tax_and_rounding_count_into_the_total() {
    let mut bill = with("taxes", json!([{"name": "VAT", "amount_minor": 306}]));
    bill.rounding_minor = Some(Minor(-306));
    bill.check().unwrap();
}

#[test]
fn weighed_line_is_rounded_once() {
    let sale = receipt(json!({"order_no": "1", "kind": "receipt",
        "lines": [{"name": "Gouda", "quantity": "0.375", "unit": "kg", "unit_price_minor": 1330}],
        "total_minor": 499, "tenders": [{"type": "cash", "amount_minor": 499}], "change_minor": 0}));
    sale.check().unwrap();
    assert_eq!(sale.takings_by_tender(), [("cash".to_owned(), Minor(499))]);
}

#[test]
fn change_is_not_takings() {
    let mixed = receipt(
        json!({"order_no": "2", "kind": "receipt", "lines": [{"name": "x", "amount_minor": 5000}],
        "total_minor": 5000, "tenders": [{"type": "card", "amount_minor": 3000}, {"type": "cash", "amount_minor": 2500}],
        "change_minor": 500}),
    );
    mixed.check().unwrap();
    let by_tender = mixed.takings_by_tender();
    assert_eq!(by_tender, [("card".to_owned(), Minor(3000)), ("cash".to_owned(), Minor(2000))]);
}

#[test]
fn refund_turns_the_sign_and_other_papers_move_nothing() {
    let mut paper = receipt(bill());
    paper.kind = JobKind::Refund;
    assert_eq!(paper.takings(), Minor(-5400));
    assert_eq!(paper.takings_by_tender(), [("cash".to_owned(), Minor(-5400))]);
    paper.kind = JobKind::Prebill;
    assert_eq!(paper.takings(), Minor::ZERO);
}

#[test]
fn kitchen_order_needs_no_money() {
    receipt(
        json!({"order_no": "3", "kind": "kitchen", "lines": [{"name": "面", "quantity": "2"}]}),
    )
    .check()
    .unwrap();
}

#[test]
fn every_fault_is_found_at_once_and_names_its_field() {
    let bad = receipt(json!({"order_no": "4", "kind": "receipt", "version": 0,
        "lines": [{"name": "x", "amount_minor": -1}, {"name": "y".repeat(1001)}],
        "tenders": [{"type": "cash", "amount_minor": i64::MAX}], "qr": "", "barcode": "é"}));
    let found = bad.check().unwrap_err();
    let fields: Vec<_> = found.iter().map(Fault::field).collect();
    assert_eq!(
        fields,
        [
            "version",
            "total_minor",
            "lines[1].name",
            "qr",
            "barcode",
            "lines[0].amount_minor",
            "tenders[0].amount_minor"
        ]
    );
}

#[test]
fn lines_and_raw_bytes_exclude_each_other_and_one_is_required() {
    let empty = receipt(json!({"order_no": "5", "kind": "receipt"}));
    assert_eq!(faults(&empty), ["lines is required, or raw_base64 in their place"]);
    assert_eq!(
        faults(&with("raw_base64", json!("G0A="))),
        ["raw_base64 cannot stand beside lines"]
    );
    let raw = receipt(json!({"order_no": "5", "kind": "receipt", "raw_base64": "SGk="}));
    raw.check().unwrap();
    assert_eq!(raw.raw().unwrap(), b"Hi");
    let bad = receipt(json!({"order_no": "5", "kind": "receipt", "raw_base64": "?"}));
    assert_eq!(faults(&bad), ["raw_base64 must be base64 of at least one byte"]);
}

#[test]
fn misspelt_field_is_refused_by_name() {
    let mut bill = bill();
    bill["tender"] = json!([]);
    let error = serde_json::from_value::<Receipt>(bill).unwrap_err().to_string();
    assert!(error.contains("`tender`"), "{error}");
}

#[test]
fn fingerprint_is_of_the_meaning_not_of_the_spelling() {
    let text = bill().to_string();
    let spaced = text.replace(',', ", ").replace("\"kind\"", "\"version\": 1, \"kind\"");
    let plain: Receipt = serde_json::from_str(&text).unwrap();
    let other: Receipt = serde_json::from_str(&spaced).unwrap();
    assert_eq!(plain.fingerprint().unwrap(), other.fingerprint().unwrap());
    assert_ne!(
        plain.fingerprint().unwrap(),
        with("change_minor", json!(601)).fingerprint().unwrap()
    );
}

proptest! {
    #[test]
    fn check_never_panics_and_sums_never_overflow(amounts in proptest::collection::vec(any::<i64>(), 0..20), total: i64, rounding: i64) {
        let mut sale = receipt(json!({"order_no": "6", "kind": "receipt"}));
        sale.lines = amounts.iter().map(|&amount| Line { name: String::new(), quantity: None, unit: None,
            unit_price_minor: None, amount_minor: Some(Minor(amount)), note: None }).collect();
        sale.total_minor = Some(Minor(total));
        sale.rounding_minor = Some(Minor(rounding));
        let _ = sale.check();
        let _ = sale.takings_by_tender();
    }
}
