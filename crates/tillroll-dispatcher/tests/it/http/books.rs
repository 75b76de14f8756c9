//! A store's day and what was refused, as the head office sees them.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::json;
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;
use tillroll_wire::channel::{ClockReading, Hello, Up};

use super::line::{Line, hello};
use super::support::order;
use super::sync::{batch, paired};
use crate::conformance::world::{printed, receipt, sale};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn day_has_every_register_and_its_clock() {
    let (cloud, shop, credential) = paired().await;
    let second = cloud.pair(&shop, "R2").await;
    let records = [sale(1), printed(1), sale(2)];
    cloud.post(&credential, "/v1/sync/records", &batch("R1", &records)).await;
    // Three days off.
    let now = SystemClock.now() + SignedDuration::from_hours(72);
    let clock = ClockReading { now, boot_ms: 1 };
    let mut line = Line::open(&cloud, &second).await.unwrap();
    line.say(&Up::Hello(Hello { clock, ..hello("R2", "front") })).await;
    line.hear().await;
    let path = format!("/v1/stores/{}/days/2026-11-30", shop.uid);
    let day = loop {
        let (status, day) = cloud.get(&shop.token, &path).await;
        assert_eq!(status, StatusCode::OK);
        if day["registers"][1]["drift_ms"].is_number() {
            break day;
        }
        tokio::task::yield_now().await;
    };
    let (first, second) = (&day["registers"][0], &day["registers"][1]);
    assert_eq!(
        (&first["register"], &first["receipts"], &first["printed"]),
        (&json!("R1"), &json!(2), &json!(1))
    );
    assert_eq!((&second["register"], &second["receipts"]), (&json!("R2"), &json!(0)));
    let drift = second["drift_ms"].as_i64().unwrap();
    assert!((drift - 72 * 3_600_000).abs() < 60_000, "{drift}");
    let drift = first["drift_ms"].as_i64().unwrap();
    assert!(drift.abs() < 60_000, "{drift}");
    let bad = cloud.get(&shop.token, &format!("/v1/stores/{}/days/monday", shop.uid)).await;
    assert_eq!(
        (bad.0, &bad.1["faults"][0]["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("date"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_of_the_day_are_counted_by_state() {
    let (cloud, shop, _) = paired().await;
    cloud.announce(&shop, "R1").await;
    let (_, job) = cloud.send(&shop, &order(1)).await;
    cloud.until(&shop, 1, "parked").await;
    let day = job["created_at"].as_str().unwrap()[..10].to_owned();
    let (_, day) = cloud.get(&shop.token, &format!("/v1/stores/{}/days/{day}", shop.uid)).await;
    assert_eq!(day["jobs"], json!({"parked": 1}));
}

#[tokio::test]
async fn conflicts_are_listed_page_by_page() {
    let (cloud, shop, credential) = paired().await;
    let second = cloud.pair(&shop, "R2").await;
    cloud.post(&credential, "/v1/sync/records", &batch("R1", &[sale(1), sale(2), sale(3)])).await;
    let others: Vec<_> =
        (1..=3).map(|n| receipt(&format!("S1:{n:06}:receipt:v1"), n, 99)).collect();
    cloud.post(&second, "/v1/sync/records", &batch("R2", &others)).await;
    let path = format!("/v1/stores/{}/rejected", shop.uid);
    let (_, first) = cloud.get(&shop.token, &format!("{path}?limit=2")).await;
    let flows = |list: &serde_json::Value| {
        let rows = list["records"].as_array().unwrap();
        rows.iter()
            .map(|row| (row["flow_no"].as_i64().unwrap(), row["code"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(flows(&first), [(3, json!("conflict")), (2, json!("conflict"))]);
    assert_eq!(first["records"][0]["register"], "R2");
    let (_, rest) =
        cloud.get(&shop.token, &format!("{path}?limit=2&before={}", first["next"])).await;
    assert_eq!(flows(&rest), [(1, json!("conflict"))]);
    assert!(rest["next"].is_null());
}
