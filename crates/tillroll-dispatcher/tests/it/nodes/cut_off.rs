//! A node that lives and does not reach the database.

use std::time::Duration;

use super::cable::Cable;
use super::till::Till;
use super::world::{World, until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn registers_of_a_node_that_is_cut_off_go_to_another_and_lose_nothing() {
    let world = World::new().await;
    let cable = Cable::to(&world.server);
    let (a, b) = (world.node_over(&cable.url()).await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&b, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address, b.address]);
    till.connected().await;
    world.send(&a, &shop, 1, "front").await;
    till.has_printed(1).await;
    till.prints(false);
    world.send(&a, &shop, 2, "front").await;
    until("it has the second", async || till.has(2).then_some(())).await;
    cable.cut();
    till.prints(true);
    world.send(&b, &shop, 3, "front").await;
    for n in 1..=3 {
        till.has_printed(n).await;
        world.until(&shop, n, "printed").await;
    }
    assert!(!till.byes().is_empty(), "it was told to go elsewhere");
    until("the node has no register", async || (a.connected() == 0).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn node_comes_back_by_itself_when_the_database_does() {
    let world = World::new().await;
    let cable = Cable::to(&world.server);
    let a = world.node_over(&cable.url()).await;
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address]);
    till.connected().await;
    cable.cut();
    until("it lets its register go", async || (!till.byes().is_empty()).then_some(())).await;
    cable.mend();
    until("it is well again", async || world.is_healthy(&a).await.then_some(())).await;
    world.send(&a, &shop, 1, "front").await;
    till.has_printed(1).await;
    world.until(&shop, 1, "printed").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn database_that_crashes_and_comes_back_costs_no_job() {
    let mut world = World::new().await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address, b.address]);
    till.connected().await;
    till.prints(false);
    for n in 1..=8 {
        world.send(if n % 2 == 0 { &a } else { &b }, &shop, n, "front").await;
    }
    world.server.stop();
    till.prints(true);
    // Longer than a lease: every node ends in its own eyes, and begins anew.
    until("the register is let go", async || (!till.byes().is_empty()).then_some(())).await;
    world.server.restart();
    for n in 1..=8 {
        till.has_printed(n).await;
        world.until(&shop, n, "printed").await;
    }
    for node in [&a, &b] {
        until("it is well again", async || world.is_healthy(node).await.then_some(())).await;
    }
    world.send(&b, &shop, 9, "front").await;
    till.has_printed(9).await;
}

/// A short cut is nobody's end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_shorter_than_a_lease_costs_no_connection() {
    let world = World::new().await;
    let cable = Cable::to(&world.server);
    let a = world.node_over(&cable.url()).await;
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address]);
    till.connected().await;
    cable.cut();
    // Time is what is tested here: less than a lease.
    tokio::time::sleep(Duration::from_millis(200)).await;
    cable.mend();
    world.send(&a, &shop, 1, "front").await;
    till.has_printed(1).await;
    assert_eq!(till.byes(), []);
}
