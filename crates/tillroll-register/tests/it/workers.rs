//! A printer's worker is replaced between two jobs, and never doubled.

use reqwest::Method;
use serde_json::{Value, json};
use tillroll_paper::{Fault, Paper, VirtualPrinter};
use tillroll_spooler::SpoolerError;

use crate::support::{PATIENCE, Shop, receipt, refused};

const JOB: &str = "S1:R1-000001:receipt:v1";

/// A shop with a job in the middle of its paper, which has run out.
async fn with_a_job_at_the_device() -> (Shop, VirtualPrinter) {
    let (shop, printer) = Shop::with_printer().await;
    printer.fault(Fault::PaperEndAfterLines(4));
    shop.submit(&receipt(1)).await;
    let cause = |printer: &Value| printer["mid_job_cause"] == "paper_end";
    shop.wait_for("/v1/printers/front", cause).await;
    (shop, printer)
}

async fn is_printed_whole(shop: &Shop, printer: &VirtualPrinter) {
    printer.set_paper(Paper::Ok);
    let story = shop.wait_for_state(JOB, "printed").await;
    assert_eq!((&story["confirmation"], &story["reprint"]), (&json!("token"), &json!(false)));
    assert_eq!(story["attempts"], 1, "{story}");
    assert_eq!(printer.cut_tickets(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn pause_change_and_resume_leave_the_job_at_the_device_alone() {
    let (shop, printer) = with_a_job_at_the_device().await;
    let change = shop.request(Method::PATCH, "/v1/printers/front").json(&json!({"drawer_pin": 1}));
    let (paused, changed, resumed) = tokio::join!(
        shop.poke("/v1/printers/front/pause"),
        change.send(),
        shop.poke("/v1/printers/front/resume")
    );
    assert!(paused.status().is_success() && resumed.status().is_success());
    assert_eq!(changed.unwrap().status(), 200);
    is_printed_whole(&shop, &printer).await;

    assert_eq!(shop.poke("/v1/printers/front/resume").await.status(), 200);
    shop.submit(&receipt(2)).await;
    shop.wait_for_state("S1:R1-000002:receipt:v1", "printed").await;
    printer.wait_until(PATIENCE, |printer| printer.pulses().len() == 2).await.unwrap();
    assert_eq!(printer.pulses()[1].pin, 5, "the change took effect for the next job");
    assert_eq!(printer.cut_tickets(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn probe_and_remove_are_refused_while_a_job_is_at_the_device() {
    let (shop, printer) = with_a_job_at_the_device().await;
    refused(shop.poke("/v1/printers/front/probe").await, 409, "not_allowed").await;
    let removed = shop.request(Method::DELETE, "/v1/printers/front").send().await.unwrap();
    refused(removed, 409, "not_allowed").await;
    is_printed_whole(&shop, &printer).await;
    let probed: Value = shop.poke("/v1/printers/front/probe").await.json().await.unwrap();
    assert_eq!(probed["level"], "token");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_replacements_at_once_leave_one_worker() {
    let (shop, printer) = Shop::with_printer().await;
    let verbs = ["pause", "probe", "resume"].repeat(4);
    let asked = verbs.into_iter().map(|verb| {
        let request = shop.request(Method::POST, &format!("/v1/printers/front/{verb}"));
        tokio::spawn(async move { request.send().await.unwrap().status() })
    });
    for answered in asked.collect::<Vec<_>>() {
        assert_eq!(answered.await.unwrap(), 200);
    }
    shop.poke("/v1/printers/front/resume").await;
    let stored = shop.register.store().printer_named("front".to_owned()).await.unwrap();
    let second = shop.register.spooler().start(stored);
    assert!(matches!(second, Err(SpoolerError::Running)), "{second:?}");
    let probes = printer.cut_tickets();
    shop.submit(&receipt(1)).await;
    shop.wait_for_state(JOB, "printed").await;
    assert_eq!(printer.cut_tickets(), probes + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn printer_that_cannot_be_probed_keeps_its_worker() {
    let shop = Shop::open(crate::support::Plan::default()).await;
    shop.add_dead("front").await;
    refused(shop.poke("/v1/printers/front/probe").await, 422, "printer_unusable").await;
    let stored = shop.register.store().printer_named("front".to_owned()).await.unwrap();
    assert!(shop.register.spooler().status(stored.id).is_some());
}
