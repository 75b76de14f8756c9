//! Hints about what changed.

use std::time::Duration;

use serde_json::json;
use tillroll_register::http::HttpSettings;

use crate::support::{PATIENCE, Plan, Shop, receipt, refused};

/// Reads a stream until it has said `text`.
async fn wait_for(stream: &mut reqwest::Response, text: &str) -> String {
    let mut heard = String::new();
    let listened = tokio::time::timeout(PATIENCE, async {
        while !heard.contains(text) {
            let chunk = stream.chunk().await.unwrap().expect("the stream goes on");
            heard.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    });
    assert!(listened.await.is_ok(), "{text} was never said in {heard}");
    heard
}

#[tokio::test(flavor = "multi_thread")]
async fn listener_hears_of_a_job_and_of_a_refusal() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut stream = shop.get("/v1/events").await;
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    wait_for(&mut stream, r#"data: {"changed":"everything"}"#).await;
    shop.submit(&receipt(1)).await;
    wait_for(&mut stream, r#"data: {"changed":"job","id":"S1:R1-000001:receipt:v1"}"#).await;
    shop.submit(&json!({})).await;
    wait_for(&mut stream, r#"data: {"changed":"rejected"}"#).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn listener_who_missed_hints_reads_everything_again() {
    let (shop, _printer) = Shop::with_printer().await;
    let mut stream = shop.get("/v1/events").await;
    wait_for(&mut stream, "everything").await;
    // More than a socket and the feed hold together.
    let name = "x".repeat(1_000);
    for _ in 0..20_000 {
        shop.register.store().feed().hint(tillroll_store::Hint::Printer { name: name.clone() });
    }
    wait_for(&mut stream, r#"data: {"changed":"everything"}"#).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn listeners_are_bounded_and_leave_with_the_server() {
    let http = HttpSettings { listeners: 1, ..HttpSettings::default() };
    let shop = Shop::open(Plan { http, ..Plan::default() }).await;
    let mut first = shop.get("/v1/events").await;
    wait_for(&mut first, "everything").await;
    refused(shop.get("/v1/events").await, 503, "unavailable").await;
    let (register, _folder) = tokio::time::timeout(Duration::from_secs(5), shop.end_server())
        .await
        .expect("a listener does not keep the server");
    assert!(first.chunk().await.is_ok_and(|chunk| chunk.is_none()), "the stream ended in order");
    register.stop().await;
}
