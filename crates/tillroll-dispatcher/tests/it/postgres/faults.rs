//! What a server and a network can do to a store, and how callers hear of it.

use std::time::Duration;

use serde_json::json;
use tillroll_dispatcher::job::Inserted;
use tillroll_dispatcher::postgres::{OpenError, PostgresOptions, PostgresStore};
use tillroll_dispatcher::store::{DispatcherStore, StoreError};
use tillroll_testkit::PostgresServer;
use tillroll_wire::Code;
use tillroll_wire::job::CloudState;
use tillroll_wire::record::{Record, Verdict};

use super::{connect, node, world};
use crate::conformance::world::{World, code, later, noon, sale};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_that_is_gone_is_unavailable_and_comes_back_without_a_restart() {
    let (world, mut server) = world().await;
    world.job(1).await;
    server.stop();
    let answer = until_noticed(&world).await;
    assert!(matches!(answer, StoreError::Unavailable(_)), "{answer:?}");
    let sent = world.store.take_records(world.r1, batch_of(1), noon()).await;
    assert!(matches!(sent, Err(StoreError::Unavailable(_))), "{sent:?}");
    server.restart();
    assert!(matches!(until_stored(&world, 1).await, Inserted::Replayed(_)));
    assert!(matches!(until_stored(&world, 2).await, Inserted::New(_)));
}

/// A statement that was under way when its connection broke may have been done; the next was not.
async fn until_noticed(world: &World<PostgresStore>) -> StoreError {
    for _ in 0..100 {
        let refused = world.store.insert_job(world.new_job(2)).await.unwrap_err();
        if !matches!(refused, StoreError::OutcomeUnknown(_)) {
            return refused;
        }
    }
    panic!("the server is gone and nobody notices")
}

