use std::collections::BTreeMap;

use reqwest::{Method, StatusCode};
use serde_json::json;

use super::support::{Cloud, answer};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_twenty_uses_of_a_code_at_once_one_pairs() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let made = cloud.dispatcher.admin().add_register(&shop.uid, "R1").await.unwrap();
    // Ten a minute are allowed from one address.
    let uses = (0..10).map(|_| cloud.use_code(&made.code, "R1"));
    let mut outcomes = BTreeMap::new();
    for (status, _) in futures_util::future::join_all(uses).await {
        *outcomes.entry(status.as_u16()).or_insert(0) += 1;
    }
    assert_eq!(outcomes, BTreeMap::from([(200, 1), (403, 9)]));
}

#[tokio::test]
async fn code_is_known_however_it_is_typed_and_of_its_register_only() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let code = cloud.dispatcher.admin().add_register(&shop.uid, "R1").await.unwrap().code;
    let (status, problem) = cloud.use_code(&code, "R2").await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("pairing_code")));
    let typed = code.to_lowercase().replace('-', " ");
    assert_eq!(cloud.use_code(&typed, "R1").await.0, StatusCode::OK);
}

#[tokio::test]
async fn trying_codes_is_stopped_after_ten_a_minute() {
    let cloud = Cloud::start().await;
    for n in 0..10 {
        let (status, _) = cloud.use_code(&format!("0000-0000-00{n:02}"), "R1").await;
        assert_eq!(status, StatusCode::FORBIDDEN);
    }
    let (status, problem) = cloud.use_code("0000-0000-0000", "R1").await;
    assert_eq!((status, &problem["code"]), (StatusCode::TOO_MANY_REQUESTS, &json!("rate_limited")));
    assert!(problem["retry_after_ms"].as_u64().unwrap() > 50_000, "{problem}");
}

#[tokio::test]
async fn unknown_protocol_and_bad_installation_are_refused_politely() {
    let cloud = Cloud::start().await;
    let pair = async |protocol: u32, installation: &str| {
        let body = json!({"protocol": protocol, "code": "0000-0000-0000", "store": "S1",
            "register": "R1", "installation": installation});
        answer(cloud.request(Method::POST, "/v1/pair").json(&body)).await
    };
    let (status, problem) = pair(99, "m1").await;
    assert_eq!((status, &problem["code"]), (StatusCode::BAD_REQUEST, &json!("unknown_protocol")));
    let (status, problem) = pair(1, "m 1").await;
    assert_eq!(
        (status, &problem["code"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("invalid_value"))
    );
    assert_eq!(problem["faults"][0]["field"], "installation");
}
