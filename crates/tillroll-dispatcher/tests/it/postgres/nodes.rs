//! Several nodes over one database.

use std::collections::BTreeSet;

use tillroll_dispatcher::job::{Inserted, NewJob};
use tillroll_dispatcher::store::{Changed, DispatcherStore, JobChange};
use tillroll_testkit::PostgresServer;
use tillroll_wire::job::CloudState;

use super::{node, world};
use crate::conformance::world::{batch, hash, later, new_pairing, noon, sale};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_start_together_bring_the_schema_up_once() {
    let server = PostgresServer::start();
    let (a, b, c) = tokio::join!(node(&server), node(&server), node(&server));
    for node in [a, b, c] {
        node.check().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_of_jobs_have_no_gap_and_no_double_across_nodes() {
    let (world, server) = world().await;
    let nodes = [world.store.clone(), node(&server).await];
    let mut callers = tokio::task::JoinSet::new();
    for n in 0..60 {
        let (store, new) = (nodes[n as usize % 2].clone(), world.new_job(n));
        callers.spawn(async move { store.insert_job(new).await.unwrap() });
    }
    let seq = |inserted| {
        let Inserted::New(job) = inserted else { panic!("not new: {inserted:?}") };
        job.key.seq
    };
    let numbers: BTreeSet<i64> = callers.join_all().await.into_iter().map(seq).collect();
    assert_eq!(numbers, (1..=60).collect());
}

/// Who pages by number would miss a job whose lower number became visible later.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_become_visible_in_their_order() {
    let (world, server) = world().await;
    let reader = node(&server).await;
    let mut writers = tokio::task::JoinSet::new();
    for n in 0..80 {
        let (store, new) = (world.store.clone(), world.new_job(n));
        writers.spawn(async move { store.insert_job(new).await.unwrap() });
    }
    let (mut paged, mut last) = (0, None);
    while paged < 80 {
        let page = reader.due_jobs(later(1), last, 7).await.unwrap();
        paged += page.len();
        last = page.last().map(|job| job.key).or(last);
    }
    assert_eq!(last.map(|key| key.seq), Some(80));
    writers.join_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_that_meet_in_opposite_order_change_every_row_once() {
    let (world, server) = world().await;
    let nodes = [world.store.clone(), node(&server).await];
    let mut jobs = Vec::new();
    for n in 0..40 {
        jobs.push(world.insert(NewJob { now: noon(), ..world.new_job(n) }).await);
    }
    let push = |job| JobChange { state: CloudState::Pushed, ..JobChange::of(job) };
    let mut racers = tokio::task::JoinSet::new();
    for round in 0..10 {
        let store = nodes[round % 2].clone();
        let mut changes: Vec<_> = jobs.iter().map(push).collect();
        if round % 2 == 0 {
            changes.reverse();
        }
        racers.spawn(async move { store.change_jobs(changes, later(1)).await.unwrap() });
    }
    let answers = racers.join_all().await;
    let done = answers.iter().flatten().filter(|answer| matches!(answer, Changed::Done(_)));
    assert_eq!(done.count(), jobs.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_of_two_registers_on_two_nodes_all_count() {
    let (world, server) = world().await;
    let nodes = [world.store.clone(), node(&server).await];
    let mut senders = tokio::task::JoinSet::new();
    for n in 1..=40 {
        let store = nodes[n as usize % 2].clone();
        let register = if n % 2 == 0 { world.r1 } else { world.r2 };
        senders.spawn(async move {
            store.take_records(register, batch(vec![sale(n)]), noon()).await.unwrap()
        });
    }
    let verdicts = senders.join_all().await;
    assert!(verdicts.iter().flatten().all(|verdict| verdict.verdict.is_stored()));
    assert_eq!(world.day(world.r1).await.receipts, 20);
    assert_eq!(world.day(world.r2).await.receipts, 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn register_made_on_two_nodes_at_once_is_one() {
    let (world, server) = world().await;
    let nodes = [world.store.clone(), node(&server).await];
    let mut makers = tokio::task::JoinSet::new();
    for n in 0..10 {
        let store = nodes[n % 2].clone();
        let pairing = new_pairing(&world.shop, "R9", &format!("code {n}"));
        makers.spawn(async move { store.new_pairing(pairing).await.unwrap().no });
    }
    let numbers: BTreeSet<_> = makers.join_all().await.into_iter().collect();
    assert_eq!(numbers.len(), 1);
    assert_eq!(world.store.registers(world.shop.no).await.unwrap().len(), 3);
    assert_eq!(world.store.register_of(hash("code 1")).await.unwrap(), None);
}
