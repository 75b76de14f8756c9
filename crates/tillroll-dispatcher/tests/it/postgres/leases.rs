//! Leases of registers, and the lives of nodes they hang on.

use std::time::Duration;

use tillroll_dispatcher::nodes::{Lease, NodeNo};
use tillroll_dispatcher::postgres::PostgresStore;
use tillroll_dispatcher::store::{Changed, DispatcherStore as _, JobChange};
use tillroll_wire::job::CloudState;

use super::{connect, world};
use crate::conformance::world::{later, noon, pairing, part};

const LEASE: Duration = Duration::from_secs(60);

async fn two(store: &PostgresStore) -> (NodeNo, NodeNo) {
    let a = store.join("a".into(), LEASE).await.unwrap();
    (a, store.join("b".into(), LEASE).await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lease_that_was_taken_over_is_not_given_back() {
    let (world, _server) = world().await;
    let (a, b) = two(&world.store).await;
    let (first, former) = world.store.take_lease(world.r1, a).await.unwrap();
    assert_eq!((first, former), (Lease { node: a, generation: 1 }, None));
    let (second, former) = world.store.take_lease(world.r1, b).await.unwrap();
    assert_eq!((second, former), (Lease { node: b, generation: 2 }, Some(a)));
    assert_eq!(world.store.give_back(vec![(world.r1, first)]).await.unwrap(), []);
    assert_eq!(world.store.give_back(vec![(world.r1, second)]).await.unwrap(), [world.r1]);
    assert_eq!(world.store.give_back(vec![(world.r1, second)]).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_former_node_hears_that_it_lost_a_register() {
    let (world, _server) = world().await;
    let (a, b) = two(&world.store).await;
    world.store.take_lease(world.r1, a).await.unwrap();
    world.store.take_lease(world.r1, b).await.unwrap();
    // It connects to the new node again before the former one asked.
    world.store.take_lease(world.r1, b).await.unwrap();
    let lost = world.store.beat(a, LEASE).await.unwrap().lost;
    assert_eq!(lost.len(), 1);
    assert_eq!((lost[0].register, lost[0].generation), (world.r1, 3));
    assert!(!lost[0].is_revoked);
    assert_eq!(world.store.beat(b, LEASE).await.unwrap().lost, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lease_ends_with_the_credential_and_its_node_hears_of_it() {
    let (world, _server) = world().await;
    let (a, b) = two(&world.store).await;
    world.store.take_lease(world.r1, a).await.unwrap();
    world.store.revoke_register(world.r1, noon()).await.unwrap();
    let lost = world.store.beat(a, LEASE).await.unwrap().lost;
    assert!(lost[0].is_revoked && lost[0].register == world.r1, "{lost:?}");
    // A new machine comes to another node before the old one's node has asked.
    world.store.take_lease(world.r2, a).await.unwrap();
    let again = crate::conformance::world::new_pairing(&world.shop, "R2", "again");
    world.store.new_pairing(again).await.unwrap();
    world.store.pair(pairing("again", "S1", "R2")).await.unwrap();
    world.store.take_lease(world.r2, b).await.unwrap();
    let lost = world.store.beat(a, LEASE).await.unwrap().lost;
    assert!(lost.iter().any(|lost| lost.register == world.r2 && lost.generation == 3), "{lost:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_belongs_to_the_node_that_lives_and_has_its_register() {
    let (world, server) = world().await;
    let (a, _) = two(&world.store).await;
    world.store.announce(world.r1, vec![part("front")], vec![], noon()).await.unwrap();
    let (_, nobody) = world.store.insert_owned(world.new_job(1)).await.unwrap();
    assert_eq!(nobody, None);
    world.store.take_lease(world.r1, a).await.unwrap();
    let (_, node) = world.store.insert_owned(world.new_job(2)).await.unwrap();
    assert_eq!(node, Some(a));
    let due = world.store.unpushed(later(1), None, 10).await.unwrap();
    assert_eq!(due.iter().map(|due| due.node).collect::<Vec<_>>(), [Some(a), Some(a)]);
    // Pushed, it is the register's that has it, whoever has the printer by then.
    let pushed = JobChange {
        state: CloudState::Pushed,
        register: Some(world.r2),
        ..JobChange::of(&due[0].job)
    };
    let changed = world.store.change_jobs(vec![pushed], later(1)).await.unwrap();
    assert!(matches!(changed[0], Changed::Done(_)));
    let keys = due.iter().map(|due| due.job.key).collect();
    let nodes = world.store.nodes_of_jobs(keys).await.unwrap();
    assert_eq!(nodes, [(due[1].job.key, a)]);
    connect(&server).await.execute("UPDATE nodes SET until = 0", &[]).await.unwrap();
    assert_eq!(world.store.insert_owned(world.new_job(3)).await.unwrap().1, None);
    assert!(!world.store.beat(a, LEASE).await.unwrap().lives, "a node that has ended stays so");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_node_is_on_duty_until_it_leaves_and_its_registers_are_free_then() {
    let (world, _server) = world().await;
    let (a, b) = two(&world.store).await;
    world.store.take_lease(world.r1, a).await.unwrap();
    assert!(world.store.beat(a, LEASE).await.unwrap().on_duty);
    assert!(!world.store.beat(b, LEASE).await.unwrap().on_duty);
    assert!(world.store.beat(a, LEASE).await.unwrap().on_duty);
    world.store.leave(a).await.unwrap();
    assert!(world.store.beat(b, LEASE).await.unwrap().on_duty);
    let (lease, former) = world.store.take_lease(world.r1, b).await.unwrap();
    assert_eq!((lease.generation, former), (2, None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn overdue_jobs_page_in_the_order_they_were_due() {
    let (world, _server) = world().await;
    for n in 0..5 {
        world.job(n).await;
    }
    let (mut past, mut seen) = (None, Vec::new());
    loop {
        let page = world.store.unpushed(later(1), past, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        past = Some((last.job.next_push_at.unwrap(), last.job.key));
        seen.extend(page.iter().map(|due| due.job.key.seq));
    }
    assert_eq!(seen, [1, 2, 3, 4, 5]);
}

/// Parked jobs are nobody's; the others are left to their node for a while.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_are_parked_jobs_at_once_and_others_after_a_grace() {
    let (world, _server) = world().await;
    let [parked, waiting] = [world.job(1).await, world.job(2).await];
    world.to(&parked, CloudState::Parked).await;
    let late = async |now, leftovers| {
        let late = world.store.late_jobs(later(now), later(leftovers), 10).await.unwrap();
        late.into_iter().map(|job| job.key).collect::<Vec<_>>()
    };
    assert_eq!(late(89, 88).await, []);
    assert_eq!(late(90, 89).await, [parked.key]);
    assert_eq!(late(91, 90).await, [parked.key, waiting.key]);
}
