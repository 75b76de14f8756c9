//! The day.

use serde_json::{Value, json};
use tillroll_register::RegisterOptions;
use tillroll_window::DeskOptions;

use crate::desk::{PIN, Page, options};

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
fn cash_that_differs_is_closed_with_its_reason_alone() {
    let page = Page::with_printer();
    page.sell("1001");
    let close = |reason: Value| {
        let date = page.today();
        let closing = json!({"date": date, "counted_minor": 100, "reason": reason, "pin": PIN});
        page.call("close_day", closing)
    };
    let refused = close(json!(null)).unwrap_err();
    assert_eq!(
        (&refused["code"], &refused["faults"][0]["field"]),
        (&json!("invalid_value"), &json!("reason"))
    );
    let closed = close(json!("a coin too many")).unwrap();
    assert_eq!(closed["cash_difference_minor"], 100);
    assert_eq!(
        (&closed["cash_reason"], &closed["closed_by"]),
        (&json!("a coin too many"), &json!("manager"))
    );
    let day = page.call("day", json!({"date": page.today()})).unwrap();
    assert_eq!(day["sessions"][0]["cash"]["reason"], "a coin too many");
    assert_eq!(day["sessions"][0]["closed_by"], "manager");
}

#[test]
fn day_lists_openings_of_the_drawer_with_their_reason_and_outcome() {
    let page = Page::with_printer();
    page.unlock();
    page.call("open_drawer", json!({"name": "front", "reason": "coins"})).unwrap();
    let opening = page.wait_until(|| {
        let day = page.call("day", json!({"date": page.today()})).unwrap();
        let opening = day["openings"].as_array().unwrap().first().cloned();
        opening.filter(|opening| opening["outcome"] != "due")
    });
    assert_eq!(opening["outcome"], "opened");
    assert_eq!((&opening["reason"], &opening["client"]), (&json!("coins"), &json!("manager")));
    assert_eq!(opening["printer"], "front");
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
fn day_is_filed_as_pdf_where_there_are_fonts() {
    let page = Page::with_printer();
    page.sell("1001");
    let pdf = json!({"date": page.today(), "format": "pdf"});
    let path = page.call("export_day", pdf.clone()).unwrap();
    assert!(std::fs::read(path.as_str().unwrap()).unwrap().starts_with(b"%PDF-"));
    let data = page.data();
    let folder = page.close();
    let register = RegisterOptions { document_fonts: Default::default(), ..options().register };
    let page = Page::with(folder, &data, DeskOptions { register, ..options() });
    assert_eq!(page.code_of("export_day", pdf), "fonts_missing");
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
    let close = json!({"date": "today", "pin": PIN});
    assert_eq!(page.code_of("close_day", close), "invalid_value");
}

#[test]
fn close_that_does_not_fit_the_open_session_is_told_by_its_code() {
    let page = Page::with_printer();
    page.sell("1001");
    let date = page.today();
    let negative = json!({"date": date, "counted_minor": -1, "pin": PIN});
    assert_eq!(page.code_of("close_day", negative), "invalid_value");
    let another = json!({"date": date, "z_no": 2, "pin": PIN});
    assert_eq!(page.code_of("close_day", another), "not_allowed");
    for _ in 0..5 {
        page.code_of("close_day", json!({"date": date, "pin": "0000"}));
    }
    assert_eq!(page.code_of("close_day", json!({"date": date, "pin": PIN})), "pin_locked");
}

#[test]
fn folder_that_cannot_be_written_to_is_told() {
    let page = Page::with_printer();
    let data = page.data();
    let folder = page.close();
    let exports = Some(data.join("token"));
    let page = Page::with(folder, &data, DeskOptions { exports, ..options() });
    let export = json!({"date": page.today(), "format": "csv"});
    assert_eq!(page.code_of("export_day", export), "unavailable");
}
