//! The paper as it would print now.

use serde_json::json;

use crate::support::{Shop, receipt, refused};

#[tokio::test(flavor = "multi_thread")]
async fn paper_shows_what_came_out_of_the_printer() {
    let (shop, printer) = Shop::with_printer().await;
    shop.submit(&receipt(1)).await;
    let path = "/v1/jobs/S1:R1-000001:receipt:v1";
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    let shown = shop.get(&format!("{path}/paper")).await;
    assert_eq!(shown.headers()["content-type"], "text/plain; charset=utf-8");
    let shown = shown.text().await.unwrap();
    assert!(shown.starts_with(&printer.tickets()[0].text()), "{shown}");
    let svg = shop.get(&format!("{path}/paper?format=svg")).await;
    assert_eq!(svg.headers()["content-type"], "image/svg+xml");
    assert!(svg.text().await.unwrap().contains("<svg"));
    let png = shop.get(&format!("{path}/paper?format=png")).await;
    assert!(png.bytes().await.unwrap().starts_with(b"\x89PNG"));
    refused(shop.get(&format!("{path}/paper?format=pdf")).await, 422, "invalid_value").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paper_of_a_job_whose_printer_is_gone_can_still_be_seen() {
    let (shop, _printer) = Shop::with_printer().await;
    shop.poke("/v1/printers/front/pause").await;
    shop.submit(&receipt(1)).await;
    let gone = shop.request(reqwest::Method::DELETE, "/v1/printers/front").send().await.unwrap();
    assert_eq!(gone.status(), 204);
    let story = shop.wait_for_state("S1:R1-000001:receipt:v1", "failed").await;
    assert_eq!(story["reason"], json!("printer_removed"));
    let shown = shop.get("/v1/jobs/S1:R1-000001:receipt:v1/paper").await;
    assert!(shown.text().await.unwrap().contains("Sandwich"));
}

#[tokio::test(flavor = "multi_thread")]
async fn picture_does_not_wait_for_what_is_set_for_a_printer() {
    let (shop, _printer) = Shop::with_printer().await;
    shop.submit(&receipt(1)).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    let path = "/v1/jobs/S1:R1-000001:receipt:v1/paper?format=png";
    let first = shop.get(path).await.bytes().await.unwrap();
    let printing = shop.register.spooler().context().stationery.typesetter.clone();
    let (hold, held) = (tokio::sync::oneshot::channel(), std::sync::mpsc::channel::<()>());
    let holding = std::thread::spawn(move || {
        let _held = printing.lock().unwrap();
        hold.0.send(()).unwrap();
        let _ = held.1.recv();
    });
    hold.1.await.unwrap();
    assert_eq!(shop.get(path).await.bytes().await.unwrap(), first);
    drop(held.0);
    holding.join().unwrap();
}
