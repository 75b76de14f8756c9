//! Nodes that tell each other by Redis.

use std::time::Duration;

use tillroll_testkit::RedisServer;

use super::till::Till;
use super::world::{World, until};

/// Nodes that would hardly ever look by themselves while Redis is there.
async fn told_by(redis: &RedisServer) -> World {
    let mut world = World::new().await;
    world.config.redis = redis.address().parse().unwrap();
    world.nodes.look_told_every = Duration::from_secs(3_600);
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_at_the_wrong_node_is_told_at_once() {
    let redis = RedisServer::start();
    let world = told_by(&redis).await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address]);
    till.connected().await;
    for n in 1..=20 {
        world.send(&b, &shop, n, "front").await;
        till.has_printed(n).await;
    }
    till.prints(false);
    world.send(&b, &shop, 21, "front").await;
    world.until(&shop, 21, "accepted").await;
    world.cancel(&b, &shop, 21).await;
    world.until(&shop, 21, "canceled").await;
}

/// Its words reach nobody, and the others do not know.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_at_a_node_that_is_cut_off_from_redis_alone_is_found() {
    let redis = RedisServer::start();
    let mut world = World::new().await;
    let b = world.node().await;
    world.config.redis = redis.address().parse().unwrap();
    let a = world.node().await;
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address]);
    till.connected().await;
    for n in 1..=5 {
        world.send(&b, &shop, n, "front").await;
        till.has_printed(n).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_gone_and_back_costs_no_job() {
    let mut redis = RedisServer::start();
    let world = told_by(&redis).await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address]);
    till.connected().await;
    redis.kill();
    for n in 1..=5 {
        world.send(&b, &shop, n, "front").await;
    }
    for n in 1..=5 {
        till.has_printed(n).await;
    }
    redis.restart();
    for n in 6..=10 {
        world.send(&b, &shop, n, "front").await;
        till.has_printed(n).await;
    }
    until("all are told", async || {
        let jobs = world.jobs(&shop).await;
        jobs.iter().all(|job| job["state"] == "printed").then_some(())
    })
    .await;
}
