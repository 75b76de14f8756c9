//! What the disk can do to a store, and how callers hear of it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tillroll_dispatcher::job::Inserted;
use tillroll_dispatcher::sqlite::{SqliteOptions, SqliteStore};
use tillroll_dispatcher::store::{DispatcherStore, StoreError};
use tillroll_sqlite::{CommitFault, Options};
use tillroll_testkit::SmallDisk;
use tillroll_wire::record::Verdict;

use super::{connect, open_at, world};
use crate::conformance::world::{Opened, World, batch, noon, sale};

fn with_database(database: Options) -> SqliteOptions {
    SqliteOptions { database, ..SqliteOptions::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_commit_is_told_as_unknown_and_the_same_id_asks() {
    let failing = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&failing);
    let fault = CommitFault::new(move || {
        let fails = asked.load(Ordering::SeqCst);
        if fails { Err(io::Error::other("the disk went away")) } else { Ok(()) }
    });
    let options = Options { commit_fault: Some(fault), ..Options::default() };
    let (world, _folder) = world(with_database(options)).await;
    failing.store(true, Ordering::SeqCst);
    let answer = world.store.insert_job(world.new_job(1)).await;
    assert!(matches!(answer, Err(StoreError::OutcomeUnknown(_))), "{answer:?}");
    let taken = world.store.take_records(world.r1, batch(vec![sale(1)]), noon()).await;
    assert!(taken.is_err(), "{taken:?}");
    failing.store(false, Ordering::SeqCst);
    let stored = until_writable(&world).await;
    assert!(matches!(stored, Inserted::New(_) | Inserted::Replayed(_)), "{stored:?}");
    assert!(world.verdict(world.r1, &sale(1)).await.is_stored());
    assert_eq!(world.day(world.r1).await.receipts, 1);
}

async fn until_writable(world: &World<SqliteStore>) -> Inserted {
    for _ in 0..500 {
        if let Ok(answer) = world.store.insert_job(world.new_job(1)).await {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the store did not come back")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locked_file_is_unavailable_and_nothing_is_stored() {
    let options = Options { busy_timeout: Duration::from_millis(20), ..Options::default() };
    let (world, folder) = world(with_database(options)).await;
    let other = connect(&folder);
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let answer = world.store.insert_job(world.new_job(1)).await;
    assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?}");
    assert!(matches!(world.store.check().await, Err(StoreError::Unavailable(_))));
    other.execute_batch("ROLLBACK").unwrap();
    world.store.check().await.unwrap();
    world.job(1).await;
}

#[tokio::test]
async fn closed_store_is_unavailable() {
    let (world, _folder) = world(SqliteOptions::default()).await;
    world.store.clone().close().unwrap();
    let answer = world.store.insert_job(world.new_job(1)).await;
    assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?}");
}

#[tokio::test]
async fn row_that_cannot_be_read_stops_neither_lists_nor_the_schedule() {
    let (world, folder) = world(SqliteOptions::default()).await;
    let (bad, good) = (world.job(1).await, world.job(2).await);
    let spoil = "UPDATE jobs SET job_id = 'no id' WHERE seq = ?1";
    connect(&folder).execute(spoil, [bad.key.seq]).unwrap();
    let keys = world.store.jobs_by_key(vec![bad.key, good.key]).await.unwrap();
    assert_eq!(keys, std::slice::from_ref(&good));
    let due = world.store.due_jobs(noon() + jiff::SignedDuration::from_secs(1), None, 9).await;
    assert_eq!(due.unwrap(), [good]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_is_unavailable_and_recovers_without_restart() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 3) else { return };
    let store = open_at(&disk.path().join("dispatcher.db"), SqliteOptions::default());
    let world = World::new(Opened { store, kept: Box::new(()) }).await;
    let ballast = disk.path().join("ballast");
    let _full = std::fs::write(&ballast, vec![0; 4 << 20]);
    let mut n = 0;
    let refused = loop {
        n += 1;
        match world.store.take_records(world.r1, batch(vec![sale(n)]), noon()).await {
            Ok(verdicts) => assert_eq!(verdicts[0].verdict, Verdict::Accepted),
            Err(refused) => break refused,
        }
        assert!(n < 5_000, "the disk never filled");
    };
    assert!(matches!(refused, StoreError::Unavailable(_)), "{refused:?}");
    assert_eq!(world.day(world.r1).await.receipts, n - 1);
    std::fs::remove_file(&ballast).unwrap();
    assert_eq!(world.verdict(world.r1, &sale(n)).await, Verdict::Accepted);
    assert_eq!(world.day(world.r1).await.receipts, n);
    drop(world);
}
