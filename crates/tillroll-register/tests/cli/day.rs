//! The day: its table, what the POS says of it, its cash, its close.

use crate::program::{Printer, Till};
use crate::receipts::{id, sale};

#[test]
fn day_shows_what_differs_and_closes_with_a_z_report_on_paper() {
    let (till, printer) = (Till::init(), Printer::start([]));
    let _serving = till.serve();
    till.run(["printer", "add", "front", "--uri", &printer.uri()]).done();
    till.run(["day", "cash", "today", "--kind", "float", "--amount", "10000"]).done();
    for order in ["1", "2"] {
        till.run_with(["submit", "-"], &sale(order)).done();
        till.wait_for(&id(order), "printed");
    }
    let totals = r#"{"receipts": 3, "gross_minor": 3750, "tenders": {"cash": 3750}}"#;
    till.run_with(["day", "pos-totals", "today", "-"], totals).done();
    let day = till.run(["day", "today"]).done();
    for expected in [
        "receipts            3         2  not paired",
        "receipts: POS 3, register 2",
        "gross: POS 37.50, register 25.00",
        "2 recorded = 2 printed; nothing open",
    ] {
        assert!(day.contains(expected), "{expected}: {day}");
    }
    let figures = till.run(["day", "today", "--json"]).json();
    assert_eq!(figures["register"]["gross_minor"], 2_500);
    assert!(till.run(["day", "--csv"]).done().lines().count() > 1, "without a date it is today");
    for (option, start) in [("--csv", "\"column\""), ("--pdf", "%PDF-1.7")] {
        let file = till.path().join("written");
        till.run(["day", "today", option, file.to_str().unwrap()]).done();
        let written = std::fs::read(&file).unwrap();
        assert!(written.starts_with(start.as_bytes()), "{option}");
    }

    let closed = ["day", "close", "today", "--counted", "12400", "--reason", "a note was torn"];
    let said = till.run(closed).done();
    assert!(
        said.contains("expected 125.00 CNY, counted 124.00 CNY, difference -1.00 CNY"),
        "{said}"
    );
    assert!(printer.wait_for_paper(3).contains("Over or short"));
    assert_eq!(till.run(["day", "close", "today"]).code, 1, "there is no open session");
    assert!(till.run(["day", "today"]).done().contains("a note was torn"));
}

#[test]
fn day_without_sales_adds_up() {
    let till = Till::init();
    let _serving = till.serve();
    let day = till.run(["day", "2026-10-09"]).done();
    assert!(day.contains("not declared"), "{day}");
    assert!(day.contains("The day adds up."), "{day}");
}
