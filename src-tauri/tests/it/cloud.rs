//! The head office as the pages see it.

use serde_json::json;

use crate::desk::Page;

#[test]
fn register_without_a_head_office_says_so_to_anyone() {
    let page = Page::with_printer();
    let cloud = page.call("cloud", json!({})).unwrap();
    assert_eq!((&cloud["state"], &cloud["unsent"]), (&json!("not_paired"), &json!(0)));
    assert_eq!(page.code_of("retry_cloud", json!({})), "not_allowed");
}

#[test]
fn pairing_is_for_managers_and_names_what_cannot_be() {
    let page = Page::with_printer();
    let body = json!({"url": "http://dispatch.example.com", "code": "7QK4-M2XD"});
    assert_eq!(page.code_of("pair_cloud", json!({"body": body})), "forbidden");
    page.unlock();
    let problem = page.call("pair_cloud", json!({"body": body})).unwrap_err();
    assert_eq!(problem["code"], "invalid_value", "{problem}");
    assert_eq!(problem["faults"][0]["field"], "url");
    let nothing_there = json!({"verb": "send_again", "body": {"ids": [1]}});
    assert_eq!(page.code_of("answer_records", nothing_there), "not_found");
    let without_a_reason = json!({"verb": "give_up", "body": {"ids": [1]}});
    assert_eq!(page.code_of("answer_records", without_a_reason), "invalid_value");
}

#[test]
fn splits_of_a_store_that_shares_none_are_none_and_their_answers_are_for_managers() {
    let page = Page::with_printer();
    let splits = page.call("splits", json!({"date": "2026-10-09"})).unwrap();
    assert_eq!((&splits["shared"], &splits["manual"]), (&json!(false), &json!([])));
    let answer = json!({"id": "S1:1:receipt:v1", "verb": "settle", "body": {"note": "slip 4711"}});
    assert_eq!(page.code_of("answer_split", answer.clone()), "forbidden");
    page.unlock();
    let without_evidence = json!({"id": "S1:1:receipt:v1", "verb": "settle", "body": {}});
    assert_eq!(page.code_of("answer_split", without_evidence), "invalid_value");
    let elsewhere = json!({"id": "../records", "verb": "retry", "body": {}});
    assert_eq!(page.code_of("answer_split", elsewhere), "not_found");
    assert_eq!(page.code_of("answer_split", answer), "not_allowed", "there is no head office");
}
