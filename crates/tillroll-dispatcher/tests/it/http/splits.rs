//! Splits over the API: prepared, confirmed, and settled by people.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::support::{Answer, Cloud, Shop, answer};

struct Store {
    cloud: Cloud,
    shop: Shop,
}

impl Store {
    async fn new() -> Self {
        let cloud = Cloud::start().await;
        let shop = cloud.shop("Old Wang", "S1").await;
        Self { cloud, shop }
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/stores/{}/{rest}", self.shop.uid)
    }

    async fn set_table(&self, version: u32, platform_bp: u32) -> Answer {
        let path = self.path(&format!("share-tables/{version}"));
        let body = json!({"valid_from": "2026-01-01T00:00:00Z", "shares": [
            {"party": "platform", "rate_bp": platform_bp}, {"party": "merchant", "rate_bp": 9_400}]});
        let request = self.cloud.request(Method::PUT, &path).bearer_auth(&self.shop.token);
        answer(request.json(&body)).await
    }

    async fn post(&self, rest: &str, body: Value) -> Answer {
        self.cloud.post(&self.shop.token, &self.path(rest), &body).await
    }

    async fn get(&self, rest: &str) -> Value {
        self.cloud.get(&self.shop.token, &self.path(rest)).await.1
    }
}

fn split(id: &str, amount: i64) -> Value {
    json!({"split_id": id, "day": "2026-11-30", "amount_minor": amount, "currency": "CNY",
        "paid_at": "2026-11-30T12:00:00Z"})
}

#[tokio::test]
async fn share_table_is_set_once_for_each_version() {
    let store = Store::new().await;
    let (status, wrong) = store.set_table(1, 599).await;
    assert_eq!(
        (status, &wrong["code"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("invalid_value"))
    );
    assert!(wrong["detail"].as_str().unwrap().starts_with("shares: the rates"), "{wrong}");
    assert_eq!(store.set_table(2, 600).await.0, StatusCode::UNPROCESSABLE_ENTITY, "1 is the next");
    assert_eq!(store.set_table(1, 600).await.0, StatusCode::CREATED);
    assert_eq!(store.set_table(1, 600).await.0, StatusCode::OK);
    assert_eq!(store.get("share-tables").await["tables"][0]["shares"][0]["rate_bp"], 600);
}

#[tokio::test]
async fn split_is_prepared_once_and_moves_no_money_before_it_is_confirmed() {
    let store = Store::new().await;
    let (_, early) = store.post("splits", split("1", 5_401)).await;
    assert!(early["detail"].as_str().unwrap().contains("share table"), "{early}");
    store.set_table(1, 600).await;
    let (status, made) = store.post("splits", split("1", 5_401)).await;
    assert_eq!((status, &made["state"]), (StatusCode::CREATED, &json!("init")), "{made}");
    assert_eq!(made["parts"][0], json!({"party": "platform", "amount_minor": 324}));
    assert_eq!((&made["confirmed"], &made["due_at"]), (&json!(false), &Value::Null));
    let (status, again) = store.post("splits", split("1", 5_401)).await;
    assert_eq!((status, &again["replayed"]), (StatusCode::OK, &json!(true)));
    let (status, other) = store.post("splits", split("1", 1)).await;
    assert_eq!((status, &other["code"]), (StatusCode::CONFLICT, &json!("conflict")));
    let (status, confirmed) = store.post("splits/1/confirm", json!({})).await;
    assert_eq!((status, &confirmed["confirmed"]), (StatusCode::ACCEPTED, &json!(true)));
    let (status, again) = store.post("splits/1/confirm", json!({})).await;
    assert_eq!((status, &again["replayed"]), (StatusCode::ACCEPTED, &json!(true)));
    let day = store.get("split-days/2026-11-30").await;
    assert_eq!(day["shares"]["pending"], json!({"count": 1, "amount_minor": 5_401}));
    assert_eq!(store.post("splits/2/confirm", json!({})).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn refund_waits_for_its_split_and_takes_no_more_than_is_left() {
    let store = Store::new().await;
    store.set_table(1, 600).await;
    store.post("splits", split("1", 1_000)).await;
    let refund = |id: &str, amount| {
        let mut body = split(id, amount);
        body["of"] = json!("1");
        body
    };
    let (_, over) = store.post("splits", refund("r1", 1_001)).await;
    assert_eq!(over["faults"][0]["field"], "amount_minor", "{over}");
    let (_, made) = store.post("splits", refund("r1", 500)).await;
    assert_eq!(made["parts"][1], json!({"party": "merchant", "amount_minor": 470}));
    let (status, early) = store.post("splits/r1/confirm", json!({})).await;
    assert_eq!((status, &early["code"]), (StatusCode::CONFLICT, &json!("not_allowed")));
}

#[tokio::test]
async fn person_acts_on_a_split_with_a_name_and_a_reason() {
    let store = Store::new().await;
    store.set_table(1, 600).await;
    store.post("splits", split("1", 1_000)).await;
    let (status, _) = store.post("splits/1/cancel", json!({"by": "Li"})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "without a reason");
    let (_, refused) = store.post("splits/1/settle", json!({"by": "Li", "note": "slip 7"})).await;
    assert_eq!(refused["code"], "not_allowed", "{refused}");
    let said = json!({"by": "Li", "note": "the order was a test"});
    let (status, canceled) = store.post("splits/1/cancel", said).await;
    assert_eq!((status, &canceled["state"]), (StatusCode::OK, &json!("failed")));
    let told = store.get("splits/1").await;
    assert_eq!(told["history"][1]["note"], "the order was a test");
    assert_eq!(told["history"][1]["by"], "Li");
    let list = store.get("splits?state=failed").await;
    assert_eq!(list["splits"].as_array().unwrap().len(), 1);
    assert_eq!(store.get("splits?state=manual").await["splits"], json!([]));
}

#[tokio::test]
async fn split_of_another_store_does_not_exist() {
    let store = Store::new().await;
    store.set_table(1, 600).await;
    store.post("splits", split("1", 1_000)).await;
    let other = store.cloud.shop("Other", "S1").await;
    let path = format!("/v1/stores/{}/splits/1", other.uid);
    assert_eq!(store.cloud.get(&other.token, &path).await.0, StatusCode::NOT_FOUND);
    assert_eq!(
        store.cloud.get(&other.token, &store.path("splits/1")).await.0,
        StatusCode::NOT_FOUND
    );
}
