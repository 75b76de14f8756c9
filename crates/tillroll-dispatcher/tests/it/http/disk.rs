//! A full disk, on a file system of 3 MB where one can be mounted.

use reqwest::{Method, StatusCode};
use serde_json::json;

use super::line::Line;
use super::support::{Cloud, Plan, answer, order};
use crate::small_disk::SmallDisk;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_refuses_jobs_and_recovers_without_restart() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk")) else {
        println!("skipped: a small file system cannot be mounted here");
        return;
    };
    let cloud = Cloud::at(&disk.path().join("data"), Plan::default()).await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    drop(Line::greeted(&cloud, &credential, "R1").await);
    let ballast = disk.path().join("ballast");
    let _full = std::fs::write(&ballast, vec![0; 4 << 20]);
    let mut n = 0;
    let problem = loop {
        n += 1;
        match cloud.send(&shop, &order(n)).await {
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
    std::fs::remove_file(&ballast).unwrap();
    let (status, job) = cloud.send(&shop, &order(n)).await;
    assert_eq!(
        (status, &job["replayed"]),
        (StatusCode::CREATED, &json!(false)),
        "it was not stored"
    );
    cloud.dispatcher.stop().await;
}
