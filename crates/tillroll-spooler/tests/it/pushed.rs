//! Jobs of the head office: what nobody started in time is held instead of being printed.

use std::time::Duration;

use jiff::SignedDuration;
use tillroll_domain::clock::{Clock as _, DUE_CLAMP};
use tillroll_domain::print_job::{HoldReason, JobState, Verb};
use tillroll_domain::printer::PrinterState;
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

/// Sets the wall clock, and lets the longest time pass that a job waits when that is seen.
async fn set_clock(bench: &Bench, device: &Device, id: &str, hours: i64) {
    bench.clock.jump(SignedDuration::from_hours(hours));
    bench.store.feed().wake(device.printer.id);
    let soon = bench.clock.now() + DUE_CLAMP;
    bench.until(id, |job| job.due_at.is_none_or(|due| due <= soon)).await;
    bench.clock.advance(DUE_CLAMP);
    bench.store.feed().wake(device.printer.id);
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
async fn wall_clock_that_is_set_neither_expires_nor_holds_anything() {
    for hours in [1, 72, -72] {
        let bench = Bench::new();
        let device = bench.device(Personality::Token).await;
        device.paper.set_paper(Paper::End);
        let id = push(&bench, &device).await;
        bench.shows(&device.printer, |now| matches!(now.state, PrinterState::Stopped(_))).await;
        set_clock(&bench, &device, &id, hours).await;
        device.paper.set_paper(Paper::Ok);
        let job = bench.settled(&id).await;
        assert_eq!((job.state, job.reason), (JobState::Printed, None), "{hours} h");
    }
}

#[tokio::test]
async fn job_that_expires_after_the_wall_clock_was_set_is_on_the_list_and_prints_when_asked_to() {
    for hours in [72, -72] {
        let bench = Bench::new();
        let device = bench.device(Personality::Token).await;
        device.paper.set_paper(Paper::End);
        let id = push(&bench, &device).await;
        bench.clock.jump(SignedDuration::from_hours(hours));
        bench.clock.advance(DEADLINE);
        let (now, boot) = (bench.clock.now(), bench.clock.boot());
        assert_eq!(bench.store.hold_expired(now, boot).await.expect("held"), 1, "{hours} h");
        let todo = bench.store.todo(now, 9).await.expect("read");
        assert_eq!(todo.len(), 1, "{hours} h");
        assert_eq!(
            (todo[0].state, todo[0].reason),
            (JobState::Held, Some(HoldReason::Expired.into()))
        );
        device.paper.set_paper(Paper::Ok);
        bench.answer(&id, Verb::Print).await;
        assert_eq!(bench.settled(&id).await.state, JobState::Printed, "{hours} h");
    }
}

#[tokio::test]
async fn job_pushed_under_a_wrong_clock_prints_once_that_is_set_right() {
    for hours in [72, -72] {
        let bench = Bench::new();
        let device = bench.device(Personality::Token).await;
        bench.is_idle(&device.printer).await;
        bench.clock.jump(SignedDuration::from_hours(hours));
        device.paper.set_paper(Paper::End);
        let id = push(&bench, &device).await;
        bench.shows(&device.printer, |now| matches!(now.state, PrinterState::Stopped(_))).await;
        set_clock(&bench, &device, &id, -hours).await;
        device.paper.set_paper(Paper::Ok);
        let job = bench.settled(&id).await;
        assert_eq!((job.state, job.reason), (JobState::Printed, None), "{hours} h");
    }
}
