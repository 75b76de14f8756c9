//! Calls, and what they cost while Redis is gone.

use std::time::{Duration, Instant};

use redis::{Script, cmd};
use tillroll_dispatcher::redis::{Redis, RedisAddresses, RedisError, RedisSettings};
use tillroll_testkit::RedisServer;

use super::{connect, patient, there, there_within, until};

async fn set_and_get(redis: &Redis, value: &str) -> Result<String, RedisError> {
    let () = redis.call(cmd("SET").arg("key").arg(value)).await?;
    redis.call(cmd("GET").arg("key")).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_answered_and_a_script_is_told_where_it_is_unknown() {
    let server = RedisServer::start();
    let redis = there([server.address()]).await;
    assert_eq!(set_and_get(&redis, "a").await.unwrap(), "a");
    let script = Script::new("return {KEYS[1], ARGV[1] + 1}");
    for _ in 0..2 {
        let answer: (String, u32) = redis.run(script.key("k").arg(1)).await.unwrap();
        assert_eq!(answer, ("k".to_owned(), 2));
        let _flushed = server.ask("SCRIPT FLUSH", "OK");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_redis_refuses_is_no_loss_of_it() {
    let server = RedisServer::start();
    let redis = there([server.address()]).await;
    let refused = redis.call::<()>(cmd("INCR").arg("no")).await;
    assert!(refused.is_ok());
    let () = redis.call(cmd("SET").arg("word").arg("abc")).await.unwrap();
    let refused = redis.call::<i64>(cmd("INCR").arg("word")).await;
    assert!(matches!(refused, Err(RedisError::Failed(_))), "{refused:?}");
    assert!(redis.is_there());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_it_is_gone_no_call_waits_and_it_comes_back_by_itself() {
    let mut server = RedisServer::start();
    let redis = there([server.address()]).await;
    server.kill();
    while !matches!(set_and_get(&redis, "a").await, Err(RedisError::Gone)) {}
    let began = Instant::now();
    for _ in 0..10_000 {
        let answer = redis.call::<()>(&cmd("PING")).await;
        assert!(matches!(answer, Err(RedisError::Gone)), "{answer:?}");
    }
    let took = began.elapsed();
    assert!(took < Duration::from_secs(1), "10,000 calls of what is gone took {took:?}");
    server.restart();
    until(|| redis.is_there()).await;
    assert_eq!(set_and_get(&redis, "b").await.unwrap(), "b");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_server_costs_a_caller_one_limit() {
    let server = RedisServer::start();
    let redis = there_within([server.address()], RedisSettings::default()).await;
    server.freeze();
    let began = Instant::now();
    let answer = redis.call::<()>(&cmd("PING")).await;
    assert!(matches!(answer, Err(RedisError::Late | RedisError::Gone)), "{answer:?}");
    assert!(began.elapsed() < RedisSettings::default().call * 5, "{:?}", began.elapsed());
    until(|| !redis.is_there()).await;
    assert!(matches!(redis.call::<()>(&cmd("PING")).await, Err(RedisError::Gone)));
    server.thaw();
    until(|| redis.is_there()).await;
    assert_eq!(set_and_get(&redis, "c").await.unwrap(), "c");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_is_noticed_when_nobody_calls() {
    let server = RedisServer::start();
    let redis = there_within([server.address()], RedisSettings::default()).await;
    server.freeze();
    until(|| !redis.is_there()).await;
    server.thaw();
    until(|| redis.is_there()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_that_starts_after_the_node_is_found() {
    let mut server = RedisServer::start();
    server.kill();
    let redis = connect([server.address()], patient());
    assert!(matches!(set_and_get(&redis, "a").await, Err(RedisError::Gone)));
    server.restart();
    until(|| redis.is_there()).await;
    assert_eq!(set_and_get(&redis, "a").await.unwrap(), "a");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_that_takes_no_writes_is_gone() {
    let server = RedisServer::start();
    let redis = there([server.address()]).await;
    let _set = server.ask("CONFIG SET maxmemory 1", "OK");
    until(|| !redis.is_there()).await;
    let _set = server.ask("CONFIG SET maxmemory 0", "OK");
    until(|| redis.is_there()).await;
}

#[tokio::test]
async fn no_address_is_no_redis() {
    let none = Redis::connect(&RedisAddresses::default(), RedisSettings::default());
    assert!(none.unwrap().is_none());
}
