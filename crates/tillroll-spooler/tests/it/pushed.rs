//! Jobs of the head office: what nobody started in time is held instead of being printed.

use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tillroll_domain::print_job::{HoldReason, JobState, Verb};
use tillroll_paper::{Paper, Personality};
use tillroll_store::{Expiry, NewReceipt, Pushed};
use tillroll_testkit::receipts;

use crate::bench::{Bench, Device};

const DEADLINE: Duration = Duration::from_secs(90);

/// A job with a deadline, on the short way where there is one.
async fn push(bench: &Bench, device: &Device) -> String {
    let expiry = Some(Expiry::after(DEADLINE, bench.clock.now(), bench.clock.boot()));
    let receipt = bench.receipt(device.printer.id, &receipts::simple(1));
    let new = NewReceipt { pushed: Some(Pushed { expiry }), ..receipt };
    bench.spooler.record(new).await.expect("recorded").job.job_id.to_string()
}

#[tokio::test]
async fn job_in_time_is_printed_at_once() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    bench.is_idle(&device.printer).await;
    let id = push(&bench, &device).await;
    assert_eq!(bench.settled(&id).await.state, JobState::Printed);
    let told = bench.store.results_to_tell(9).await.expect("read");
    assert_eq!(told.len(), 1, "its paper is told");
}

#[tokio::test]
async fn job_whose_printer_came_back_too_late_is_held_and_prints_when_the_clerk_says_so() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    device.paper.set_paper(Paper::End);
    let id = push(&bench, &device).await;
    bench.clock.advance(DEADLINE);
    device.paper.set_paper(Paper::Ok);
    let held = bench.settled(&id).await;
    assert_eq!((held.state, held.reason), (JobState::Held, Some(HoldReason::Expired.into())));
    assert_eq!(held.attempts, 0);
    bench.answer(&id, Verb::Print).await;
    assert_eq!(bench.settled(&id).await.state, JobState::Printed);
}

#[tokio::test]
async fn wall_clock_that_is_set_expires_nothing() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    device.paper.set_paper(Paper::End);
    let id = push(&bench, &device).await;
    bench.clock.jump(jiff::SignedDuration::from_mins(20));
    bench.clock.advance(DEADLINE / 2);
    device.paper.set_paper(Paper::Ok);
    let job = bench.settled(&id).await;
    assert_eq!((job.state, job.reason), (JobState::Printed, None));
}
