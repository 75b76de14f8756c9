//! What is refused although its sale may be done waits for a person.

use serde_json::json;

use crate::support::{Shop, receipt, refused};

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
