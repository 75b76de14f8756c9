use reqwest::{Method, StatusCode};

use super::support::{Cloud, Plan, jobs_of};

#[tokio::test]
async fn caller_over_its_rate_is_told_when_to_come_back() {
    let mut plan = Plan::default();
    (plan.config.limits.store_per_s, plan.config.limits.register_per_s) = (3, 2);
    let cloud = Cloud::with(plan).await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    for (secret, path, allowed) in
        [(&shop.token, jobs_of(&shop), 3), (&credential, "/v1/requests?ids=x".to_owned(), 2)]
    {
        let mut answers = Vec::new();
        for _ in 0..5 {
            answers
                .push(cloud.request(Method::GET, &path).bearer_auth(secret).send().await.unwrap());
        }
        let passed = answers.iter().filter(|answer| answer.status() == StatusCode::OK).count();
        assert!(passed >= allowed, "{passed} of 5");
        let refused = answers.into_iter().find(|a| a.status() == StatusCode::TOO_MANY_REQUESTS);
        // A slow machine may have spread the five over more than a second.
        let Some(refused) = refused else { continue };
        assert_eq!(refused.headers()["retry-after"], "1");
        let problem: serde_json::Value = refused.json().await.unwrap();
        assert!(problem["retry_after_ms"].as_u64().unwrap() <= 1_000, "{problem}");
    }
}

#[tokio::test]
async fn health_figures_and_description_are_open() {
    let cloud = Cloud::start().await;
    let text = async |path: &str| {
        let answer = cloud.request(Method::GET, path).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.text().await.unwrap()
    };
    assert_eq!(text("/healthz").await, r#"{"connected":0}"#);
    assert!(text("/v1/openapi.json").await.contains("submit_print_job"));
    let figures = text("/metrics").await;
    for name in [
        "tillroll_registers_connected 0",
        "tillroll_http_request_duration_seconds_count",
        "tillroll_commits_total",
        "tillroll_webhooks_total{outcome=\"delivered\"} 0",
    ] {
        assert!(figures.contains(name), "{name}: {figures}");
    }
}
