//! What is published, and what a listener is told when it may have missed something.

use redis::cmd;
use tillroll_dispatcher::redis::{Heard, Redis, Subscription};
use tillroll_testkit::RedisServer;

use super::there;

async fn say(redis: &Redis, message: &str) {
    let () = redis.call(cmd("PUBLISH").arg("news").arg(message)).await.unwrap();
}

async fn hears(subscription: &mut Subscription, message: &str) {
    let expected = Some(Heard::Message(message.as_bytes().to_vec()));
    assert_eq!(subscription.hear().await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_listener_hears_and_knows_from_when_on() {
    let server = RedisServer::start();
    let (here, there) = (there([server.address()]).await, there([server.address()]).await);
    let mut subscriptions = [here.subscribe("news"), there.subscribe("news")];
    for subscription in &mut subscriptions {
        assert_eq!(subscription.hear().await, Some(Heard::Missed));
    }
    for message in ["a", "b"] {
        say(&here, message).await;
        for subscription in &mut subscriptions {
            hears(subscription, message).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listener_is_told_that_it_missed_something_when_redis_was_gone() {
    let mut server = RedisServer::start();
    let redis = there([server.address()]).await;
    let mut subscription = redis.subscribe("news");
    assert_eq!(subscription.hear().await, Some(Heard::Missed));
    server.kill();
    server.restart();
    assert_eq!(subscription.hear().await, Some(Heard::Missed));
    // The first call may be the one that finds the old connection dead.
    while redis.call::<()>(&cmd("PING")).await.is_err() {
        tokio::task::yield_now().await;
    }
    say(&redis, "back").await;
    hears(&mut subscription, "back").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_listener_is_told_that_it_missed_something() {
    let server = RedisServer::start();
    let redis = there([server.address()]).await;
    let mut subscription = redis.subscribe("news");
    assert_eq!(subscription.hear().await, Some(Heard::Missed));
    for _ in 0..3_000 {
        say(&redis, "x").await;
    }
    let mut heard = 0;
    while subscription.hear().await != Some(Heard::Missed) {
        heard += 1;
    }
    assert!(heard < 3_000, "{heard}");
}
