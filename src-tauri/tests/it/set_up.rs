//! The first start, and every start after it.

use serde_json::json;
use tillroll_register::HostSettings;
use tillroll_window::DeskOptions;

use crate::desk::{PIN, Page, answers, options};

#[test]
fn fresh_folder_asks_for_set_up_and_then_runs() {
    let page = Page::open();
    let state = page.call("app_state", json!({})).unwrap();
    assert_eq!(state["phase"], "setup");
    assert_eq!(page.code_of("printers", json!({})), "not_allowed");
    let state = page.call("set_up", json!({"body": answers()})).unwrap();
    assert_eq!(state["phase"], "running");
    assert_eq!(state["store"], "S1");
    assert_eq!(state["currency"], "CNY");
    assert_eq!(state["has_pin"], true);
    assert!(state["listening"].as_str().unwrap().starts_with("127.0.0.1:"));
    // Whoever set it up may add the first printer.
    assert!(state["manager_until"].is_string());
}

#[test]
fn answers_that_cannot_be_used_are_named() {
    let page = Page::open();
    let mut wrong = answers();
    wrong["zone"] = json!("Mars/Olympus");
    wrong["manager_pin"] = json!("abc");
    let problem = page.call("set_up", json!({"body": wrong})).unwrap_err();
    assert_eq!(problem["code"], "invalid_value");
    let fields: Vec<_> =
        problem["faults"].as_array().unwrap().iter().map(|fault| &fault["field"]).collect();
    assert_eq!(fields, ["zone", "manager_pin"]);
    assert!(!page.data().exists(), "nothing was made");
    assert!(problem["reference"].as_str().is_some_and(|text| !text.is_empty()));
}

#[test]
fn folder_with_something_in_it_is_not_set_up() {
    let page = Page::open();
    std::fs::create_dir(page.data()).unwrap();
    std::fs::write(page.data().join("holiday.jpg"), "a beach").unwrap();
    assert_eq!(page.code_of("set_up", json!({"body": answers()})), "not_allowed");
}

#[test]
fn register_that_is_made_but_cannot_run_locks_the_desk_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("till");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let host = HostSettings { address, or_any_port: false, ..options().host };
    let page = Page::with(folder, &data, DeskOptions { host, ..options() });
    assert_eq!(page.code_of("set_up", json!({"body": answers()})), "unavailable");
    let state = page.call("app_state", json!({})).unwrap();
    assert_eq!(state["phase"], "locked");
    assert_eq!(state["problem"]["code"], "unavailable");
}

#[test]
fn second_set_up_is_refused() {
    let page = Page::set_up();
    assert_eq!(page.code_of("set_up", json!({"body": answers()})), "not_allowed");
}

#[test]
fn register_runs_again_after_the_program_ended() {
    let page = Page::with_printer();
    let id = page.sell("1001");
    let folder = page.close();
    let data = folder.path().join("till");
    let page = Page::on(folder, &data);
    assert_eq!(page.call("app_state", json!({})).unwrap()["phase"], "running");
    assert_eq!(page.call("job", json!({"id": id})).unwrap()["state"], "printed");
    page.call("unlock_manager", json!({"pin": PIN})).unwrap();
}

#[test]
fn register_that_another_program_runs_is_locked_with_the_reason() {
    let first = Page::set_up();
    let second = Page::on(tempfile::tempdir().unwrap(), &first.data());
    let state = second.call("app_state", json!({})).unwrap();
    assert_eq!(state["phase"], "locked");
    assert_eq!(state["problem"]["code"], "not_allowed");
    assert_eq!(second.code_of("printers", json!({})), "unavailable");
}

#[test]
fn endpoint_and_token_let_the_command_line_in() {
    let page = Page::set_up();
    let endpoint = tillroll_register::Endpoint::read(&page.data()).unwrap();
    std::net::TcpStream::connect(endpoint.address).unwrap();
    let data = page.data();
    let folder = page.close();
    assert!(tillroll_register::Endpoint::read(&data).is_none());
    drop(folder);
}

#[test]
fn quit_says_how_many_jobs_are_open_and_goes_on() {
    let page = Page::with_printer();
    page.call("pause_printer", json!({"name": "front", "paused": true})).unwrap();
    page.submit("1001");
    page.submit("1002");
    assert_eq!(page.call("quit", json!({"force": false})).unwrap(), 2);
    assert_eq!(page.call("app_state", json!({})).unwrap()["phase"], "running");
}
