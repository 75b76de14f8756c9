//! What is on the to-do list beside jobs: refused receipts, and what the register has to tell.

use serde_json::json;

use crate::desk::Page;

#[test]
fn refused_receipt_leaves_the_list_with_what_was_done() {
    let page = Page::with_printer();
    page.hand_over("1001", 1).unwrap_err();
    let listed = page.call("todo", json!({})).unwrap()["rejected"][0].clone();
    assert_eq!(listed["code"], "invalid_receipt", "{listed}");
    let answer = json!({"id": listed["id"], "answer": "keyed in again"});
    page.call("answer_rejected", answer.clone()).unwrap();
    assert_eq!(page.call("todo", json!({})).unwrap()["rejected"], json!([]));
    assert_eq!(page.code_of("answer_rejected", answer), "not_found", "it is not asked twice");
}

#[test]
fn notice_of_an_older_copy_leaves_the_list_when_it_was_read() {
    let page = Page::with_printer();
    let database = page.data().join("register.db");
    let data = page.data();
    let folder = page.close();
    let older = std::fs::read(&database).unwrap();
    let page = Page::on(folder, &data);
    page.sell("1001");
    let folder = page.close();
    std::fs::write(&database, older).unwrap();
    let page = Page::on(folder, &data);
    let told = || {
        let todo = page.call("todo", json!({})).unwrap();
        let notices = todo["notices"].as_array().unwrap().clone();
        notices.into_iter().find(|notice| notice["code"] == "restored")
    };
    let notice = told().unwrap();
    page.call("read_notice", json!({"id": notice["id"]})).unwrap();
    assert!(told().is_none(), "it was read");
}
