//! A job that is taken back at another node than its register's.

use reqwest::StatusCode;

use super::till::Till;
use super::world::{World, until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_job_is_taken_back_at_once_at_any_node() {
    let world = World::new().await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::without_paper("R1", "front", &credential, &[a.address]);
    till.connected().await;
    world.send(&a, &shop, 1, "front").await;
    world.send(&a, &shop, 2, "front").await;
    let (status, job) = world.cancel(&b, &shop, 1).await;
    assert_eq!((status, &job["state"]), (StatusCode::OK, &"canceled".into()), "{job}");
    till.stop_printer(false);
    till.has_printed(2).await;
    assert!(!till.has(1), "it was taken back before it was pushed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn register_is_asked_for_a_job_taken_back_at_another_node() {
    let world = World::new().await;
    let (a, b) = (world.node().await, world.node().await);
    let shop = world.shop().await;
    let credential = world.pair(&a, &shop, "R1").await;
    let till = Till::start("R1", "front", &credential, &[a.address]);
    till.connected().await;
    till.prints(false);
    world.send(&a, &shop, 1, "front").await;
    world.until(&shop, 1, "accepted").await;
    let (status, job) = world.cancel(&b, &shop, 1).await;
    assert_eq!((status, &job["state"]), (StatusCode::OK, &"cancel_requested".into()), "{job}");
    until("the register is asked", async || till.was_asked_to_cancel(1).then_some(())).await;
    world.until(&shop, 1, "canceled").await;
    till.prints(true);
    assert_eq!(till.papers(1), 0);
}
