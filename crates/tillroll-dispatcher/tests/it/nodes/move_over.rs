//! A register that comes to another node while its old connection still stands.

use tillroll_wire::Code;

use super::till::Till;
use super::world::{World, until};
use crate::http::line::Line;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn former_node_lets_go_and_parks_nothing() {
    let world = World::new().await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    // This line takes pushes and answers nothing: a connection that is dead and not yet noticed.
    let mut old = Line::greeted_at(a.address, &credential, "R1").await;
    for n in 1..=3 {
        world.send(&a, &shop, n, "front").await;
        old.push().await;
    }
    let till = Till::start("R1", "front", &credential, &[b.address]);
    for n in 1..=3 {
        till.has_printed(n).await;
        world.until(&shop, n, "printed").await;
    }
    until("the former node lets go", async || (a.connected() == 0).then_some(())).await;
    assert_eq!(old.bye().await, Code::NotAllowed);
    world.send(&a, &shop, 4, "front").await;
    till.has_printed(4).await;
    assert_eq!(till.byes(), []);
}

/// The old connection is closed after the new one began: its end must not park what the new one works on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn register_that_goes_back_and_forth_prints_each_job_once() {
    let world = World::new().await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address]);
    till.connected().await;
    for n in 1..=40 {
        world.send(if n % 3 == 0 { &a } else { &b }, &shop, n, "front").await;
        if n % 4 == 0 {
            till.send_to(&[if n % 8 == 0 { a.address } else { b.address }]);
        }
    }
    for n in 1..=40 {
        till.has_printed(n).await;
        world.until(&shop, n, "printed").await;
    }
    assert_eq!(till.doubles(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn revoked_register_is_cut_off_from_whichever_node_it_is_at() {
    let world = World::new().await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let mut line = Line::greeted_at(b.address, &credential, "R1").await;
    world.admin().revoke_register(&shop.uid, "R1").await.unwrap();
    assert_eq!(line.bye().await, Code::Unauthorized);
    drop(a);
}
