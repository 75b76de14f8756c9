//! Before the register runs, and when it runs no more, every command says so.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::desk::{PIN, Page, answers};

/// The one list of commands, as the program registers them.
const REGISTERED: &str = include_str!("../../src/commands.rs");

/// Every command that needs a running register, with arguments it can read.
fn commands() -> Vec<(&'static str, Value)> {
    let name = json!({"name": "front"});
    let date = json!({"date": "2026-10-09"});
    let id = json!({"id": "S1:1:receipt:v1"});
    let settings = json!({"attention_after_s": 30, "stale_after_s": 600, "sounds": false});
    let client = json!({"name": "pos", "order_scope": "store", "may_open_drawer": false, "may_manage": false});
    vec![
        ("unlock_manager", json!({"pin": PIN})),
        ("lock_manager", json!({})),
        ("set_manager_pin", json!({"pin": PIN})),
        ("settings", json!({})),
        ("change_settings", json!({"settings": settings})),
        ("printers", json!({})),
        ("add_printer", json!({"name": "front", "body": {"uri": "virtual:front"}})),
        ("change_printer", json!({"name": "front", "body": {}})),
        ("remove_printer", name.clone()),
        ("probe_printer", name.clone()),
        ("test_printer", name),
        ("pause_printer", json!({"name": "front", "paused": true})),
        ("open_drawer", json!({"name": "front", "reason": "change"})),
        ("discover_printers", json!({"network": false})),
        ("routes", json!({})),
        ("set_routes", json!({"routes": {}})),
        ("jobs", json!({"most": 5})),
        ("job", id.clone()),
        ("job_paper", id),
        ("todo", json!({})),
        ("answer_job", json!({"id": "S1:1:receipt:v1", "verb": "print"})),
        ("answer_jobs", json!({"ids": ["S1:1:receipt:v1"], "verb": "print"})),
        ("answer_rejected", json!({"id": 1, "answer": "seen"})),
        ("read_notice", json!({"id": 1})),
        ("day", date.clone()),
        ("hours", date),
        (
            "declare_pos_totals",
            json!({"date": "2026-10-09", "totals": {"receipts": 0, "gross_minor": 0}}),
        ),
        ("move_cash", json!({"date": "2026-10-09", "body": {"kind": "float", "amount_minor": 1}})),
        ("close_day", json!({"date": "2026-10-09", "pin": PIN})),
        ("export_day", json!({"date": "2026-10-09", "format": "csv"})),
        ("splits", json!({"date": "2026-10-09"})),
        ("answer_split", json!({"id": "1", "verb": "retry", "body": {}})),
        ("clients", json!({})),
        ("make_client", json!({"body": client})),
        ("revoke_client", json!({"name": "pos"})),
        ("cloud", json!({})),
        ("pair_cloud", json!({"body": {"url": "https://cloud.example", "code": "7QK4-M2XD-9RTV"}})),
        ("unpair_cloud", json!({})),
        ("retry_cloud", json!({})),
        ("answer_records", json!({"verb": "send_again", "body": {"ids": [1]}})),
    ]
}

/// The commands that answer without a register too; they have tests of their own.
const ALWAYS: [&str; 4] = ["app_state", "set_up", "quit", "profiles"];

#[test]
fn every_command_is_called_here() {
    let registered: BTreeSet<_> = REGISTERED
        .lines()
        .filter_map(|line| line.trim().strip_suffix(',')?.split_once("::"))
        .map(|(_, command)| command)
        .collect();
    let called = commands().into_iter().map(|(command, _)| command).chain(ALWAYS).collect();
    assert_eq!(registered, called);
}

#[test]
fn before_set_up_nothing_is_allowed() {
    let page = Page::open();
    for (command, arguments) in commands() {
        assert_eq!(page.code_of(command, arguments), "not_allowed", "{command}");
    }
    assert!(page.call("profiles", json!({})).is_ok());
}

#[test]
fn locked_desk_does_nothing() {
    let first = Page::set_up();
    let second = Page::on(tempfile::tempdir().unwrap(), &first.data());
    for (command, arguments) in commands() {
        assert_eq!(second.code_of(command, arguments), "unavailable", "{command}");
    }
    assert_eq!(second.code_of("set_up", json!({"body": answers()})), "not_allowed");
}

#[test]
fn ended_register_says_that_it_is_stopping() {
    let page = Page::with_printer();
    page.stop();
    for (command, arguments) in commands() {
        assert_eq!(page.code_of(command, arguments), "stopping", "{command}");
    }
    assert_eq!(page.code_of("app_state", json!({})), "stopping");
}

#[test]
fn command_without_its_arguments_is_refused() {
    let page = Page::with_printer();
    page.unlock();
    for (command, arguments) in commands() {
        let needs_some = arguments.as_object().is_some_and(|arguments| !arguments.is_empty());
        if needs_some {
            assert!(page.call(command, json!({})).is_err(), "{command}");
        }
    }
    assert_eq!(page.call("jobs", json!({"most": 9})).unwrap(), json!([]), "and nothing was done");
}
