//! A job that comes to another node than its register did.

use super::till::Till;
use super::world::{World, until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_is_printed_whichever_node_takes_it_in() {
    let world = World::new().await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address]);
    till.connected().await;
    for n in 1..=10 {
        world.send(if n % 2 == 0 { &a } else { &b }, &shop, n, "front").await;
    }
    for n in 1..=10 {
        till.has_printed(n).await;
        world.until(&shop, n, "printed").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parked_jobs_follow_their_register_to_any_node() {
    let world = World::new().await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address]);
    till.connected().await;
    drop(till);
    until("the register is away", async || (a.connected() == 0).then_some(())).await;
    for n in 1..=3 {
        world.send(&a, &shop, n, "front").await;
        world.until(&shop, n, "parked").await;
    }
    let till = Till::start("R1", "front", &credential, &[b.address]);
    for n in 1..=3 {
        till.has_printed(n).await;
        world.until(&shop, n, "printed").await;
    }
}

/// The deadline of a parked job is nobody's but the sweep's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parked_job_is_told_too_late_in_time_whoever_took_it_in() {
    let world = World::new().await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address]);
    till.connected().await;
    drop(till);
    until("the register is away", async || (a.connected() == 0).then_some(())).await;
    for (n, node) in [(1, &a), (2, &b)] {
        world.send_within(node, &shop, n, "front", 1).await;
    }
    for n in [1, 2] {
        let job = world.until(&shop, n, "timed_out").await;
        assert_eq!(job["reason"], "device_offline");
        let at = |field: &str| job[field].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
        let late = at("changed_at").duration_since(at("deadline_at")).as_millis();
        assert!((0..500).contains(&late), "{late} ms late");
    }
}
