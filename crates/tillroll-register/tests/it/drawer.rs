//! The drawer opens for cash and for whoever has the right to it.

use reqwest::Method;
use serde_json::json;

use crate::support::{PATIENCE, Shop, receipt, refused};

/// Where the business day is told.
fn today(shop: &Shop) -> String {
    format!("/v1/days/{}", shop.register.calendar().day_of(shop.register.clock().now()))
}

#[tokio::test(flavor = "multi_thread")]
async fn drawer_opens_without_a_sale_for_whoever_has_the_right() {
    let (shop, printer) = Shop::with_printer().await;
    let token = shop.make_client(json!({"name": "till", "may_open_drawer": true})).await;
    let ask = |token: String, reason: &str| {
        let request = shop.bare(Method::POST, "/v1/printers/front/drawer").bearer_auth(token);
        request.json(&json!({ "reason": reason })).send()
    };
    let without = shop.make_client(json!({"name": "kiosk"})).await;
    refused(ask(without, "change").await.unwrap(), 403, "forbidden").await;
    refused(ask(token.clone(), "  ").await.unwrap(), 422, "invalid_value").await;
    assert_eq!(printer.pulses(), []);

    assert_eq!(ask(token, "change").await.unwrap().status(), 202);
    printer.wait_until(PATIENCE, |printer| printer.pulses().len() == 1).await.unwrap();
    let received: Vec<u8> = printer.received().into_iter().flat_map(|part| part.bytes).collect();
    let pulse = received.windows(3).position(|bytes| bytes == b"\x1bp\x00").unwrap();
    assert!(received.len() >= pulse + 5, "ESC p m t1 t2 has five bytes");
    assert_eq!(printer.pulses()[0].pin, 2);
    let day = shop.wait_for(&today(&shop), |day| day["openings"][0]["outcome"] == "opened").await;
    let opening = &day["openings"][0];
    let told = (&opening["printer"], &opening["client"], &opening["reason"]);
    assert_eq!(told, (&json!("front"), &json!("till"), &json!("change")));
}

#[tokio::test(flavor = "multi_thread")]
async fn drawer_opens_once_for_cash_and_never_for_card_copy_or_test() {
    let (shop, printer) = Shop::with_printer().await;
    shop.submit(&receipt(1)).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    let mut card = receipt(2);
    card["tenders"] = json!([{"type": "card", "amount_minor": 1250}]);
    card.as_object_mut().unwrap().remove("change_minor");
    assert_eq!(shop.submit(&card).await.status(), 201);
    shop.wait_for_state("S1:R1-000002:receipt:v1", "printed").await;
    shop.poke("/v1/jobs/S1:R1-000001:receipt:v1/copy").await;
    shop.wait_for_state("S1:R1-000001:receipt:v1:c1", "printed").await;
    let test: serde_json::Value = shop.poke("/v1/printers/front/test").await.json().await.unwrap();
    shop.wait_for_state(test["id"].as_str().unwrap(), "printed").await;
    assert_eq!(printer.pulses().len(), 1);
    assert_eq!(printer.cut_tickets(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn paused_printer_takes_no_pulse_now_or_later() {
    let (shop, printer) = Shop::with_printer().await;
    shop.poke("/v1/printers/front/pause").await;
    let asked = shop.post("/v1/printers/front/drawer", &json!({"reason": "change"})).await;
    refused(asked, 409, "not_allowed").await;
    let day = shop.read(&today(&shop)).await;
    assert_eq!(day["openings"][0]["outcome"], "dropped");
    shop.poke("/v1/printers/front/resume").await;
    shop.submit(&receipt(1)).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    assert_eq!(printer.pulses().len(), 1, "the sale's own");
}
