//! Whole receipts as they go out, one printer of each kind, readable beside the bytes.

use std::fmt::Write as _;

use tillroll_domain::receipt::Receipt;

use super::walker::{Event, walk};
use super::*;
use crate::compose::{Heading, Locale, Mark, compose};

fn document(json: serde_json::Value, locale: Locale, currency: &str, mark: Mark) -> Vec<Row> {
    let receipt: Receipt = serde_json::from_value(json).unwrap();
    receipt.check().unwrap();
    let job_id = format!("S1:{}:{}:v1", receipt.order_no, receipt.kind).parse().unwrap();
    let heading = Heading {
        job_id: &job_id,
        currency: currency.parse().unwrap(),
        locale,
        zone: jiff::tz::TimeZone::UTC,
        recorded_at: jiff::Timestamp::UNIX_EPOCH,
        mark,
        store_name: None,
    };
    compose(&receipt, &heading)
}

fn noodles() -> Vec<Row> {
    let json = serde_json::json!({
        "order_no": "123", "kind": "receipt", "issued_at": "2026-10-09T02:03:25Z",
        "lines": [{"name": "红烧牛肉面（大碗）", "quantity": "2", "unit": "份", "unit_price_minor": 2800, "note": "少辣"}],
        "total_minor": 5600, "tenders": [{"type": "cash", "amount_minor": 6000}], "change_minor": 400,
        "header": ["老王面馆"], "footer": ["谢谢光临"], "qr": "https://example.test/i/123", "barcode": "20261009000123"
    });
    document(json, Locale::ZhCn, "CNY", Mark::Copy)
}

fn bakery() -> Vec<Row> {
    let json = serde_json::json!({
        "order_no": "77", "kind": "refund", "issued_at": "2026-10-09T02:03:25Z",
        "lines": [{"name": "Crème brûlée", "amount_minor": 450}, {"name": "Чай", "amount_minor": 100}],
        "total_minor": 550, "tenders": [{"type": "cash", "amount_minor": 550}]
    });
    document(json, Locale::Fr, "EUR", Mark::None)
}

/// A line for each command and text; data by its length, so that fonts do not matter.
fn shown(encoded: &Encoded) -> String {
    let mut out = String::new();
    for event in walk(&encoded.body) {
        match event {
            Event::Text(bytes) if bytes.is_ascii() => {
                writeln!(out, "text   {}", String::from_utf8(bytes).unwrap()).unwrap();
            }
            Event::Text(bytes) => {
                let readable = String::from_utf8_lossy(&bytes).replace('\u{fffd}', "·");
                let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                writeln!(out, "text   {readable}   {}", hex.concat()).unwrap();
            }
            Event::Command(name, head) => writeln!(out, "{name:<6} {head:02x?}").unwrap(),
            Event::Data(data) => writeln!(out, "data   {} bytes", data.len()).unwrap(),
        }
    }
    writeln!(out, "cut    {:02x?}, {}", encoded.cut, encoded.cuts).unwrap();
    for note in &encoded.notes {
        writeln!(out, "note   {note:?}").unwrap();
    }
    out
}

#[test]
fn receipts_go_out_as_recorded() {
    for (receipt, rows) in [("noodles", noodles()), ("bakery", bakery())] {
        for name in ["generic-80", "generic-58-gb18030", "tm-t88v", "virtual"] {
            let encoded = encoded(&rows, &profile(name));
            insta::assert_snapshot!(format!("{receipt}_on_{name}"), shown(&encoded));
        }
    }
}
