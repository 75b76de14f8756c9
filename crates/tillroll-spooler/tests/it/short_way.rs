//! The short way of a receipt to an idle printer: recorded and claimed in one commit.

use std::time::Duration;

use tillroll_domain::print_job::{HoldReason, JobState};
use tillroll_paper::Personality;
use tillroll_store::{Claiming, DrawerState, JobRow, PlannedAttempt, Recorded, StoreError};
use tillroll_testkit::receipts;

use crate::bench::{Bench, Device, LIMIT};

/// Records receipts until one of them is claimed at once; its job, and the commits before it.
async fn claimed_at_once(bench: &Bench, device: &Device) -> (Recorded, u64) {
    let printed = u32::try_from(device.paper.cut_tickets()).unwrap_or(0);
    for n in printed + 1..printed + 200 {
        let new = bench.receipt(device.printer.id, &receipts::simple(n));
        let before = bench.store.health().commits;
        let recorded = bench.spooler.record(new).await.expect("recorded");
        if recorded.claimed.is_some() {
            return (recorded, before);
        }
        bench.settled(&recorded.job.job_id.to_string()).await;
    }
    panic!("no receipt took the short way");
}

#[tokio::test]
async fn receipt_for_an_idle_printer_costs_two_commits() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    for _ in 0..3 {
        let (recorded, before) = claimed_at_once(&bench, &device).await;
        let id = recorded.job.job_id.to_string();
        assert_eq!(recorded.job.state, JobState::Printing);
        assert_eq!(bench.until(&id, |job| job.state == JobState::Printed).await.attempts, 1);
        assert_eq!(bench.store.health().commits - before, 2);
        assert_eq!(device.count(&id), 1);
    }
}

#[tokio::test]
async fn caller_that_goes_away_in_the_middle_leaves_a_job_that_prints() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    for n in 1..=40 {
        let new = bench.receipt(device.printer.id, &receipts::simple(n));
        let id = new.job_id.to_string();
        // Polled once, or a little longer, then dropped.
        let patience = Duration::from_micros(u64::from(n) * 50);
        let _ = tokio::time::timeout(patience, bench.spooler.record(new)).await;
        let mut feed = bench.store.feed().listen();
        let recorded = async {
            while let Err(StoreError::NotFound { .. }) = bench.store.story(id.clone()).await {
                let _ = tokio::time::timeout(Duration::from_millis(20), feed.recv()).await;
            }
        };
        if tokio::time::timeout(Duration::from_millis(500), recorded).await.is_ok() {
            assert_eq!(bench.settled(&id).await.state, JobState::Printed);
            assert_eq!(device.count(&id), 1);
        }
    }
    let last = bench.submit(&device.printer, &receipts::simple(99)).await;
    assert_eq!(bench.settled(&last).await.state, JobState::Printed);
}

#[tokio::test]
async fn claim_that_nobody_hands_over_is_given_back_and_prints() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    let first = bench.submit(&device.printer, &receipts::simple(1)).await;
    bench.settled(&first).await;
    let lost = orphan(&bench, &device).await;
    let third = bench.record(&device.printer, &receipts::simple(3)).await;
    let lost = bench.settled(&lost.job_id.to_string()).await;
    assert_eq!((lost.state, lost.attempts), (JobState::Printed, 2));
    assert_eq!(bench.settled(&third).await.state, JobState::Printed);
    device.paper.wait_for_tickets(3, LIMIT).await.expect("tickets");
    assert_eq!(device.count("No. R1-000002"), 1);
    assert!(device.paper.pulses().len() <= 2, "no pulse is given for an attempt that was lost");
}

#[tokio::test]
async fn claim_that_nobody_hands_over_needs_no_other_job_to_be_found() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    let first = bench.submit(&device.printer, &receipts::simple(1)).await;
    bench.settled(&first).await;
    let lost = orphan(&bench, &device).await;
    let lost = bench.settled(&lost.job_id.to_string()).await;
    assert_eq!((lost.state, lost.attempts), (JobState::Printed, 2));
    assert_eq!(device.count("No. R1-000002"), 1);
}

/// A job that is claimed in the store, and its worker never hears of it.
async fn orphan(bench: &Bench, device: &Device) -> JobRow {
    let mut lost = bench.receipt(device.printer.id, &receipts::simple(2));
    let planned = PlannedAttempt {
        lines_before: None,
        cuts_before: None,
        cuts: 1,
        byte_count: 1,
        sha256: [0; 32],
    };
    lost.claiming = Some(Claiming { planned, drawer: DrawerState::Opened });
    let lost = bench.store.record_receipt(lost).await.expect("recorded").job;
    assert_eq!(lost.state, JobState::Printing);
    bench.store.feed().wake(device.printer.id);
    lost
}

#[tokio::test]
async fn held_receipt_is_never_claimed() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    let (recorded, _) = claimed_at_once(&bench, &device).await;
    bench.settled(&recorded.job.job_id.to_string()).await;
    let mut held = bench.receipt(device.printer.id, &receipts::simple(900));
    held.held = Some(HoldReason::PausedOrder);
    let recorded = bench.spooler.record(held).await.expect("recorded");
    assert_eq!(recorded.job.state, JobState::Held);
    assert!(recorded.claimed.is_none());
}
