//! A full disk, on a file system of 3 MB where one can be mounted.

use std::path::PathBuf;

use reqwest::{Method, StatusCode};
use serde_json::json;
use tempfile::TempDir;
use tillroll_testkit::SmallDisk;

use super::support::{Cloud, Plan, Shop, answer, order};
use super::sync::{batch, verdicts};
use crate::conformance::world::sale;

/// A dispatcher on a full disk, with a store and its register.
struct Full {
    cloud: Cloud,
    shop: Shop,
    credential: String,
    ballast: PathBuf,
    _disk: SmallDisk,
    _folder: TempDir,
}

impl Full {
    /// `None` where a small file system cannot be mounted.
    async fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let disk = SmallDisk::mount(&folder.path().join("disk"), 3)?;
        let cloud = Cloud::at(&disk.path().join("data"), Plan::default()).await;
        let shop = cloud.shop("Old Wang", "S1").await;
        let credential = cloud.pair(&shop, "R1").await;
        cloud.announce(&shop, "R1").await;
        let ballast = disk.path().join("ballast");
        let _full = std::fs::write(&ballast, vec![0; 4 << 20]);
        Some(Self { cloud, shop, credential, ballast, _disk: disk, _folder: folder })
    }

    fn free(&self) {
        std::fs::remove_file(&self.ballast).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_refuses_jobs_and_recovers_without_restart() {
    let Some(full) = Full::new().await else {
        println!("skipped: a small file system cannot be mounted here");
        return;
    };
    let (cloud, shop) = (&full.cloud, &full.shop);
    let mut n = 0;
    let problem = loop {
        n += 1;
        match cloud.send(shop, &order(n)).await {
            (StatusCode::CREATED, _) => assert!(n < 5_000, "the disk never filled"),
            (status, problem) => {
                assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{problem}");
                break problem;
            }
        }
    };
    assert!(problem["retry_after_ms"].is_number(), "{problem}");
    assert_eq!(problem["code"], "unavailable");
    let (status, _) = answer(cloud.request(Method::GET, "/healthz")).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    full.free();
    let (status, job) = cloud.send(shop, &order(n)).await;
    assert_eq!(
        (status, &job["replayed"]),
        (StatusCode::CREATED, &json!(false)),
        "it was not stored"
    );
    full.cloud.dispatcher.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_refuses_records_and_takes_the_same_once_there_is_space() {
    const RECORDS: &str = "/v1/sync/records";
    let Some(full) = Full::new().await else {
        println!("skipped: a small file system cannot be mounted here");
        return;
    };
    let mut sent = 0;
    let refused = loop {
        assert!(sent < 20_000, "the disk never filled");
        let sales: Vec<_> = (sent + 1..=sent + 50).map(sale).collect();
        let sales = batch("R1", &sales);
        let (status, answer) = full.cloud.post(&full.credential, RECORDS, &sales).await;
        sent += 50;
        if status != StatusCode::OK {
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{answer}");
            assert_eq!(answer["code"], "unavailable");
            assert!(answer["retry_after_ms"].is_number(), "{answer}");
            break sales;
        }
    };
    full.free();
    let (status, answer) = full.cloud.post(&full.credential, RECORDS, &refused).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(verdicts(&answer), vec!["accepted"; 50], "not one of them was stored");
    let (_, day) = full.cloud.get(&full.credential, "/v1/sync/days/2026-11-30").await;
    assert_eq!((&day["receipts"], &day["gross_minor"]), (&json!(sent), &json!(sent * 1_250)));
    full.cloud.dispatcher.stop().await;
}
