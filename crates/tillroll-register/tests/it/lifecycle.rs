//! Start and stop.

use std::sync::Arc;
use std::time::Duration;

use tillroll_register::http::{HttpSettings, serve};
use tillroll_register::{BootError, FolderError, Register, RegisterOptions, SystemClock};
use tokio::net::TcpListener;

use crate::support::{Plan, Shop, init, receipt, refused, start};

#[tokio::test(flavor = "multi_thread")]
async fn second_start_on_the_same_folder_is_refused() {
    let shop = Shop::open(Plan::default()).await;
    let second = start(shop.folder.path(), Arc::new(SystemClock)).await;
    assert!(matches!(second, Err(BootError::Folder(FolderError::InUse(_)))));
}

#[tokio::test(flavor = "multi_thread")]
async fn register_stops_in_time_with_a_dead_printer_and_keeps_its_queue() {
    let shop = Shop::open(Plan::default()).await;
    shop.add_dead("front").await;
    for n in 1..=20 {
        shop.submit(&receipt(n)).await;
    }
    let stop = async {
        let (register, folder) = shop.end_server().await;
        register.stop().await;
        folder
    };
    let folder = tokio::time::timeout(Duration::from_secs(5), stop).await.expect("stops in time");
    let again = start(folder.path(), Arc::new(SystemClock)).await.unwrap();
    assert_eq!(again.jobs(None, 500).await.unwrap().len(), 20);
    again.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_frees_the_folder_whoever_still_holds_the_register() {
    let (shop, _printer) = Shop::with_printer().await;
    shop.register.clone().stop().await;
    refused(shop.submit(&receipt(1)).await, 503, "stopping").await;
    let health = shop.read("/healthz").await;
    assert_eq!((&health["status"], &health["database"]), (&"degraded".into(), &"closed".into()));
    assert!(health["causes"].as_array().unwrap().contains(&"closed".into()), "{health}");
    start(shop.folder.path(), Arc::new(SystemClock)).await.unwrap().stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn address_others_can_reach_is_refused() {
    let shop = Shop::open(Plan::default()).await;
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let never = std::future::pending();
    let served = serve(shop.register.clone(), listener, HttpSettings::default(), never).await;
    assert_eq!(served.unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
}

#[tokio::test(flavor = "multi_thread")]
async fn making_that_was_cut_off_is_made_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    for left_out in [&["token"][..], &["token", "installation.json"]] {
        init(folder.path(), "Asia/Shanghai", "04:00").await;
        start(folder.path(), Arc::new(SystemClock)).await.unwrap().stop().await;
        for file in left_out {
            std::fs::remove_file(folder.path().join(file)).unwrap();
        }
        init(folder.path(), "Asia/Shanghai", "04:00").await;
        let token = std::fs::read_to_string(folder.path().join("token")).unwrap();
        let register = start(folder.path(), Arc::new(SystemClock)).await.unwrap();
        assert!(register.authenticate(&token).await.is_ok());
        register.stop().await;
        std::fs::remove_file(folder.path().join("token")).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_fonts_are_told_to_whoever_looks() {
    let folder = tempfile::tempdir().unwrap();
    init(folder.path(), "Asia/Shanghai", "04:00").await;
    for (fonts, status, causes) in
        [(Vec::new(), "degraded", vec!["fonts_missing"]), (vec![Vec::new()], "ok", vec![])]
    {
        let options = RegisterOptions { fonts, ..RegisterOptions::default() };
        let register = Register::start(folder.path(), options).await.unwrap();
        let health = register.health();
        assert_eq!(
            (health.status.as_str(), health.causes),
            (status, causes.iter().map(ToString::to_string).collect())
        );
        let told: Vec<_> =
            register.todo().await.unwrap().notices.into_iter().map(|notice| notice.code).collect();
        assert_eq!(told, causes);
        register.stop().await;
    }
}