async fn until_stored(world: &World<PostgresStore>, n: u32) -> Inserted {
    for _ in 0..500 {
        if let Ok(answer) = world.store.insert_job(world.new_job(n)).await {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the store did not come back")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_acknowledged_is_there_after_the_server_crashed() {
    let (world, mut server) = world().await;
    let job = world.job(1).await;
    world.send(world.r1, vec![sale(1)]).await;
    server.crash_and_restart();
    let store = node(&server).await;
    assert_eq!(store.job(world.shop.no, job.id.clone()).await.unwrap(), Some(job));
    assert_eq!(
        store.register_day(world.r1, "2026-11-30".parse().unwrap()).await.unwrap().receipts,
        1
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_cut_in_their_transactions_store_all_or_nothing() {
    let (world, server) = world().await;
    let cutter = connect(&server).await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND application_name = 'tillroll-dispatcher'";
    let cutting = tokio::spawn(async move {
        for _ in 0..20 {
            cutter.batch_execute(cut).await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let mut n = 0;
    while !cutting.is_finished() {
        n += 1;
        while world.store.take_records(world.r1, batch_of(n), noon()).await.is_err() {}
    }
    cutting.await.unwrap();
    let day = world.day(world.r1).await;
    assert_eq!((day.receipts, day.gross_minor), (n, n * 1_250));
    let hour = tillroll_wire::repair::hour_of(noon());
    let digests = world.store.digests(world.r1, hour, hour + 1).await.unwrap();
    assert_eq!(i64::try_from(digests.hours[0].count), Ok(n));
}

fn batch_of(n: i64) -> tillroll_wire::record::Batch {
    crate::conformance::world::batch(vec![sale(n)])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lock_that_is_not_let_go_is_unavailable_and_nothing_is_stored() {
    let server = PostgresServer::start();
    let mut options = PostgresOptions::default();
    options.lock = Duration::from_millis(50);
    let store = PostgresStore::open(&server.address(), options).await.unwrap();
    let world = World::new(crate::conformance::world::Opened { store, kept: Box::new(()) }).await;
    let other = connect(&server).await;
    other.batch_execute("BEGIN; SELECT 1 FROM store_numbers FOR UPDATE").await.unwrap();
    let answer = world.store.insert_job(world.new_job(1)).await;
    assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?}");
    other.batch_execute("ROLLBACK").await.unwrap();
    world.job(1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn store_that_is_closed_is_unavailable() {
    let (world, _server) = world().await;
    world.store.close();
    let answer = world.store.insert_job(world.new_job(1)).await;
    assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?}");
}

#[tokio::test]
async fn row_that_cannot_be_read_stops_neither_lists_nor_the_schedule() {
    let (world, server) = world().await;
    let (bad, good) = (world.job(1).await, world.job(2).await);
    let spoil = "UPDATE jobs SET job_id = 'no id' WHERE seq = $1";
    connect(&server).await.execute(spoil, &[&bad.key.seq]).await.unwrap();
    let keys = world.store.jobs_by_key(vec![bad.key, good.key]).await.unwrap();
    assert_eq!(keys, std::slice::from_ref(&good));
    assert_eq!(world.store.due_jobs(later(1), None, 9).await.unwrap(), [good]);
}

/// PostgreSQL keeps no zero character.
#[tokio::test]
async fn zero_character_spoils_no_batch() {
    let (world, _server) = world().await;
    let id = Record { request_id: "a\0b".into(), ..sale(1) };
    let mut tender = sale(2);
    tender.body["tenders"] = json!({"ca\0sh": 1_250});
    let mut job = sale(3);
    job.body["id"] = json!("S1:\0:receipt:v1");
    let verdicts = world.send(world.r1, vec![id, tender, job.clone(), sale(4)]).await;
    for verdict in &verdicts[..3] {
        assert_eq!(code(&verdict.verdict), Code::InvalidValue);
    }
    assert_eq!(verdicts[3].verdict, Verdict::Accepted);
    let stored = world.job(1).await;
    let stored = world.change(&stored, |change| change.reason = Some("a\0b".into())).await;
    assert_eq!(stored.reason.as_deref(), Some("a\u{fffd}b"));
    assert_eq!(world.store.store_of("\0".into()).await.unwrap(), None);
    assert_eq!(world.store.fates(world.shop.no, vec!["\0".into()]).await.unwrap().len(), 1);
}

#[tokio::test]
async fn database_that_loses_what_it_acknowledged_is_refused() {
    let server = PostgresServer::start();
    let careless = format!("{} options='-c synchronous_commit=off'", server.address());
    let opened = PostgresStore::open(&careless, PostgresOptions::default()).await;
    assert!(matches!(opened, Err(OpenError::NotDurable)), "{opened:?}");
}

#[tokio::test]
async fn schema_of_a_newer_program_is_refused_and_left_alone() {
    let (_world, server) = world().await;
    let newer = "INSERT INTO migrations (number, name) VALUES (99, 'newer')";
    connect(&server).await.batch_execute(newer).await.unwrap();
    let opened = PostgresStore::open(&server.address(), PostgresOptions::default()).await;
    assert!(matches!(opened, Err(OpenError::Newer { found: 99, .. })), "{opened:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_changed_behind_a_waiting_change_is_stale() {
    let (world, server) = world().await;
    let job = world.job(1).await;
    let other = connect(&server).await;
    let take = "BEGIN; UPDATE jobs SET row_version = row_version + 1, state = 'parked'";
    other.batch_execute(take).await.unwrap();
    let change = tillroll_dispatcher::store::JobChange {
        state: CloudState::Pushed,
        ..tillroll_dispatcher::store::JobChange::of(&job)
    };
    let store = world.store.clone();
    let waiting = tokio::spawn(async move { store.change_jobs(vec![change], later(1)).await });
    until_waiting(&server).await;
    other.batch_execute("COMMIT").await.unwrap();
    let answer = waiting.await.unwrap().unwrap().remove(0);
    let tillroll_dispatcher::store::Changed::Stale(now) = answer else { panic!("{answer:?}") };
    assert_eq!((now.state, now.row_version), (CloudState::Parked, 2));
}

async fn until_waiting(server: &PostgresServer) {
    let client = connect(server).await;
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    for _ in 0..500 {
        if client.query_one(waiting, &[]).await.unwrap().get::<_, i64>(0) > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("nobody waits")
}
