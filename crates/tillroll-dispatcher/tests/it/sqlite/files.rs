//! The file: what outlives its program, and the words of its partial indexes.

use tillroll_dispatcher::sqlite::SqliteOptions;
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_wire::job::CloudState;
use tillroll_wire::record::Verdict;

use super::{connect, inline, open_at, path, world};
use crate::conformance::world::{batch, later, noon, sale};

#[tokio::test]
async fn everything_acknowledged_is_there_after_a_restart() {
    let (world, folder) = world(SqliteOptions::default()).await;
    let job = world.job(1).await;
    world.send(world.r1, vec![sale(1)]).await;
    world.store.clone().close().unwrap();
    let store = open_at(&path(&folder), SqliteOptions::default());
    assert_eq!(store.job(world.shop.no, job.id.clone()).await.unwrap(), Some(job));
    let verdicts = store.take_records(world.r1, batch(vec![sale(1)]), noon()).await.unwrap();
    assert_eq!(verdicts[0].verdict, Verdict::Replayed);
}

#[tokio::test]
async fn drift_of_the_registers_clock_is_stored_with_each_batch() {
    let (world, folder) = world(SqliteOptions::default()).await;
    let drift = || -> (i64, i64) {
        let sql = "SELECT drift_ms, drift_at FROM registers WHERE store = ?1 AND register = ?2";
        let key = [world.r1.store.0, world.r1.no];
        connect(&folder).query_row(sql, key, |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
    };
    world.send(world.r1, vec![sale(1)]).await;
    assert_eq!(drift(), (3_000, noon().as_millisecond()));
    let slow = later(259_203);
    world.store.take_records(world.r1, batch(vec![]), slow).await.unwrap();
    assert_eq!(drift(), (-259_200_000, slow.as_millisecond()));
}

/// Simulated time: a clock that stands still while the store works.
#[tokio::test(start_paused = true)]
async fn inline_store_lets_no_simulated_time_pass() {
    let (world, _folder) = world(inline()).await;
    let began = tokio::time::Instant::now();
    let timer = tokio::time::sleep(std::time::Duration::from_secs(1));
    for n in 0..50 {
        let job = world.job(n).await;
        world.to(&job, CloudState::Parked).await;
        world.store.due_jobs(later(60), None, 100).await.unwrap();
    }
    assert_eq!(began.elapsed(), std::time::Duration::ZERO);
    timer.await;
}

#[tokio::test]
async fn replay_and_repeated_announcement_write_nothing() {
    let (world, _folder) = world(SqliteOptions::default()).await;
    world.job(1).await;
    let announce = async || {
        let names = vec!["front".parse().unwrap()];
        world.store.announce(world.r1, names, vec![], noon()).await.unwrap();
    };
    announce().await;
    let wal = world.store.health().wal_bytes;
    announce().await;
    world.store.insert_job(world.new_job(1)).await.unwrap();
    assert_eq!(world.store.health().wal_bytes, wal);
}
