//! Figures for those who watch.

use serde_json::json;

use crate::support::{Shop, receipt};

#[tokio::test(flavor = "multi_thread")]
async fn figures_count_what_happened_and_carry_nothing_of_a_receipt() {
    let (shop, _printer) = Shop::with_printer().await;
    shop.submit(&receipt(1)).await;
    shop.submit(&receipt(1)).await;
    shop.submit(&json!({"order_no": "x"})).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    shop.poke("/v1/printers/front/pause").await;
    shop.submit(&receipt(2)).await;
    let figures = shop.bare(reqwest::Method::GET, "/metrics").send().await.unwrap();
    assert!(figures.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    let figures = figures.text().await.unwrap();
    for line in [
        "tillroll_receipts_total{outcome=\"accepted\"} 2\n",
        "tillroll_receipts_total{outcome=\"replayed\"} 1\n",
        "tillroll_receipts_total{outcome=\"refused\"} 1\n",
        "tillroll_jobs{state=\"pending\"} 1\n",
        "tillroll_jobs{state=\"unconfirmed\"} 0\n",
        "tillroll_printer_up{printer=\"front\"} 0\n",
        "tillroll_printer_queue{printer=\"front\"} 1\n",
        "# TYPE tillroll_http_request_duration_seconds histogram\n",
        "# TYPE tillroll_commits_total counter\n",
        "tillroll_wal_bytes ",
        "tillroll_writes_total ",
        "route=\"/v1/receipts\"",
    ] {
        assert!(figures.contains(line), "{line} is not in\n{figures}");
    }
    for secret in ["R1-00000", "Sandwich", shop.token.as_str()] {
        assert!(!figures.contains(secret), "{secret} is in\n{figures}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_and_methods_made_up_by_a_client_make_no_new_series() {
    let (shop, _printer) = Shop::with_printer().await;
    for n in 0..20 {
        let method = format!("MADE{n}").parse().unwrap();
        shop.request(method, &format!("/made-up-{n}")).send().await.unwrap();
        shop.get(&format!("/v1/jobs/S1:{n}:receipt:v1")).await;
    }
    let figures = shop.get("/metrics").await.text().await.unwrap();
    assert!(!figures.contains("MADE") && !figures.contains("made-up"), "{figures}");
    let series = figures.lines().filter(|line| line.contains("_seconds_count")).count();
    assert!(series < 10, "{series} series");
}
