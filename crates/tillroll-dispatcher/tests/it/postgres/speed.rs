//! How fast it is without the disk, printed for people:
//! `cargo test --release -- --ignored --nocapture postgres::speed`.

use std::time::Instant;

use tillroll_dispatcher::job::NewJob;
use tillroll_dispatcher::store::{DispatcherStore, JobChange};
use tillroll_wire::job::CloudState;

use super::world;
use crate::conformance::world::{later, printed, sale, shop};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn speed_of_taking_jobs_from_32_callers() {
    const EACH: u32 = 200;
    let (world, _server) = world().await;
    for stores in [1, 32] {
        let mut shops = Vec::new();
        for n in 0..stores {
            let uid = format!("{stores} stores, {n}");
            let new = shop(world.tenant, &uid, &format!("T{stores}-{n}"));
            shops.push(world.store.add_store(new).await.unwrap().no);
        }
        let began = Instant::now();
        let mut callers = tokio::task::JoinSet::new();
        for caller in 0..32 {
            let (store, no) = (world.store.clone(), shops[caller as usize % shops.len()]);
            let jobs = (0..EACH).map(|n| NewJob {
                store: no,
                body: "x".repeat(1_500),
                ..world.new_job(caller * EACH + n)
            });
            let jobs: Vec<_> = jobs.collect();
            callers.spawn(async move {
                for job in jobs {
                    store.insert_job(job).await.unwrap();
                }
            });
        }
        callers.join_all().await;
        let rate = f64::from(32 * EACH) / began.elapsed().as_secs_f64();
        println!("insert_job, 32 callers of {stores} stores: {rate:.0}/s");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn speed_of_changing_jobs_in_batches_of_100() {
    let (world, _server) = world().await;
    let mut jobs = Vec::new();
    for n in 0..1_000 {
        jobs.push(world.job(n).await);
    }
    let began = Instant::now();
    for jobs in jobs.chunks(100) {
        let push = |job| JobChange { state: CloudState::Pushed, ..JobChange::of(job) };
        world.store.change_jobs(jobs.iter().map(push).collect(), later(1)).await.unwrap();
    }
    println!("1,000 changes in batches of 100: {} ms", began.elapsed().as_millis());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn speed_of_draining_two_thousand_records() {
    let (world, _server) = world().await;
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
}
