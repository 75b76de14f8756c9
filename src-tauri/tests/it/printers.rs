//! Printers and routes.

use serde_json::json;

use crate::desk::Page;

#[test]
fn printer_is_added_probed_tested_and_removed() {
    let page = Page::set_up();
    let added =
        page.call("add_printer", json!({"name": "front", "body": {"uri": "virtual:front"}}));
    let added = added.unwrap();
    assert_eq!((&added["level"], &added["probe"]["level"]), (&json!("token"), &json!("token")));
    assert_eq!(added["not_reached"], json!(null));
    let probed = page.call("probe_printer", json!({"name": "front"})).unwrap();
    assert_eq!(probed["level"], "token");
    let test = page.call("test_printer", json!({"name": "front"})).unwrap();
    page.wait_for(test["id"].as_str().unwrap(), "printed");
    let changed = page.call("change_printer", json!({"name": "front", "body": {"columns": 42}}));
    assert_eq!(changed.unwrap()["columns"], 42);
    assert_eq!(page.call("printers", json!({})).unwrap().as_array().unwrap().len(), 1);
    page.call("remove_printer", json!({"name": "front"})).unwrap();
    assert_eq!(page.call("printers", json!({})).unwrap(), json!([]));
}

#[test]
fn what_cannot_be_done_is_told_by_its_code() {
    let page = Page::with_printer();
    page.unlock();
    let add = |name: &str, body| page.code_of("add_printer", json!({"name": name, "body": body}));
    assert_eq!(add("front", json!({"uri": "virtual:other", "level": "token"})), "taken");
    assert_eq!(add("bar", json!({"uri": "carrier-pigeon://roof"})), "invalid_value");
    assert_eq!(add("bar", json!({"uri": 5})), "invalid_value");
    assert_eq!(add("bar", json!({"uri": "virtual:bar", "profile": "no-such"})), "invalid_value");
    for command in ["probe_printer", "test_printer", "remove_printer"] {
        assert_eq!(page.code_of(command, json!({"name": "nobody"})), "not_found", "{command}");
    }
    let change =
        |name: &str, body| page.code_of("change_printer", json!({"name": name, "body": body}));
    assert_eq!(change("nobody", json!({})), "not_found");
    assert_eq!(change("front", json!({"columns": 1})), "invalid_value");
    assert_eq!(change("front", json!({"drawer_pin": 2})), "invalid_value");
    let pause = json!({"name": "nobody", "paused": true});
    assert_eq!(page.code_of("pause_printer", pause), "not_found");
    let routes = json!({"routes": {"kitchen": "nobody"}});
    assert_eq!(page.code_of("set_routes", routes), "not_found");
    let routes = json!({"routes": {"poem": "front"}});
    assert_eq!(page.code_of("set_routes", routes), "invalid_value");
}

#[test]
fn drawer_that_cannot_be_opened_says_why() {
    let page = Page::with_printer();
    page.unlock();
    let open = |name: &str, reason: &str| {
        page.code_of("open_drawer", json!({"name": name, "reason": reason}))
    };
    assert_eq!(open("front", " "), "invalid_value");
    assert_eq!(open("nobody", "change"), "not_found");
    page.call("pause_printer", json!({"name": "front", "paused": true})).unwrap();
    assert_eq!(open("front", "change"), "not_allowed", "a paused printer takes no pulse");
}

#[test]
fn printer_with_a_job_at_it_is_neither_probed_nor_removed() {
    let page = Page::with_printer();
    page.unlock();
    let printer = page.register().virtual_printer("front").unwrap();
    printer.fault("paper-end-after-bytes=40".parse().unwrap());
    let id = page.submit("1001");
    page.wait_for(&id, "printing");
    for command in ["probe_printer", "remove_printer"] {
        assert_eq!(page.code_of(command, json!({"name": "front"})), "not_allowed", "{command}");
    }
}

#[test]
fn printer_that_is_not_reached_is_added_and_says_so() {
    let page = Page::set_up();
    let body = json!({"uri": "tcp://127.0.0.1:1"});
    let added = page.call("add_printer", json!({"name": "bar", "body": body})).unwrap();
    assert_eq!((&added["level"], &added["probe"]), (&json!("silent"), &json!(null)));
    assert!(added["not_reached"].as_str().is_some_and(|why| !why.is_empty()), "{added}");
    assert_eq!(page.call("printers", json!({})).unwrap()[0]["name"], "bar");
}

#[test]
fn printer_that_is_not_there_cannot_be_probed() {
    let page = Page::with_printer();
    page.unlock();
    let body = json!({"uri": "tcp://127.0.0.1:1", "level": "silent"});
    page.call("add_printer", json!({"name": "bar", "body": body})).unwrap();
    assert_eq!(page.code_of("probe_printer", json!({"name": "bar"})), "printer_unusable");
}

#[test]
fn paused_printer_keeps_its_jobs_until_it_is_resumed() {
    let page = Page::with_printer();
    let pause = |paused| page.call("pause_printer", json!({"name": "front", "paused": paused}));
    assert_eq!(pause(true).unwrap()["state"], "paused");
    let id = page.submit("1001");
    assert_eq!(page.call("job", json!({"id": id})).unwrap()["state"], "pending");
    pause(false).unwrap();
    page.wait_for(&id, "printed");
}

#[test]
fn profiles_routes_and_devices_are_listed() {
    let page = Page::with_printer();
    let profiles = page.call("profiles", json!({})).unwrap();
    assert!(profiles.as_array().unwrap().iter().any(|profile| profile["name"] == "virtual"));
    assert_eq!(page.call("routes", json!({})).unwrap()["receipt"], "front");
    assert!(page.call("discover_printers", json!({"network": false})).unwrap().is_array());
}
