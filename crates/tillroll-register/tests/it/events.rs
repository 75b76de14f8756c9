//! Hints about what changed.

use std::time::Duration;

use serde_json::json;
use tillroll_register::http::HttpSettings;
use tillroll_register::view::Settings;
use tillroll_store::Hint;
use tokio::sync::broadcast::Receiver;

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

/// Has jobs put before the clerk when they waited so many seconds.
async fn lose_patience(shop: &Shop, attention_after_s: u32) {
    let owner = shop.register.authenticate(&shop.token).await.unwrap();
    let settings = Settings { attention_after_s, ..shop.register.preferences() };
    shop.register.change_preferences(&owner, settings).await.unwrap();
}

/// Waits for a hint about a job that is on the to-do list by then.
async fn hear_of_listed(shop: &Shop, hints: &mut Receiver<Hint>, id: &str) {
    let heard = tokio::time::timeout(PATIENCE, async {
        loop {
            let about_it =
                matches!(hints.recv().await.unwrap(), Hint::Job { id: job } if job == id);
            let todo = shop.register.todo().await.unwrap();
            if about_it && todo.jobs.iter().any(|job| job.id == id) {
                return;
            }
        }
    });
    assert!(heard.await.is_ok(), "nobody told that {id} is on the list");
}

#[tokio::test(flavor = "multi_thread")]
async fn listener_hears_of_each_job_when_it_has_waited_too_long() {
    let (shop, _printer) = Shop::with_printer().await;
    lose_patience(&shop, 1).await;
    shop.poke("/v1/printers/front/pause").await;
    let mut hints = shop.register.store().feed().listen();
    for n in 1..=2 {
        shop.submit(&receipt(n)).await;
        hear_of_listed(&shop, &mut hints, &format!("S1:R1-00000{n}:receipt:v1")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn listener_hears_of_jobs_that_a_shorter_limit_puts_on_the_list() {
    let (shop, _printer) = Shop::with_printer().await;
    shop.poke("/v1/printers/front/pause").await;
    shop.submit(&receipt(1)).await;
    let mut hints = shop.register.store().feed().listen();
    lose_patience(&shop, 1).await;
    hear_of_listed(&shop, &mut hints, "S1:R1-000001:receipt:v1").await;
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
