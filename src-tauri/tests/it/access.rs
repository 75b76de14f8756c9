//! Who may do what: a cashier everything a sale needs, a manager the rest, and nobody by guessing.

use serde_json::{Value, json};

use crate::desk::{PIN, Page};

fn for_managers() -> Vec<(&'static str, Value)> {
    let client = json!({"name": "pos", "order_scope": "store", "may_open_drawer": false, "may_manage": false});
    let settings = json!({"attention_after_s": 30, "stale_after_s": 600, "sounds": false});
    vec![
        ("add_printer", json!({"name": "bar", "body": {"uri": "virtual:bar", "level": "token"}})),
        ("change_printer", json!({"name": "front", "body": {"unproven": "trust"}})),
        ("probe_printer", json!({"name": "front"})),
        ("set_routes", json!({"routes": {"kitchen": "front"}})),
        ("open_drawer", json!({"name": "front", "reason": "change for the till"})),
        ("make_client", json!({"body": client})),
        ("revoke_client", json!({"name": "pos"})),
        ("change_settings", json!({"settings": settings})),
        ("unpair_cloud", json!({})),
        ("set_manager_pin", json!({"pin": "13579"})),
        ("remove_printer", json!({"name": "front"})),
    ]
}

#[test]
fn cashier_is_refused_what_is_for_managers() {
    let page = Page::with_printer();
    for (command, arguments) in for_managers() {
        assert_eq!(page.code_of(command, arguments), "forbidden", "{command}");
    }
}

#[test]
fn manager_may_do_it_until_the_rights_are_given_up() {
    let page = Page::with_printer();
    page.sell("1001");
    page.unlock();
    for (command, arguments) in for_managers() {
        page.call(command, arguments).unwrap_or_else(|problem| panic!("{command}: {problem}"));
    }
    page.call("lock_manager", json!({})).unwrap();
    assert_eq!(page.code_of("set_routes", json!({"routes": {}})), "forbidden");
}

#[test]
fn fifth_wrong_pin_locks_even_the_right_one() {
    let page = Page::with_printer();
    for _ in 0..5 {
        assert_eq!(page.code_of("unlock_manager", json!({"pin": "0000"})), "wrong_pin");
    }
    let problem = page.call("unlock_manager", json!({"pin": PIN})).unwrap_err();
    assert_eq!(problem["code"], "pin_locked");
    assert!(problem["retry_at"].is_string());
}

#[test]
fn right_pin_forgets_wrong_ones() {
    let page = Page::with_printer();
    for _ in 0..2 {
        for _ in 0..4 {
            assert_eq!(page.code_of("unlock_manager", json!({"pin": "0000"})), "wrong_pin");
        }
        page.unlock();
    }
}

#[test]
fn first_pin_of_a_register_made_elsewhere_may_be_set_here() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("till");
    let body = tillroll_register::view::SetUpBody {
        store: "S1".to_owned(),
        register: "R1".to_owned(),
        zone: "UTC".to_owned(),
        cutoff: "00:00".to_owned(),
        currency: "EUR".to_owned(),
        locale: "en".to_owned(),
        manager_pin: PIN.to_owned(),
    };
    tauri::async_runtime::block_on(tillroll_register::Register::set_up(&data, &body)).unwrap();
    let page = Page::on(folder, &data);
    assert_eq!(page.call("app_state", json!({})).unwrap()["has_pin"], false);
    assert_eq!(page.code_of("unlock_manager", json!({"pin": PIN})), "pin_unset");
    let close = json!({"date": page.today(), "pin": PIN});
    assert_eq!(page.code_of("close_day", close), "pin_unset");
    assert_eq!(page.code_of("set_manager_pin", json!({"pin": "12"})), "invalid_value");
    page.call("set_manager_pin", json!({"pin": PIN})).unwrap();
    page.unlock();
}

#[test]
fn settings_change_and_stay() {
    let page = Page::with_printer();
    let before = page.call("settings", json!({})).unwrap();
    assert_eq!(before, json!({"attention_after_s": 60, "stale_after_s": 1800, "sounds": true}));
    page.unlock();
    let wanted = json!({"attention_after_s": 5, "stale_after_s": 900, "sounds": false});
    assert_eq!(page.call("change_settings", json!({"settings": wanted})).unwrap(), wanted);
    let wrong = json!({"attention_after_s": 0, "stale_after_s": 900, "sounds": false});
    assert_eq!(page.code_of("change_settings", json!({"settings": wrong})), "invalid_value");
    let wrong = json!({"attention_after_s": 5, "stale_after_s": 900, "sounds": "loud"});
    assert_eq!(page.code_of("change_settings", json!({"settings": wrong})), "invalid_value");
    let folder = page.close();
    let data = folder.path().join("till");
    assert_eq!(Page::on(folder, &data).call("settings", json!({})).unwrap(), wanted);
}

#[test]
fn clients_are_programs_and_a_token_is_shown_once() {
    let page = Page::with_printer();
    page.unlock();
    let body = json!({"name": "pos", "order_scope": "register_day", "may_open_drawer": true, "may_manage": false});
    let made = page.call("make_client", json!({"body": body})).unwrap();
    assert!(made["token"].as_str().unwrap().len() > 40);
    let no_name = json!({"name": "a b", "order_scope": "store", "may_open_drawer": false, "may_manage": false});
    assert_eq!(page.code_of("make_client", json!({"body": no_name})), "invalid_value");
    let owner = json!({"name": "owner", "order_scope": "store", "may_open_drawer": false, "may_manage": false});
    assert_eq!(page.code_of("make_client", json!({"body": owner})), "not_allowed");
    let clients = page.call("clients", json!({})).unwrap();
    let names: Vec<_> = clients.as_array().unwrap().iter().map(|client| &client["name"]).collect();
    assert_eq!(names, ["owner", "pos"], "the people at the register are no programs");
    assert_eq!(page.code_of("revoke_client", json!({"name": "nobody"})), "not_found");
    assert_eq!(page.code_of("revoke_client", json!({"name": "owner"})), "not_allowed");
    page.call("revoke_client", json!({"name": "pos"})).unwrap();
}
