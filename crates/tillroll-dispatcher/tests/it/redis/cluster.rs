//! A cluster of three servers: keys of one store lie together, and those of many stores everywhere.

use redis::{Script, cmd};
use tillroll_dispatcher::redis::Heard;
use tillroll_testkit::RedisCluster;

use super::there;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scripts_reach_the_keys_of_every_store_and_messages_every_listener() {
    let cluster = RedisCluster::start();
    let redis = there(cluster.addresses()).await;
    let script =
        Script::new("redis.call('SET', KEYS[1], ARGV[1]); return redis.call('GET', KEYS[2])");
    for store in 0..50 {
        let keys = [format!("{{{store}}}:a"), format!("{{{store}}}:b")];
        let () = redis.call(cmd("SET").arg(&keys[1]).arg(store)).await.unwrap();
        let answer: i64 = redis.run(script.key(&keys[..]).arg("x")).await.unwrap();
        assert_eq!(answer, store);
    }
    let mut subscription = redis.subscribe("news");
    assert_eq!(subscription.hear().await, Some(Heard::Missed));
    for n in 0..10 {
        // Any server takes it.
        let () = redis.call(cmd("PUBLISH").arg("news").arg(n)).await.unwrap();
        let heard = subscription.hear().await;
        assert_eq!(heard, Some(Heard::Message(n.to_string().into_bytes())));
    }
}
