//! What is refused although its sale may be done waits for a person.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tillroll_testkit::ManualClock;

use crate::support::{Plan, Shop, receipt, refused};

#[tokio::test(flavor = "multi_thread")]
async fn refused_receipt_is_listed_until_somebody_says_what_was_done() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut wrong = receipt(7);
    wrong["total_minor"] = json!(1);
    shop.submit(&wrong).await;
    let listed = shop.read("/v1/rejected").await;
    let row = &listed["rejected"][0];
    assert_eq!((&row["order_no"], &row["kind"]), (&json!("R1-000007"), &json!("receipt")));
    assert_eq!(row["code"], "invalid_receipt");
    assert_eq!(shop.read("/v1/todo").await["rejected"], listed["rejected"]);

    let path = format!("/v1/rejected/{}/answer", row["id"]);
    refused(shop.post(&path, &json!({"answer": " "})).await, 422, "invalid_value").await;
    assert_eq!(shop.post(&path, &json!({"answer": "keyed in by hand"})).await.status(), 204);
    assert_eq!(shop.read("/v1/rejected").await["rejected"], json!([]));
    refused(shop.post(&path, &json!({"answer": "again"})).await, 404, "not_found").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn receipt_refused_again_and_again_is_listed_once() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut wrong = receipt(7);
    wrong["total_minor"] = json!(1);
    for _ in 0..3 {
        refused(shop.submit(&wrong).await, 422, "invalid_receipt").await;
    }
    assert_eq!(shop.read("/v1/rejected").await["rejected"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_receipt_leaves_the_list_when_it_is_accepted() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut wrong = receipt(7);
    wrong["total_minor"] = json!(1);
    refused(shop.submit(&wrong).await, 422, "invalid_receipt").await;
    assert_eq!(shop.submit(&receipt(8)).await.status(), 201);
    assert_eq!(shop.read("/v1/rejected").await["rejected"].as_array().unwrap().len(), 1);
    assert_eq!(shop.submit(&receipt(7)).await.status(), 201);
    assert_eq!(shop.read("/v1/rejected").await["rejected"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn number_that_comes_again_every_day_answers_no_refusal_of_another_day() {
    let clock = ManualClock::reading("2026-10-09T10:00:00+08:00");
    let shop = Shop::open(Plan { clock: Arc::new(clock.clone()), ..Plan::default() }).await;
    shop.add_virtual("front").await;
    let daily = json!({"name": "daily", "order_scope": "register_day"});
    let token = shop.make_client(daily).await;
    let submit = async |total: i64, issued_at: &str| {
        let mut sale = receipt(1);
        sale["issued_at"] = json!(issued_at);
        sale["total_minor"] = json!(total);
        let request = shop.bare(Method::POST, "/v1/receipts").bearer_auth(&token);
        let status = request.json(&sale).send().await.unwrap().status();
        (status.as_u16(), shop.read("/v1/rejected").await["rejected"].as_array().unwrap().len())
    };
    assert_eq!(submit(1, "2026-10-09T10:00:00+08:00").await, (422, 1));
    clock.advance(Duration::from_secs(24 * 60 * 60));
    assert_eq!(submit(1_250, "2026-10-10T10:00:00+08:00").await, (201, 1));
    assert_eq!(submit(1_250, "2026-10-09T10:00:00+08:00").await, (201, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_number_in_the_address_is_named() {
    let (shop, _printer) = Shop::with_printer().await;
    refused(
        shop.post("/v1/rejected/one/answer", &json!({"answer": "x"})).await,
        422,
        "invalid_value",
    )
    .await;
    refused(shop.poke("/v1/notices/99/read").await, 404, "not_found").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_body_is_listed_once_for_each_client_and_day() {
    let clock = ManualClock::reading("2026-10-09T10:00:00+08:00");
    let shop = Shop::open(Plan { clock: Arc::new(clock.clone()), ..Plan::default() }).await;
    let other = shop.make_client(json!({"name": "other"})).await;
    let send = async |token: &str, body: &'static str| {
        let request = shop.bare(Method::POST, "/v1/receipts").bearer_auth(token);
        let request = request.header("content-type", "application/json").body(body);
        refused(request.send().await.unwrap(), 400, "invalid_body").await;
        shop.read("/v1/rejected").await["rejected"].as_array().unwrap().len()
    };
    for _ in 0..3 {
        assert_eq!(send(&shop.token, r#"{"order_no": "#).await, 1);
    }
    assert_eq!(send(&shop.token, r#"{"order_no""#).await, 2, "another body");
    assert_eq!(send(&other, r#"{"order_no""#).await, 3, "another client's");
    clock.advance(Duration::from_secs(24 * 60 * 60));
    assert_eq!(send(&other, r#"{"order_no""#).await, 4, "on another day");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_wrong_is_told_in_bounds() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut wrong = receipt(7);
    wrong["kind"] = json!("票".repeat(100_000));
    assert!(shop.submit(&wrong).await.status().is_client_error());
    let listed = shop.read("/v1/rejected").await;
    let detail = listed["rejected"][0]["detail"].as_str().unwrap();
    assert!(!detail.is_empty() && detail.len() <= 2_048, "{} bytes", detail.len());
}
