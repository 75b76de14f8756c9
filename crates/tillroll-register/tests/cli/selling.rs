//! From a receipt in a file to its paper, and every question on the way.

use std::fs;

use crate::program::{Printer, Till, eventually};
use crate::receipts::{id, sale};

#[test]
fn receipt_goes_in_paper_comes_out_and_the_job_tells_its_story() {
    let (till, printer) = (Till::init(), Printer::start([]));
    let _serving = till.serve();
    let added = till.run(["printer", "add", "front", "--uri", &printer.uri()]).done();
    assert!(added.contains("token"), "it was asked what it can prove: {added}");

    let file = printer.folder().join("receipt.json");
    fs::write(&file, sale("1")).unwrap();
    let submitted = till.run(["submit", &file.display().to_string()]).done();
    assert!(submitted.starts_with("S1:1:receipt:v1  "), "{submitted}");
    assert!(submitted.contains("flow number 1"), "{submitted}");
    let paper = printer.wait_for_paper(1);
    assert!(paper.contains("Sandwich") && paper.contains("TOTAL"), "{paper}");
    assert!(paper.contains("S1:1:receipt:v1"), "{paper}");

    till.wait_for(&id("1"), "printed");
    let story = till.run(["job", &id("1")]).done();
    for expected in
        ["printed, proved by the device (token)", "flow number   1", "12.50 CNY", "attempts"]
    {
        assert!(story.contains(expected), "{expected}: {story}");
    }
    assert!(story.contains("you may       copy"), "{story}");
    let preview = till.run(["job", &id("1"), "--paper"]).done();
    assert!(preview.contains("Sandwich"), "{preview}");
    assert_eq!(till.run(["todo"]).done(), "Nothing waits for you.\n");
}

#[test]
fn receipt_sent_again_is_answered_again_and_prints_nothing_new() {
    let (till, printer) = (Till::init(), Printer::start([]));
    let _serving = till.serve();
    till.run(["printer", "add", "front", "--uri", &printer.uri()]).done();
    let first = till.run_with(["submit", "-", "--json"], &sale("1")).json();
    assert_eq!((&first["replayed"], &first["flow_no"]), (&false.into(), &1.into()));
    till.wait_for(&id("1"), "printed");
    let again = till.run_with(["submit", "-", "--json"], &sale("1")).json();
    assert_eq!((&again["replayed"], &again["flow_no"]), (&true.into(), &1.into()));
    let second = till.run_with(["submit", "-"], &sale("2")).done();
    assert!(second.contains("flow number 2"), "{second}");
    till.wait_for(&id("2"), "printed");
    assert!(printer.wait_for_paper(2).contains(&id("2")));
}

#[test]
fn paper_end_shows_at_the_printer_and_costs_the_job_nothing() {
    let (till, mut printer) = (Till::init(), Printer::start([]));
    let _serving = till.serve();
    till.run(["printer", "add", "front", "--uri", &printer.uri()]).done();
    assert_eq!(printer.running.tell("paper end")["done"], "paper end");
    till.run_with(["submit", "-"], &sale("1")).done();
    let shown = eventually("the printer shows its cause", || {
        let shown = till.run(["printer", "list"]).done();
        shown.contains("paper_end").then_some(shown)
    });
    assert!(shown.contains("Put in a new roll"), "{shown}");
    assert_eq!(printer.journal().len(), 0);
    printer.running.tell("paper ok");
    till.wait_for(&id("1"), "printed");
    printer.wait_for_paper(1);
}

#[test]
fn jobs_of_a_printer_without_proof_are_answered_in_groups() {
    let (till, printer) = (Till::init(), Printer::start(["--personality", "silent"]));
    let _serving = till.serve();
    let uri = printer.uri();
    let added = till.run(["printer", "add", "front", "--uri", &uri, "--level", "silent"]).done();
    assert!(added.contains("printer change front --trust"), "the owner must choose: {added}");
    for order in ["1", "2"] {
        till.run_with(["submit", "-"], &sale(order)).done();
        till.wait_for(&id(order), "sent");
    }
    let todo = till.run(["todo"]).done();
    assert!(todo.contains("you may: on-paper, not-on-paper"), "{todo}");
    let answered = till.run(["on-paper", &id("1"), &id("2")]).done();
    assert_eq!(answered.matches("seen on paper by a person").count(), 2, "{answered}");
    assert_eq!(till.run(["todo"]).done(), "Nothing waits for you.\n");

    till.run(["printer", "change", "front", "--trust"]).done();
    till.run_with(["submit", "-"], &sale("3")).done();
    assert_eq!(till.wait_for(&id("3"), "printed")["confirmation"], "assumed");
    printer.wait_for_paper(3);
}

#[test]
fn routes_and_reroutes_lead_to_the_other_printer() {
    let (till, front, kitchen) = (Till::init(), Printer::start([]), Printer::start([]));
    let _serving = till.serve();
    till.run(["printer", "add", "front", "--uri", &front.uri()]).done();
    till.run(["printer", "add", "kitchen", "--uri", &kitchen.uri()]).done();
    let routes = till.run(["route", "set", "kitchen", "kitchen"]).done();
    assert!(routes.contains("kitchen  kitchen"), "{routes}");
    let order = r#"{"order_no": "1", "kind": "kitchen", "lines": [{"name": "Soup"}]}"#;
    till.run_with(["submit", "-"], order).done();
    assert!(kitchen.wait_for_paper(1).contains("Soup"));

    till.run(["printer", "pause", "front"]).done();
    till.run_with(["submit", "-"], &sale("2")).done();
    till.run(["reroute", &id("2"), "--to", "kitchen"]).done();
    assert!(kitchen.wait_for_paper(2).contains("Sandwich"));
    till.run_with(["submit", "-"], &sale("3")).done();
    let skipped = till.run(["skip", &id("3"), "--reason", "guest left"]).done();
    assert!(skipped.contains("skipped"), "{skipped}");
    till.run(["printer", "resume", "front"]).done();
    assert_eq!(front.journal().len(), 0);
    let jobs = till.run(["jobs", "--state", "skipped"]).done();
    assert!(jobs.contains(&id("3")) && !jobs.contains(&id("2")), "{jobs}");
}

#[test]
fn client_has_the_rights_and_the_scope_it_was_given() {
    let till = Till::init();
    let _serving = till.serve();
    let added = ["client", "add", "pos-1", "--order-scope", "register_day", "--may-open-drawer"];
    let made = till.run(added);
    assert_eq!(made.stdout.trim().len(), 43, "the bare token: {made:?}");
    let listed = till.run(["client", "list"]).done();
    let line = listed.lines().find(|line| line.starts_with("pos-1")).unwrap();
    assert!(line.contains("register_day") && line.contains("open drawer"), "{line}");
    assert!(!line.contains("manage"), "{line}");
    till.run(["client", "revoke", "pos-1"]).done();
    assert!(till.run(["client", "list"]).done().contains("revoked"));
}
