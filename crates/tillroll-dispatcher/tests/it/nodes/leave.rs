//! A rolling restart: node after node stops in order and comes again.

use tillroll_wire::Code;

use super::till::Till;
use super::world::World;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rolling_restart_prints_everything_once_and_waits_for_no_lease() {
    // A node that stops gives its registers back at once: nobody waits for its lease to lapse.
    let mut world = World::new().await;
    world.nodes.lease = std::time::Duration::from_secs(3_600);
    let mut nodes = vec![world.node().await, world.node().await];
    let shop = world.shop().await;
    let credential = world.pair(&nodes[0], &shop, "R1").await;
    let addresses: Vec<_> = nodes.iter().map(|node| node.address).collect();
    let till = Till::start("R1", "front", &credential, &addresses);
    till.connected().await;
    let mut sent = 0;
    for _ in 0..4 {
        for node in nodes.iter().cycle().take(6) {
            sent += 1;
            world.send(node, &shop, sent, "front").await;
        }
        let stopped = nodes.remove(0);
        nodes.push(world.node().await);
        till.knows(&nodes.iter().map(|node| node.address).collect::<Vec<_>>());
        stopped.stop().await;
        sent += 1;
        world.send(&nodes[0], &shop, sent, "front").await;
    }
    for n in 1..=sent {
        till.has_printed(n).await;
        world.until(&shop, n, "printed").await;
    }
    assert_eq!(till.doubles(), 0);
    assert!(till.byes().iter().all(|code| *code == Code::Stopping), "{:?}", till.byes());
}
