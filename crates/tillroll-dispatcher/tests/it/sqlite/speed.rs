//! How fast it is, printed for people: `cargo test --release -- --ignored --nocapture speed`.

use std::time::Instant;

use tillroll_dispatcher::job::NewJob;
use tillroll_dispatcher::sqlite::SqliteOptions;
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_wire::repair::hour_of;

use super::world;
use crate::conformance::world::{noon, printed, sale};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn speed_of_taking_jobs_from_32_callers() {
    const EACH: u32 = 500;
    let (world, _folder) = world(SqliteOptions::default()).await;
    let began = Instant::now();
    let mut callers = tokio::task::JoinSet::new();
    for caller in 0..32 {
        let store = world.store.clone();
        let body = "x".repeat(1_500);
        let jobs =
            (0..EACH).map(|n| NewJob { body: body.clone(), ..world.new_job(caller * EACH + n) });
        let jobs: Vec<_> = jobs.collect();
        callers.spawn(async move {
            for job in jobs {
                store.insert_job(job).await.unwrap();
            }
        });
    }
    callers.join_all().await;
    let rate = f64::from(32 * EACH) / began.elapsed().as_secs_f64();
    let per_commit = world.store.health().writes_per_commit();
    println!("insert_job, 32 callers: {rate:.0}/s, {per_commit:.1} a commit");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn speed_of_draining_two_thousand_records() {
    let (world, _folder) = world(SqliteOptions::default()).await;
    let mut records: Vec<_> = (1..=1_000).flat_map(|n| [sale(n), printed(n)]).collect();
    for record in records.iter_mut().filter(|record| record.body.get("id").is_some()) {
        record.body["receipt"] = serde_json::json!({"lines": "x".repeat(1_500)});
    }
    let began = Instant::now();
    for records in records.chunks(500) {
        let verdicts = world.send(world.r1, records.to_vec()).await;
        assert!(verdicts.iter().all(|verdict| verdict.verdict.is_stored()));
    }
    println!("2,000 records in batches of 500: {} ms", began.elapsed().as_millis());
    let began = Instant::now();
    let hour = hour_of(noon());
    let digests = world.store.digests(world.r1, hour - 71, hour + 1).await.unwrap();
    println!("digests of {} records: {} us", digests.hours[0].count, began.elapsed().as_micros());
}
