//! Jobs, their paper, and the answers to them.

use serde_json::json;

use crate::desk::Page;

#[test]
fn receipt_is_found_by_number_and_amount_with_its_paper_and_story() {
    let page = Page::with_printer();
    let id = page.sell("20261009-000123");
    page.sell("A77");
    let found = |search: &str| {
        let jobs = page.call("jobs", json!({"most": 50, "search": search})).unwrap();
        jobs.as_array()
            .unwrap()
            .iter()
            .map(|job| job["order"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found("000123"), ["20261009-000123"]);
    assert_eq!(found("20261009"), ["20261009-000123"]);
    assert_eq!(found("54.00"), ["A77", "20261009-000123"]);
    assert_eq!(found("no such"), Vec::<String>::new());
    assert_eq!(page.call("jobs", json!({"most": 1})).unwrap().as_array().unwrap().len(), 1);
    let printed = page.call("jobs", json!({"most": 9, "state": "printed"})).unwrap();
    assert_eq!(printed.as_array().unwrap().len(), 2);
    let paper = page.call("job_paper", json!({"id": id})).unwrap();
    assert!(paper["text"].as_str().unwrap().contains("红烧牛肉面"));
    assert!(paper["svg"].as_str().unwrap().starts_with("<svg"));
    let story = page.call("job", json!({"id": id})).unwrap();
    assert_eq!(story["story"].as_array().unwrap().len(), 1);
    assert_eq!(story["confirmation"], "token");
}

#[test]
fn copy_is_answered_by_the_cashier_and_printed() {
    let page = Page::with_printer();
    let id = page.sell("1001");
    let copy = page.call("answer_job", json!({"id": id, "verb": "copy"})).unwrap();
    page.wait_for(copy["id"].as_str().unwrap(), "printed");
    let story = page.call("job", json!({"id": id})).unwrap();
    assert_eq!(story["answers"][0]["client"], "cashier");
}

#[test]
fn waiting_jobs_are_skipped_together_each_with_its_answer() {
    let page = Page::with_printer();
    page.call("pause_printer", json!({"name": "front", "paused": true})).unwrap();
    let ids = [page.submit("1"), page.submit("2"), "S1:none:receipt:v1".to_owned()];
    let answered = page.call("answer_jobs", json!({"ids": ids, "verb": "skip", "reason": "test"}));
    let answered = answered.unwrap();
    assert_eq!(answered["answered"][0]["job"]["state"], "skipped");
    assert_eq!(answered["answered"][1]["job"]["state"], "skipped");
    assert_eq!(answered["answered"][2]["code"], "not_found");
}

#[test]
fn what_cannot_be_answered_is_told_by_its_code() {
    let page = Page::with_printer();
    let id = page.sell("1001");
    let answer = |arguments| page.code_of("answer_job", arguments);
    assert_eq!(answer(json!({"id": "S1:none:receipt:v1", "verb": "copy"})), "not_found");
    assert_eq!(answer(json!({"id": id, "verb": "on_paper"})), "not_allowed");
    assert_eq!(answer(json!({"id": id, "verb": "burn"})), "invalid_value");
    assert_eq!(answer(json!({"id": id, "verb": "skip"})), "invalid_value");
    assert_eq!(answer(json!({"id": id, "verb": "reroute"})), "invalid_value");
    page.call("pause_printer", json!({"name": "front", "paused": true})).unwrap();
    let waiting = page.submit("1002");
    let elsewhere = json!({"id": waiting, "verb": "reroute", "printer": "nobody"});
    assert_eq!(answer(elsewhere), "not_found");
    for ids in [vec![], vec![id.as_str(); 501]] {
        let many = json!({"ids": ids, "verb": "print"});
        assert_eq!(page.code_of("answer_jobs", many), "invalid_value");
    }
    let burn = json!({"ids": [id], "verb": "burn"});
    assert_eq!(page.code_of("answer_jobs", burn), "invalid_value");
    assert_eq!(page.code_of("job", json!({"id": "none"})), "not_found");
    assert_eq!(page.code_of("job_paper", json!({"id": "none"})), "not_found");
    assert_eq!(page.code_of("jobs", json!({"most": 5, "state": "lost"})), "invalid_value");
    assert_eq!(page.code_of("answer_rejected", json!({"id": 7, "answer": "seen"})), "not_found");
    assert_eq!(page.code_of("answer_rejected", json!({"id": 7, "answer": ""})), "invalid_value");
    assert_eq!(page.code_of("read_notice", json!({"id": 7})), "not_found");
}

#[test]
fn to_do_list_shows_what_waits_longer_than_the_owner_chose() {
    let page = Page::with_printer();
    page.unlock();
    let settings = json!({"attention_after_s": 1, "stale_after_s": 900, "sounds": true});
    page.call("change_settings", json!({"settings": settings})).unwrap();
    page.call("pause_printer", json!({"name": "front", "paused": true})).unwrap();
    let id = page.submit("1001");
    let listed = page.wait_until(|| {
        let todo = page.call("todo", json!({})).unwrap();
        todo["jobs"].as_array().unwrap().first().cloned()
    });
    assert_eq!(listed["id"], id.as_str());
}
