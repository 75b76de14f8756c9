//! Limits of actions, as business systems and registers ask for them.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tillroll_testkit::RedisServer;

use super::support::{Cloud, Plan, Shop, answer};

fn limit_of(shop: &Shop, action: &str) -> String {
    format!("/v1/stores/{}/limits/{action}", shop.uid)
}

/// A scan of a register, asked for by a business system.
async fn scan(cloud: &Cloud, shop: &Shop, register: &str, calls: u32) -> Value {
    let body = json!({"register": register, "calls": calls});
    let (status, answer) = cloud.post(&shop.token, &limit_of(shop, "scan"), &body).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

#[tokio::test]
async fn business_system_and_register_share_the_windows_of_a_register() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    cloud.pair(&shop, "R2").await;
    let first = scan(&cloud, &shop, "R1", 17).await;
    assert_eq!(first, json!({"allowed": true, "remaining": 3, "low": true, "retry_after_ms": 0}));
    let (_, own) = cloud.post(&credential, "/v1/limits/scan", &json!({"calls": 4})).await;
    assert_eq!((&own["allowed"], &own["remaining"]), (&json!(false), &json!(3)));
    let wait = own["retry_after_ms"].as_u64().unwrap();
    assert!((1..=1_000).contains(&wait), "{wait}");
    assert_eq!(scan(&cloud, &shop, "R2", 20).await["allowed"], true);
    let (_, pay) = cloud.post(&credential, "/v1/limits/pay", &json!({})).await;
    assert_eq!((&pay["allowed"], &pay["remaining"]), (&json!(true), &json!(4)));
}

#[tokio::test]
async fn what_cannot_be_asked_is_named() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    let refused = async |secret: &str, path: &str, body: Value, code: &str, named: &str| {
        let (_, problem) = cloud.post(secret, path, &body).await;
        assert_eq!(problem["code"], code, "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{problem}");
    };
    let key = shop.token.as_str();
    let scan = limit_of(&shop, "scan");
    refused(key, &limit_of(&shop, "eat"), json!({"register": "R1"}), "invalid_value", "action")
        .await;
    refused(key, &scan, json!({"register": "R9"}), "invalid_value", "register").await;
    refused(key, &scan, json!({"register": "R1", "calls": 0}), "invalid_value", "calls").await;
    refused(key, &scan, json!({}), "invalid_body", "register").await;
    refused(key, "/v1/stores/x/limits/scan", json!({"register": "R1"}), "not_found", "store").await;
    refused(&credential, "/v1/limits/eat", json!({}), "invalid_value", "action").await;
    refused(&credential, &scan, json!({"register": "R1"}), "unauthorized", "").await;
    let promotion = limit_of(&shop, "promotion");
    for (body, named) in [
        (json!({"percent": 99}), "percent"),
        (json!({"lasts_s": 0}), "lasts_s"),
        (json!({"lasts_s": 86_401}), "lasts_s"),
        (json!({"until": "later"}), "until"),
    ] {
        let put = cloud.request(Method::PUT, &promotion).bearer_auth(key).json(&body);
        let (status, problem) = answer(put).await;
        assert!(status.is_client_error(), "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{problem}");
    }
}

#[tokio::test]
async fn promotion_lasts_over_a_restart_and_is_ended_by_hand() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    cloud.pair(&shop, "R1").await;
    let promotion = limit_of(&shop, "promotion");
    assert_eq!(cloud.get(&shop.token, &promotion).await.1, json!({"percent": 100}));
    let put = cloud.request(Method::PUT, &promotion).bearer_auth(&shop.token).json(&json!({}));
    let (status, begun) = answer(put).await;
    assert_eq!((status, &begun["percent"]), (StatusCode::OK, &json!(150)), "{begun}");
    assert_eq!(scan(&cloud, &shop, "R1", 30).await["allowed"], true);
    let cloud = cloud.restart().await;
    let kept = cloud.get(&shop.token, &promotion).await.1;
    assert_eq!(kept["percent"], 150, "{kept}");
    assert_eq!(scan(&cloud, &shop, "R1", 30).await["allowed"], true);
    let end = cloud.request(Method::DELETE, &promotion).bearer_auth(&shop.token);
    assert_eq!(answer(end).await.0, StatusCode::NO_CONTENT);
    assert_eq!(scan(&cloud, &shop, "R1", 21).await["allowed"], false);
}

#[tokio::test]
async fn answers_and_redis_stand_in_the_figures() {
    let mut server = RedisServer::start();
    let mut plan = Plan::default();
    plan.config.redis = [server.address()].into_iter().collect();
    let cloud = Cloud::with(plan).await;
    let shop = cloud.shop("Old Wang", "S1").await;
    cloud.pair(&shop, "R1").await;
    cloud.pair(&shop, "R2").await;
    cloud.until_figure("tillroll_redis_there 1").await;
    scan(&cloud, &shop, "R1", 20).await;
    scan(&cloud, &shop, "R1", 20).await;
    cloud.until_figure(r#"tillroll_limits_asked_total{action="scan",allowed="false"} 1"#).await;
    cloud.until_figure(r#"tillroll_limits_asked_total{action="scan",allowed="true"} 1"#).await;
    let keys = server.ask("DBSIZE", ":");
    assert!(keys.starts_with(":4"), "probe, store, register, action: {keys}");
    server.kill();
    cloud.until_figure("tillroll_redis_there 0").await;
    // One node on one file: the whole limit is its own.
    assert_eq!(scan(&cloud, &shop, "R2", 20).await["allowed"], true);
    cloud.until_figure("tillroll_limits_alone_total 1").await;
}
