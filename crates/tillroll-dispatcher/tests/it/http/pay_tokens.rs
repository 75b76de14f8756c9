//! Pay tokens over the API.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tillroll_testkit::RedisServer;

use super::support::{Cloud, Plan, Shop};

fn tokens_of(shop: &Shop) -> String {
    format!("/v1/stores/{}/pay-tokens", shop.uid)
}

async fn issued(cloud: &Cloud, shop: &Shop, request_id: &str) -> String {
    let body = json!({"request_id": request_id, "register": "R1", "amount_minor": 5_400});
    let (status, token) = cloud.post(&shop.token, &tokens_of(shop), &body).await;
    assert_eq!(status, StatusCode::CREATED, "{token}");
    assert_eq!((&token["state"], &token["register"]), (&json!("issued"), &json!("R1")));
    token["token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn payment_is_done_once_and_its_result_is_told_to_everybody() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    cloud.pair(&shop, "R1").await;
    let token = issued(&cloud, &shop, "order-7").await;
    let at = |step: &str| format!("{}/{token}{step}", tokens_of(&shop));
    let post = async |step: &str, body: Value| cloud.post(&shop.token, &at(step), &body).await;

    let (status, won) = post("/consume", json!({"consume_id": "a"})).await;
    assert_eq!((status, &won["state"]), (StatusCode::OK, &json!("consumed")));
    let (status, again) = post("/consume", json!({"consume_id": "a"})).await;
    assert_eq!((status, &again["replayed"]), (StatusCode::OK, &json!(true)));
    let (status, told) = post("/consume", json!({"consume_id": "b"})).await;
    assert_eq!((status, &told["code"]), (StatusCode::CONFLICT, &json!("token_consumed")));
    assert_eq!(told["pay_token"]["state"], "consumed", "{told}");
    assert!(!told.to_string().contains("\"a\""), "the winner's id is theirs: {told}");

    let result = json!({"provider": "card", "approval": "042117"});
    let early = post("/complete", json!({"consume_id": "b", "result": result})).await;
    assert_eq!(early.1["code"], "token_consumed");
    let (status, done) = post("/complete", json!({"consume_id": "a", "result": result})).await;
    assert_eq!((status, &done["state"]), (StatusCode::OK, &json!("completed")), "{done}");
    let (status, again) = post("/complete", json!({"consume_id": "a", "result": result})).await;
    assert_eq!((status, &again["replayed"]), (StatusCode::OK, &json!(true)));
    let (_, other) = post("/complete", json!({"consume_id": "a", "result": {}})).await;
    assert_eq!(other["code"], "conflict");
    assert_ne!(other["stored_fingerprint"], other["offered_fingerprint"]);
    let (_, told) = post("/consume", json!({"consume_id": "b"})).await;
    assert_eq!(told["pay_token"]["result"], result);
    let (_, found) = cloud.get(&shop.token, &at("")).await;
    assert_eq!((&found["result"], &found["amount_minor"]), (&result, &json!(5_400)));
}

#[tokio::test]
async fn request_asked_again_is_the_same_token_and_another_amount_a_conflict() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    cloud.pair(&shop, "R1").await;
    let token = issued(&cloud, &shop, "order-7").await;
    let ask = async |amount: i64| {
        let body = json!({"request_id": "order-7", "register": "R1", "amount_minor": amount});
        cloud.post(&shop.token, &tokens_of(&shop), &body).await
    };
    let (status, again) = ask(5_400).await;
    assert_eq!((status, &again["token"]), (StatusCode::OK, &json!(token)));
    assert_eq!(again["replayed"], true);
    let (status, other) = ask(1).await;
    assert_eq!((status, &other["code"]), (StatusCode::CONFLICT, &json!("conflict")));
}

#[tokio::test]
async fn payment_that_was_begun_before_a_crash_is_finished_by_its_consumer_alone() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    cloud.pair(&shop, "R1").await;
    let token = issued(&cloud, &shop, "order-7").await;
    let at = |step: &str| format!("{}/{token}{step}", tokens_of(&shop));
    cloud.post(&shop.token, &at("/consume"), &json!({"consume_id": "a"})).await;
    let cloud = cloud.restart().await;
    let (_, left) = cloud.get(&shop.token, &at("")).await;
    assert_eq!((&left["state"], left.get("result")), (&json!("consumed"), None), "{left}");
    let (_, told) = cloud.post(&shop.token, &at("/consume"), &json!({"consume_id": "b"})).await;
    assert_eq!(told["code"], "token_consumed");
    let (_, again) = cloud.post(&shop.token, &at("/consume"), &json!({"consume_id": "a"})).await;
    assert_eq!(again["replayed"], true);
    let done = json!({"consume_id": "a", "result": {"paid": true}});
    let (status, done) = cloud.post(&shop.token, &at("/complete"), &done).await;
    assert_eq!((status, &done["state"]), (StatusCode::OK, &json!("completed")));
}

