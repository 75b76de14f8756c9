//! The program ends and starts again.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use tillroll_dispatcher::{Dispatcher, DispatcherOptions, StartError};
use tillroll_wire::Code;
use tillroll_wire::channel::Down;

use super::line::Line;
use super::support::{Cloud, Plan, order};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stop_tells_registers_when_to_come_back_and_is_quick() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    let mut line = Line::greeted(&cloud, &credential, "R1").await;
    let began = Instant::now();
    let (heard, cloud) = tokio::join!(line.hear(), cloud.restart());
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    let Some(Down::Bye { code, retry_after_ms, .. }) = heard else { panic!("{heard:?}") };
    assert_eq!(code, Code::Stopping);
    assert!(retry_after_ms.is_some());
    Line::greeted(&cloud, &credential, "R1").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_go_on_after_a_restart_in_the_middle() {
    let cloud = Cloud::start().await;
    let shop = cloud.shop("Old Wang", "S1").await;
    let credential = cloud.pair(&shop, "R1").await;
    let mut line = Line::greeted(&cloud, &credential, "R1").await;
    for n in 1..=3 {
        assert_eq!(cloud.send(&shop, &order(n)).await.0, StatusCode::CREATED);
    }
    let first = line.push().await;
    line.accept(&first).await;
    line.printed(&first).await;
    let cloud = cloud.restart().await;
    let mut line = Line::greeted(&cloud, &credential, "R1").await;
    let mut printed = vec![first.id];
    while printed.len() < 3 {
        let push = line.push().await;
        assert!(!printed.contains(&push.id), "pushed again");
        line.accept(&push).await;
        line.printed(&push).await;
        printed.push(push.id);
    }
    for n in 1..=3 {
        cloud.until(&shop, n, "printed").await;
    }
}

#[tokio::test]
async fn folder_is_kept_to_one_dispatcher() {
    let folder = tempfile::tempdir().unwrap();
    let first = Cloud::at(folder.path(), Plan::default()).await;
    let second = DispatcherOptions::new(folder.path(), Plan::default().config);
    let Err(StartError::Folder(error)) = Dispatcher::start(second).await else { panic!("started") };
    assert!(error.to_string().contains("another program"), "{error}");
    first.dispatcher.stop().await;
}
