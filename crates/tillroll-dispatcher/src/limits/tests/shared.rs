//! Windows in a real Redis: shared by nodes, gone and back, and nothing left behind.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Instant, SystemTime};

use tillroll_testkit::{RedisCluster, RedisServer};
use tokio::task::JoinSet;

use super::*;

async fn there(addresses: impl IntoIterator<Item = String>) -> Redis {
    let addresses: RedisAddresses = addresses.into_iter().collect();
    let redis = Redis::connect(&addresses, PATIENT).unwrap().unwrap();
    until(|| redis.is_there()).await;
    redis
}

async fn until(holds: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(ms(5)).await;
    }
    panic!("it does not come to hold")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_through_one_redis_never_allow_more_than_the_limit() {
    let server = RedisServer::start();
    let mut callers = JoinSet::new();
    for _ in 0..2 {
        let redis = there([server.address()]).await;
        let limits = Arc::new(limits(RATES, Nodes::Several, Some(redis)));
        for _ in 0..4 {
            let limits = Arc::clone(&limits);
            callers.spawn(async move {
                let shop = shop();
                let wish =
                    Wish { store: &shop, register: register(1), action: Action::Scan, calls: 1 };
                let (began, mut at) = (Instant::now(), Vec::new());
                while began.elapsed() < ms(3_500) {
                    let asked = micros();
                    if limits.wish(wish, after(ms(0))).await.allowed {
                        at.push((asked, micros()));
                    }
                }
                at
            });
        }
    }
    let mut calls = callers.join_all().await.concat();
    calls.sort();
    assert!(calls.len() >= 60, "{}: three windows at least were filled", calls.len());
    // A call counted between its asking and its answer, so 21 that lie a window apart at most even when the first
    // counted as early and the last as late as can be are too many.
    for group in calls.windows(21) {
        assert!(span(group) >= SECOND, "21 scans within {} us", span(group));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_a_node_allows_half_and_with_it_again_all() {
    let mut server = RedisServer::start();
    let redis = there([server.address()]).await;
    let limits = limits(RATES, Nodes::Several, Some(redis.clone()));
    assert_eq!(allowed(&limits, 1, Action::Refund, ms(0)).await, 3);
    server.kill();
    until(|| !redis.is_there()).await;
    assert_eq!(allowed(&limits, 1, Action::Refund, ms(4_999)).await, 0, "what it allowed before");
    let began = Instant::now();
    assert_eq!(allowed(&limits, 2, Action::Refund, ms(0)).await, 1);
    assert!(began.elapsed() < ms(150), "nobody waits for what is gone: {:?}", began.elapsed());
    server.restart();
    until(|| redis.is_there()).await;
    assert_eq!(allowed(&limits, 3, Action::Refund, ms(0)).await, 3);
}

/// When a call was asked for and when it was allowed.
type Allowed = (u128, u128);

/// A second of [`micros`].
const SECOND: u128 = 1_000_000;

/// From the first asking to the last answer, which need not be that of the last asking.
fn span(calls: &[Allowed]) -> u128 {
    let first = calls.iter().map(|call| call.0).min().unwrap();
    calls.iter().map(|call| call.1).max().unwrap() - first
}

/// Microseconds of the clock that Redis measures a window by, whatever it is set to: it runs faster or slower than
/// [`Instant`] while it is put right.
fn micros() -> u128 {
    SystemTime::UNIX_EPOCH.elapsed().unwrap().as_micros()
}

/// A node's caller that asks without a pause, until it is told to stop; its calls, and its longest wait.
async fn ask_on(redis: Redis, began: Instant, count: Arc<AtomicUsize>) -> (Vec<Allowed>, Duration) {
    let (limits, shop) = (limits(RATES, Nodes::Several, Some(redis)), shop());
    let wish = Wish { store: &shop, register: register(1), action: Action::Scan, calls: 1 };
    let (mut calls, mut longest) = (Vec::new(), ms(0));
    while count.load(SeqCst) < ENOUGH {
        let (asked, asked_at) = (Instant::now(), micros());
        if limits.wish(wish, after(began.elapsed())).await.allowed {
            calls.push((asked_at, micros()));
            count.fetch_add(1, SeqCst);
        }
        longest = longest.max(asked.elapsed());
        // Answers of memory come without a pause, and others want to work too.
        tokio::task::yield_now().await;
    }
    (calls, longest)
}

/// Calls that fill several windows.
const ENOUGH: usize = 120;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_killed_under_way_keeps_nobody_waiting_and_doubles_one_window_at_most() {
    let mut server = RedisServer::start();
    let (began, count) = (Instant::now(), Arc::new(AtomicUsize::new(0)));
    let nodes = [there([server.address()]).await, there([server.address()]).await];
    let mut callers = JoinSet::new();
    for redis in nodes.clone() {
        callers.spawn(ask_on(redis, began, Arc::clone(&count)));
    }
    until(|| count.load(SeqCst) >= 30).await;
    server.kill();
    until(|| nodes.iter().all(|redis| !redis.is_there())).await;
    let by_halves = count.load(SeqCst);
    until(|| count.load(SeqCst) >= by_halves + 30).await;
    server.restart();
    let (calls, waits): (Vec<_>, Vec<_>) = callers.join_all().await.into_iter().unzip();
    assert!(nodes.iter().all(Redis::is_there));
    assert!(waits.iter().all(|wait| *wait < ms(800)), "{waits:?}");
    let mut calls = calls.concat();
    calls.sort();
    // What both nodes know of is 20, and as many more come from a Redis that knows nothing.
    for group in calls.windows(41) {
        assert!(span(group) >= SECOND, "41 scans within {} us", span(group));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_that_passed_leave_no_key() {
    let server = RedisServer::start();
    let redis = there([server.address()]).await;
    let limits = limits(RATES, Nodes::Several, Some(redis.clone()));
    for no in 0..30 {
        allowed(&limits, no, Action::Pay, ms(0)).await;
    }
    // The probe's key, one of the store, and two of each register.
    let count = async || redis.call::<u64>(&redis::cmd("DBSIZE")).await.unwrap();
    assert!((31..=62).contains(&count().await), "{}", count().await);
    for _ in 0..200 {
        if count().await <= 1 {
            return;
        }
        tokio::time::sleep(ms(50)).await;
    }
    panic!("{} keys are left", count().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_of_a_store_lie_together_in_a_cluster() {
    let cluster = RedisCluster::start();
    let redis = there(cluster.addresses()).await;
    let limits = limits(RATES, Nodes::Several, Some(redis));
    let mut answers = BTreeMap::new();
    for store in 0..30 {
        let shop = StoreRecord { uid: format!("st_{store}"), ..shop() };
        let wish = Wish { store: &shop, register: register(1), action: Action::Refund, calls: 3 };
        let asked = [limits.wish(wish, after(ms(0))).await, limits.wish(wish, after(ms(0))).await];
        *answers.entry(asked.map(|answer| answer.allowed)).or_insert(0) += 1;
    }
    // Half of three is one: a node that could not ask would have refused the first.
    assert_eq!(answers, BTreeMap::from([([true, false], 30)]));
}
