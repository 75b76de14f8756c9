//! Printers: added, changed, removed, probed, tested, paused.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{PATIENCE, Plan, Shop, receipt, refused};

#[tokio::test(flavor = "multi_thread")]
async fn printer_is_probed_when_it_is_added() {
    let shop = Shop::open(Plan::default()).await;
    let added = shop.post("/v1/printers", &json!({"name": "front", "uri": "virtual:front"})).await;
    assert_eq!(added.status(), 201);
    let added: Value = added.json().await.unwrap();
    assert_eq!((&added["level"], &added["profile"]), (&json!("token"), &json!("virtual")));
    let probed: Value = shop.poke("/v1/printers/front/probe").await.json().await.unwrap();
    assert_eq!(probed["level"], "token");
    shop.submit(&receipt(1)).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_cannot_be_are_named() {
    let (shop, _printer) = Shop::with_printer().await;
    let cases = [
        (json!({"name": "a b", "uri": "virtual:a"}), "name"),
        (json!({"name": "bar", "uri": "ftp://bar"}), "uri"),
        (json!({"name": "bar", "uri": "virtual:bar", "profile": "none"}), "profile"),
        (json!({"name": "bar", "uri": "virtual:bar", "columns": 3}), "columns"),
        (json!({"name": "bar", "uri": "virtual:bar", "drawer_pin": 2}), "drawer_pin"),
    ];
    for (body, field) in cases {
        let problem = refused(shop.post("/v1/printers", &body).await, 422, "invalid_value").await;
        assert_eq!(problem["faults"][0]["field"], field);
    }
    let taken = json!({"name": "front", "uri": "virtual:front", "level": "token"});
    refused(shop.post("/v1/printers", &taken).await, 409, "taken").await;
    refused(shop.get("/v1/printers/cellar").await, 404, "not_found").await;
    assert_eq!(shop.read("/v1/printers").await["printers"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn address_nobody_answers_at_is_added_and_says_so() {
    let shop = Shop::open(Plan::default()).await;
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let uri = format!("tcp://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let added = shop.post("/v1/printers", &json!({"name": "front", "uri": uri})).await;
    assert_eq!(added.status(), 201);
    let added: Value = added.json().await.unwrap();
    assert_eq!((&added["state"], &added["reason"]), (&json!("stopped"), &json!("refused")));
    assert!(added["not_reached"].is_string() && added["probe"].is_null(), "{added}");
    let bar = json!({"name": "bar", "uri": "virtual:bar"});
    let reached: Value = shop.post("/v1/printers", &bar).await.json().await.unwrap();
    assert_eq!(reached["probe"]["level"], "token");
    assert!(reached["not_reached"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn taken_name_is_refused_before_anything_is_asked_of_the_device() {
    let (shop, _printer) = Shop::with_printer().await;
    let other = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let uri = format!("tcp://{}", other.local_addr().unwrap());
    refused(shop.post("/v1/printers", &json!({"name": "front", "uri": uri})).await, 409, "taken")
        .await;
    let asked = tokio::time::timeout(std::time::Duration::from_millis(50), other.accept()).await;
    assert!(asked.is_err(), "the device was asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn file_is_silent_and_nothing_else() {
    let shop = Shop::open(Plan::default()).await;
    let uri = format!("file://{}", shop.folder.path().join("receipts.bin").display());
    let claims = json!({"name": "front", "uri": uri, "level": "token"});
    let problem = refused(shop.post("/v1/printers", &claims).await, 422, "invalid_value").await;
    assert_eq!(problem["faults"][0]["field"], "level");
    let added = shop.post("/v1/printers", &json!({"name": "front", "uri": uri})).await;
    assert_eq!(added.json::<Value>().await.unwrap()["level"], "silent");

    shop.add_virtual("bar").await;
    let request = shop.request(Method::PATCH, "/v1/printers/bar");
    let moved = request.json(&json!({"uri": uri})).send().await.unwrap();
    assert_eq!(
        moved.json::<Value>().await.unwrap()["level"],
        "silent",
        "it gives no token any more"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn change_keeps_what_it_does_not_name() {
    let (shop, _printer) = Shop::with_printer().await;
    let request = shop.request(Method::PATCH, "/v1/printers/front");
    let changed = request.json(&json!({"unproven": "trust"})).send().await.unwrap();
    assert_eq!(changed.status(), 200);
    let changed: Value = changed.json().await.unwrap();
    assert_eq!((&changed["unproven"], &changed["level"]), (&json!("trust"), &json!("token")));
    assert_eq!(changed["uri"], "virtual:front");
    shop.submit(&receipt(1)).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paused_printer_keeps_its_queue_and_goes_on_when_resumed() {
    let (shop, printer) = Shop::with_printer().await;
    let paused: Value = shop.poke("/v1/printers/front/pause").await.json().await.unwrap();
    assert_eq!(paused["state"], "paused");
    shop.submit(&receipt(1)).await;
    let story = shop.read("/v1/jobs/S1:R1-000001:receipt:v1").await;
    assert_eq!((&story["state"], &story["attempts"]), (&json!("pending"), &json!(0)));
    assert_eq!(shop.poke("/v1/printers/front/resume").await.status(), 200);
    printer.wait_for_tickets(1, PATIENCE).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn routes_send_kinds_where_they_belong_all_or_none() {
    let (shop, front) = Shop::with_printer().await;
    let kitchen = shop.add_virtual("kitchen").await;
    let wrong = json!({"kitchen": "kitchen", "refund": "cellar"});
    refused(shop.put("/v1/routes", &wrong).await, 404, "not_found").await;
    assert_eq!(shop.read("/v1/routes").await["kitchen"], "front", "nothing was changed");
    let unknown = json!({"invoice": "front"});
    refused(shop.put("/v1/routes", &unknown).await, 422, "invalid_value").await;
    let routed = shop.put("/v1/routes", &json!({"kitchen": "kitchen"})).await;
    let routed: Value = routed.json().await.unwrap();
    assert_eq!((&routed["kitchen"], &routed["receipt"]), (&json!("kitchen"), &json!("front")));
    let order = serde_json::to_value(tillroll_testkit::receipts::kitchen_order()).unwrap();
    assert_eq!(shop.submit(&order).await.status(), 201);
    kitchen.wait_for_tickets(1, PATIENCE).await.unwrap();
    assert_eq!(front.cut_tickets(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn test_page_is_a_report_without_takings() {
    let (shop, printer) = Shop::with_printer().await;
    let accepted = shop.poke("/v1/printers/front/test").await;
    assert_eq!(accepted.status(), 201);
    let accepted: Value = accepted.json().await.unwrap();
    let id = accepted["id"].as_str().unwrap();
    assert!(id.starts_with("S1:R1~test~") && id.ends_with(":report:v1"), "{id}");
    let story = shop.wait_for_state(id, "printed").await;
    assert_eq!(story["amount_minor"], 0);
    assert!(printer.tickets()[0].text().contains("front"));
    refused(shop.poke("/v1/printers/cellar/test").await, 404, "not_found").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn profiles_and_devices_can_be_looked_up() {
    let shop = Shop::open(Plan::default()).await;
    let profiles = shop.read("/v1/profiles").await;
    let names = profiles["profiles"].as_array().unwrap();
    assert!(names.iter().any(|profile| profile["name"] == "virtual"));
    assert!(shop.read("/v1/discover").await["devices"].is_array());
}
