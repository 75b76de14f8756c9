//! A POS that begins anew at 0001 every morning.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tillroll_testkit::ManualClock;

use crate::support::{Plan, Shop, receipt_no, refused};

#[tokio::test(flavor = "multi_thread")]
async fn number_that_comes_again_the_next_day_is_another_receipt() {
    let clock = ManualClock::reading("2026-10-09T10:00:00+08:00");
    let shop = Shop::open(Plan { clock: Arc::new(clock.clone()), ..Plan::default() }).await;
    let printer = shop.add_virtual("front").await;
    let body = json!({"name": "pos", "order_scope": "register_day"});
    let token = shop.make_client(body).await;
    let sell = async |receipt: &Value| {
        let request = shop.bare(Method::POST, "/v1/receipts").bearer_auth(&token).json(receipt);
        let answered = request.send().await.unwrap();
        (answered.status().as_u16(), answered.json::<Value>().await.unwrap())
    };
    let mut first = receipt_no("0001");
    first["issued_at"] = json!("2026-10-09T10:00:00+08:00");
    let (status, accepted) = sell(&first).await;
    assert_eq!((status, &accepted["id"]), (201, &json!("S1:R1~20261009~0001:receipt:v1")));
    shop.wait_for_state("S1:R1~20261009~0001:receipt:v1", "printed").await;

    clock.advance(Duration::from_secs(24 * 60 * 60));
    let mut second = receipt_no("0001");
    second["issued_at"] = json!("2026-10-10T10:00:00+08:00");
    let (status, accepted) = sell(&second).await;
    assert_eq!((status, &accepted["id"]), (201, &json!("S1:R1~20261010~0001:receipt:v1")));
    shop.wait_for_state("S1:R1~20261010~0001:receipt:v1", "printed").await;

    let (status, accepted) = sell(&first).await;
    assert_eq!((status, &accepted["replayed"]), (200, &json!(true)), "yesterday's, sent late");
    assert_eq!(printer.cut_tickets(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn number_that_restarts_daily_needs_the_time_of_its_sale() {
    let clock = ManualClock::reading("2026-10-09T10:00:00+08:00");
    let shop = Shop::open(Plan { clock: Arc::new(clock.clone()), ..Plan::default() }).await;
    let printer = shop.add_virtual("front").await;
    let body = json!({"name": "pos", "order_scope": "register_day"});
    let token = shop.make_client(body).await;
    let mut sale = receipt_no("0001");
    sale.as_object_mut().unwrap().remove("issued_at");
    let request = shop.bare(Method::POST, "/v1/receipts").bearer_auth(&token).json(&sale);
    let answered = request.send().await.unwrap();
    let problem = refused(answered, 422, "invalid_receipt").await;
    assert_eq!(problem["faults"][0]["field"], "issued_at");
    assert_eq!(printer.cut_tickets(), 0);
}
