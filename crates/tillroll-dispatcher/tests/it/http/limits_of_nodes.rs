//! Two nodes on one PostgreSQL and one Redis: limits count at both together, and by halves while Redis is gone.

use reqwest::StatusCode;
use serde_json::json;
use tillroll_testkit::{PostgresServer, RedisServer};

use super::support::{Cloud, Plan, Shop};

/// How many refunds of a register a node allows.
async fn refunds(node: &Cloud, shop: &Shop, register: &str) -> u32 {
    let path = format!("/v1/stores/{}/limits/refund", shop.uid);
    let mut count = 0;
    loop {
        let (status, answer) = node.post(&shop.token, &path, &json!({"register": register})).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        if answer["allowed"] == false {
            return count;
        }
        count += 1;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_nodes_together_allow_the_limit_and_each_half_while_redis_is_gone() {
    let (postgres, mut redis) = (PostgresServer::start(), RedisServer::start());
    let mut plan = Plan::default();
    plan.config.database = postgres.url().parse().unwrap();
    plan.config.redis = redis.address().parse().unwrap();
    let (a, b) = (Cloud::with(plan.clone()).await, Cloud::with(plan).await);
    let shop = a.shop("Old Wang", "S1").await;
    for register in ["R1", "R2", "R3"] {
        a.pair(&shop, register).await;
    }
    for node in [&a, &b] {
        node.until_figure("tillroll_redis_there 1").await;
    }
    assert_eq!((refunds(&a, &shop, "R1").await, refunds(&b, &shop, "R1").await), (3, 0));
    redis.kill();
    for node in [&a, &b] {
        node.until_figure("tillroll_redis_there 0").await;
    }
    assert_eq!((refunds(&a, &shop, "R2").await, refunds(&b, &shop, "R2").await), (1, 1));
    redis.restart();
    for node in [&a, &b] {
        node.until_figure("tillroll_redis_there 1").await;
    }
    assert_eq!((refunds(&b, &shop, "R3").await, refunds(&a, &shop, "R3").await), (3, 0));
}
