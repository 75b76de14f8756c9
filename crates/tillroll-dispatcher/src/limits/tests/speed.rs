//! What a question costs beside a bare script of Redis, printed for people:
//! `cargo test --release -p tillroll-dispatcher --lib -- --ignored --nocapture limits::tests::speed`.

use std::time::Instant;

use redis::Script;
use tillroll_testkit::RedisServer;
use tokio::task::JoinSet;

use super::*;

const EACH: usize = 2_000;

/// Has so many callers ask; rate a second, and the 50th and 99th of a hundred answers.
async fn measure<F: Future<Output = ()> + Send>(
    callers: usize,
    ask: impl Fn(i64) -> F + Clone + Send + 'static,
) -> String {
    let began = Instant::now();
    let mut tasks = JoinSet::new();
    for caller in 0..callers {
        let ask = ask.clone();
        tasks.spawn(async move {
            let mut took = Vec::with_capacity(EACH);
            for _ in 0..EACH {
                let asked = Instant::now();
                ask(caller as i64).await;
                took.push(asked.elapsed());
            }
            took
        });
    }
    let mut took = tasks.join_all().await.concat();
    let rate = took.len() as f64 / began.elapsed().as_secs_f64();
    took.sort_unstable();
    let at = |percent| took[took.len() * percent / 100];
    format!("{rate:.0}/s, p50 {:?}, p99 {:?}", at(50), at(99))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn speed_of_questions_beside_a_bare_script() {
    let server = RedisServer::start();
    let addresses: RedisAddresses = [server.address()].into_iter().collect();
    let redis = Redis::connect(&addresses, PATIENT).unwrap().unwrap();
    while !redis.is_there() {
        tokio::task::yield_now().await;
    }
    let script = Arc::new(Script::new("return redis.call('INCR', KEYS[1])"));
    let limits = Arc::new(limits(RATES, Nodes::Several, Some(redis.clone())));
    for callers in [1, 32] {
        let (redis, script, limits) = (redis.clone(), script.clone(), limits.clone());
        let bare = measure(callers, move |caller| {
            let (redis, script) = (redis.clone(), script.clone());
            async move { redis.run::<()>(&script.key(caller)).await.unwrap() }
        });
        println!("{callers} callers, a bare INCR by script: {}", bare.await);
        let asked = measure(callers, move |caller| {
            let limits = limits.clone();
            async move {
                let shop = shop();
                let register = register(caller);
                let wish = Wish { store: &shop, register, action: Action::Scan, calls: 1 };
                limits.wish(wish, after(ms(0))).await;
            }
        });
        println!("{callers} callers, a question through three windows: {}", asked.await);
    }
}
