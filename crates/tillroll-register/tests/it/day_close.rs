//! Closing the day: numbered, printed, final.

use std::sync::Arc;

use serde_json::{Value, json};
use tillroll_domain::clock::Clock as _;
use tillroll_paper::{Behaviour, Personality, VirtualPrinter};
use tillroll_store::Closing;
use tillroll_testkit::ManualClock;

use crate::support::{PATIENCE, Plan, Shop, receipt, refused, squeezed, start};

const DAY: &str = "/v1/days/2026-10-09";
const CLOSE: &str = "/v1/days/2026-10-09/close";

async fn shop() -> Shop {
    let clock = Arc::new(ManualClock::reading("2026-10-09T10:00:00+08:00"));
    Shop::open(Plan { clock, ..Plan::default() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn close_prints_its_z_report_and_stands_for_good() {
    let shop = shop().await;
    let printer = shop.add_virtual("front").await;
    shop.submit(&receipt(1)).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    let closed =
        shop.post(CLOSE, &json!({"counted_minor": 1_200, "reason": "till was short"})).await;
    assert_eq!(closed.status(), 200);
    let closing: Value = closed.json().await.unwrap();
    assert_eq!((&closing["z_no"], &closing["settled"]), (&json!(1), &json!(1)));
    assert_eq!(closing["cash_expected_minor"], 1_250);
    assert_eq!(closing["cash_difference_minor"], -50);

    let tickets = printer.wait_for_tickets(2, PATIENCE).await.unwrap();
    let report = squeezed(&tickets[1]);
    for printed in ["Zreport1", "2026-10-09", "12.50", "12.00", "-0.50"] {
        assert!(report.contains(printed), "{printed} is not on\n{report}");
    }
    refused(shop.poke(CLOSE).await, 409, "not_allowed").await;
    let counted = json!({"counted_minor": 1_250});
    refused(shop.post(CLOSE, &counted).await, 409, "not_allowed").await;
    let sessions = shop.read(DAY).await["sessions"].clone();
    assert_eq!(sessions.as_array().unwrap().len(), 1, "a refused close opens nothing: {sessions}");
    assert_eq!(sessions[0]["cash"]["counted_minor"], 1_200);
}

#[tokio::test(flavor = "multi_thread")]
async fn cash_that_differs_needs_a_reason() {
    let shop = shop().await;
    shop.add_virtual("front").await;
    shop.submit(&receipt(1)).await;
    let short = json!({"counted_minor": 1_200});
    let problem = refused(shop.post(CLOSE, &short).await, 422, "invalid_value").await;
    assert_eq!(problem["faults"][0]["field"], "reason");
    let sessions = shop.read(DAY).await["sessions"].clone();
    assert_eq!(sessions[0]["cash"]["counted_minor"], json!(null), "nothing of it was recorded");

    // Counted before the close; the reason comes with it.
    let counted = json!({"kind": "count", "amount_minor": 1_200});
    assert!(shop.post(&format!("{DAY}/cash"), &counted).await.status().is_success());
    refused(shop.poke(CLOSE).await, 422, "invalid_value").await;
    let closed = shop.post(CLOSE, &json!({"reason": "till was short"})).await;
    assert_eq!(closed.json::<Value>().await.unwrap()["cash_reason"], "till was short");
    let nothing_differs = json!({"counted_minor": 1_250});
    shop.submit(&receipt(2)).await;
    assert_eq!(shop.post(CLOSE, &nothing_differs).await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn sale_after_the_close_opens_the_next_session() {
    let shop = shop().await;
    shop.add_virtual("front").await;
    shop.submit(&receipt(1)).await;
    assert_eq!(shop.poke(CLOSE).await.status(), 200);
    shop.submit(&receipt(2)).await;
    let day = shop.read(DAY).await;
    let numbers: Vec<_> = day["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| (session["z_no"].as_i64(), session["totals"]["receipts"].as_i64()))
        .collect();
    assert_eq!(numbers, [(Some(1), Some(1)), (Some(2), Some(1))]);
    assert_eq!(day["register"]["receipts"], 2);
    let second: Value = shop.poke(CLOSE).await.json().await.unwrap();
    assert_eq!(second["z_no"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn answer_after_the_close_is_a_correction() {
    let shop = shop().await;
    let silent = VirtualPrinter::new(Behaviour::new(Personality::Silent));
    shop.register.spooler().context().virtuals.insert("front".to_owned(), silent);
    let body =
        json!({"name": "front", "uri": "virtual:front", "level": "silent", "unproven": "ask"});
    assert_eq!(shop.post("/v1/printers", &body).await.status(), 201);
    let id = "S1:R1-000001:receipt:v1";
    shop.submit(&receipt(1)).await;
    shop.wait_for_state(id, "sent").await;
    let closing: Value = shop.poke(CLOSE).await.json().await.unwrap();
    assert_eq!((&closing["recorded"], &closing["settled"]), (&json!(1), &json!(0)));
    assert_eq!(shop.poke(&format!("/v1/jobs/{id}/on_paper")).await.status(), 200);
    let corrections = shop.read(DAY).await["sessions"][0]["corrections"].clone();
    assert_eq!(corrections.as_array().unwrap().len(), 1);
    assert_eq!(corrections[0]["id"], id);
    assert_eq!(
        (&corrections[0]["was"], &corrections[0]["became"]),
        (&json!("sent"), &json!("printed"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn day_without_a_sale_has_nothing_to_close() {
    let shop = shop().await;
    shop.add_virtual("front").await;
    let counted = json!({"counted_minor": 100});
    refused(shop.post(CLOSE, &counted).await, 409, "not_allowed").await;
    assert_eq!(shop.read(DAY).await["sessions"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn close_counts_the_papers_of_its_own_session() {
    let shop = shop().await;
    shop.add_virtual("front").await;
    for n in [1, 2] {
        shop.submit(&receipt(n)).await;
        shop.wait_for_state(&format!("S1:R1-00000{n}:receipt:v1"), "printed").await;
    }
    assert_eq!(shop.poke(CLOSE).await.status(), 200);
    shop.submit(&receipt(3)).await;
    shop.wait_for_state("S1:R1-000003:receipt:v1", "printed").await;
    let second: Value = shop.poke(CLOSE).await.json().await.unwrap();
    assert_eq!((&second["recorded"], &second["settled"]), (&json!(1), &json!(1)), "{second}");
    assert_eq!(shop.read(DAY).await["paper"]["recorded"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn report_that_a_crash_left_out_is_printed_at_the_next_start_once() {
    let clock = ManualClock::reading("2026-10-09T10:00:00+08:00");
    let shop = Shop::open(Plan { clock: Arc::new(clock.clone()), ..Plan::default() }).await;
    shop.add_virtual("front").await;
    shop.submit(&receipt(1)).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    let closing = Closing {
        day: "2026-10-09".parse().unwrap(),
        z_no: None,
        count: None,
        client: None,
        register: "R1".to_owned(),
    };
    let totals = json!({"receipts": 1, "gross_minor": 1_250});
    let figures = json!({"z_no": 1, "totals": totals, "recorded": 1, "settled": 1, "cash_expected_minor": 1_250, "differences": 0});
    let figures = figures.to_string();
    let close = shop.register.store().close_session(
        closing,
        move |_, _| Ok((figures.clone(), ())),
        clock.now(),
    );
    close.await.unwrap();
    let (register, folder) = shop.end_server().await;
    register.stop().await;
    for _ in 0..2 {
        let register = start(folder.path(), Arc::new(clock.clone())).await.unwrap();
        let jobs = register.jobs(None, 10).await.unwrap();
        let reports = jobs.iter().filter(|job| job.id == "S1:R1~20261009~z1:report:v1");
        assert_eq!((jobs.len(), reports.count()), (2, 1), "{jobs:?}");
        register.stop().await;
    }
}
