//! A node that is killed.

use super::till::Till;
use super::world::{World, until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_of_a_node_that_died_are_printed_by_the_next_one() {
    let world = World::new().await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address, b.address]);
    till.connected().await;
    till.prints(false);
    for n in 1..=4 {
        world.send(&a, &shop, n, "front").await;
    }
    world.until(&shop, 1, "accepted").await;
    till.stop_printer(true);
    for n in 5..=8 {
        world.send(&a, &shop, n, "front").await;
    }
    a.kill();
    till.stop_printer(false);
    till.prints(true);
    for n in 1..=8 {
        till.has_printed(n).await;
        world.until(&shop, n, "printed").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_of_a_register_that_does_not_come_back_are_parked_and_told() {
    let world = World::new().await;
    let (a, _b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::without_paper("R1", "front", &credential, &[a.address]);
    till.connected().await;
    world.send_within(&a, &shop, 1, "front", 4).await;
    world.send_within(&a, &shop, 2, "front", 90).await;
    a.kill();
    drop(till);
    world.until(&shop, 2, "parked").await;
    let job = world.until(&shop, 1, "timed_out").await;
    assert_eq!(job["reason"], "device_offline");
}

/// What one node does for all is done by another when that one died.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn duty_goes_to_a_node_that_lives() {
    let world = World::new().await;
    let a = world.node().await;
    until("the first is on duty", async || a.is_on_duty().then_some(())).await;
    let b = world.node().await;
    assert!(!b.is_on_duty());
    a.kill();
    until("the second is on duty", async || b.is_on_duty().then_some(())).await;
}
