//! The day.

use serde_json::json;

use crate::desk::{PIN, Page};

#[test]
fn day_adds_up_and_is_closed_with_the_pin() {
    let page = Page::with_printer();
    page.sell("1001");
    let date = page.today();
    let float = json!({"kind": "float", "amount_minor": 20000});
    page.call("move_cash", json!({"date": date, "body": float})).unwrap();
    let totals = json!({"receipts": 2, "gross_minor": 10800});
    page.call("declare_pos_totals", json!({"date": date, "totals": totals})).unwrap();
    let day = page.call("day", json!({"date": date})).unwrap();
    assert_eq!(day["register"]["receipts"], 1);
    assert_eq!(day["differences"][0]["code"], "pos");
    let hours = page.call("hours", json!({"date": date})).unwrap();
    assert_eq!(hours.as_array().unwrap().len(), 1);
    assert_eq!(hours[0]["receipts"], 1);
    assert_eq!(hours[0]["still_open"], 0);
    let close = |pin: &str| {
        page.call("close_day", json!({"date": date, "counted_minor": 20000, "pin": pin}))
    };
    assert_eq!(close("9999").unwrap_err()["code"], "wrong_pin");
    let closed = close(PIN).unwrap();
    assert_eq!(closed["z_no"], 1);
    assert_eq!(closed["cash_difference_minor"], 0);
    assert_eq!(close(PIN).unwrap_err()["code"], "not_allowed", "no session is open");
}

#[test]
fn day_is_written_to_a_file() {
    let page = Page::with_printer();
    page.sell("1001");
    let export = json!({"date": page.today(), "format": "csv"});
    let path = page.call("export_day", export).unwrap();
    let text = std::fs::read_to_string(path.as_str().unwrap()).unwrap();
    assert!(text.contains("\"register\",\"\",\"receipts\",\"1\""), "{text}");
}

#[test]
fn what_is_no_day_and_no_amount_is_told_by_its_code() {
    let page = Page::with_printer();
    for command in ["day", "hours"] {
        assert_eq!(page.code_of(command, json!({"date": "yesterday"})), "invalid_value");
    }
    let date = page.today();
    let move_cash = |body| page.code_of("move_cash", json!({"date": date, "body": body}));
    assert_eq!(move_cash(json!({"kind": "float", "amount_minor": -1})), "invalid_value");
    assert_eq!(move_cash(json!({"kind": "paid_out", "amount_minor": 100})), "invalid_value");
    assert_eq!(move_cash(json!({"kind": "gift", "amount_minor": 100})), "invalid_value");
    let totals = json!({"date": date, "totals": {"receipts": -1, "gross_minor": 0}});
    assert_eq!(page.code_of("declare_pos_totals", totals), "invalid_value");
    let export = json!({"date": date, "format": "docx"});
    assert_eq!(page.code_of("export_day", export), "invalid_value");
}