#[tokio::test]
async fn register_knows_of_its_own_tokens_alone() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let (r1, r2) = (cloud.pair(&shop, "R1").await, cloud.pair(&shop, "R2").await);
    let own = json!({"request_id": "1", "amount_minor": 100});
    let (status, token) = cloud.post(&r2, "/v1/pay-tokens", &own).await;
    assert_eq!((status, &token["register"]), (StatusCode::CREATED, &json!("R2")));
    let token = token["token"].as_str().unwrap().to_owned();
    let at = |step: &str| format!("/v1/pay-tokens/{token}{step}");
    let by = |id: &str| json!({"consume_id": id});
    let (status, _) = cloud.get(&r1, &at("")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(cloud.post(&r1, &at("/consume"), &by("a")).await.0, StatusCode::NOT_FOUND);
    assert_eq!(cloud.post(&r2, &at("/consume"), &by("a")).await.0, StatusCode::OK);
    let done = json!({"consume_id": "a", "result": {"paid": true}});
    assert_eq!(cloud.post(&r2, &at("/complete"), &done).await.0, StatusCode::OK);
    let (_, seen) = cloud.get(&shop.token, &format!("{}/{token}", tokens_of(&shop))).await;
    assert_eq!(seen["result"], json!({"paid": true}), "the store's systems know of all");
}

#[tokio::test]
async fn what_cannot_be_is_named() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    cloud.pair(&shop, "R1").await;
    let base = json!({"request_id": "1", "register": "R1", "amount_minor": 1});
    for (field, value) in [
        ("request_id", json!("")),
        ("request_id", json!("a b")),
        ("register", json!("R7")),
        ("amount_minor", json!(0)),
        ("amount_minor", json!(-5)),
    ] {
        let mut body = base.clone();
        body[field] = value;
        let (status, problem) = cloud.post(&shop.token, &tokens_of(&shop), &body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["faults"][0]["field"], field);
    }
    let token = issued(&cloud, &shop, "1").await;
    let consume = format!("{}/{token}/consume", tokens_of(&shop));
    let (_, problem) = cloud.post(&shop.token, &consume, &json!({"consume_id": "\0"})).await;
    assert_eq!(problem["faults"][0]["field"], "consume_id");
    let complete = format!("{}/{token}/complete", tokens_of(&shop));
    let large = json!({"consume_id": "a", "result": {"x": "y".repeat(20_000)}});
    let (_, problem) = cloud.post(&shop.token, &complete, &large).await;
    assert_eq!(problem["faults"][0]["field"], "result");
    let early = json!({"consume_id": "a", "result": {}});
    let (status, problem) = cloud.post(&shop.token, &complete, &early).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("not_allowed")));
    for strange in ["x", "pt_00", "%00", "pt_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"] {
        let path = format!("{}/{strange}", tokens_of(&shop));
        assert_eq!(cloud.get(&shop.token, &path).await.0, StatusCode::NOT_FOUND, "{strange}");
    }
}

#[tokio::test]
async fn result_comes_from_redis_and_when_that_is_gone_from_its_row() {
    let mut server = RedisServer::start();
    let mut plan = Plan::default();
    plan.config.redis = [server.address()].into_iter().collect();
    let cloud = Cloud::with(plan).await;
    let shop = cloud.shop("Old Wang", "S1").await;
    cloud.pair(&shop, "R1").await;
    let token = issued(&cloud, &shop, "1").await;
    let at = |step: &str| format!("{}/{token}{step}", tokens_of(&shop));
    cloud.post(&shop.token, &at("/consume"), &json!({"consume_id": "a"})).await;
    let done = json!({"consume_id": "a", "result": {"paid": true}});
    let (_, done) = cloud.post(&shop.token, &at("/complete"), &done).await;
    let (_, found) = cloud.get(&shop.token, &at("")).await;
    assert_eq!(found, done);
    let key = format!("tillroll:{{{}}}:pay:{token}", shop.uid);
    let ttl = server.ask(&format!("TTL {key}"), ":");
    let ttl: i64 = ttl.trim().trim_start_matches(':').parse().unwrap();
    assert!((1..=600).contains(&ttl), "{ttl}");
    server.kill();
    let (_, found) = cloud.get(&shop.token, &at("")).await;
    assert_eq!(found, done);
}
