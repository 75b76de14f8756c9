//! An unexpected fault in one worker: caught, recorded, survived, and felt by no other printer.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tillroll_domain::print_job::{JobReason, JobState};
use tillroll_escpos::encode::Assets;
use tillroll_paper::Personality;
use tillroll_testkit::receipts;

use crate::bench::{Bench, timings};

static ARMED: AtomicBool = AtomicBool::new(false);

/// Drawn when an attempt has ended and is not yet settled.
fn draw() -> u32 {
    assert!(!ARMED.swap(false, Ordering::SeqCst), "a fault on purpose");
    0
}

#[tokio::test]
async fn worker_that_panics_after_a_job_starts_again_and_asks_the_device() {
    let bench = Bench::drawing(timings(), Arc::new(()), draw);
    let token = bench.device(Personality::Token).await;
    ARMED.store(true, Ordering::SeqCst);
    let id = bench.submit(&token.printer, &receipts::simple(1)).await;
    let job = bench.settled(&id).await;
    assert!(!ARMED.load(Ordering::SeqCst), "the fault was met");
    assert_eq!((job.state, job.attempts), (JobState::Printed, 1));

    let silent = bench.device(Personality::Silent).await;
    ARMED.store(true, Ordering::SeqCst);
    let asked = bench.submit(&silent.printer, &receipts::simple(2)).await;
    let job = bench.settled(&asked).await;
    assert_eq!(job.state, JobState::Unconfirmed);
    assert_eq!(job.reason.map(JobReason::as_str), Some("panicked"));

    // Nobody knows what such a job prints, so that counters prove nothing of it.
    let counter = bench.device(Personality::Counter).await;
    ARMED.store(true, Ordering::SeqCst);
    let unknown = receipts::raw(5, b"top\n\x1dVB\0\x1b\x7fstrange\nend\n");
    let unknown = bench.submit(&counter.printer, &unknown).await;
    assert_eq!(bench.settled(&unknown).await.state, JobState::Unconfirmed);

    for (device, n) in [(&token, 3), (&silent, 4)] {
        let next = bench.submit(&device.printer, &receipts::simple(n)).await;
        assert_eq!(bench.settled(&next).await.attempts, 1);
        assert_eq!(device.count(&format!("No. R1-{n:06}")), 1);
    }
    assert_eq!((token.count("No. R1-000001"), silent.count("No. R1-000002")), (1, 1));
}

/// A picture that cannot even be looked at.
struct Poisonous;

impl Assets for Poisonous {
    fn image(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        panic!("a fault on purpose at {name}")
    }
}

#[tokio::test]
async fn receipt_whose_rendering_panics_is_recorded_fails_alone_and_blocks_nobody() {
    let bench = Bench::drawing(timings(), Arc::new(Poisonous), || 0);
    let device = bench.device(Personality::Token).await;
    for n in 1..=3 {
        let mut poisonous = receipts::simple(n);
        poisonous.logo = Some("shop".parse().expect("a name"));
        let failed = bench.submit(&device.printer, &poisonous).await;
        let next = bench.submit(&device.printer, &receipts::simple(n + 10)).await;
        let job = bench.settled(&failed).await;
        assert_eq!((job.state, job.attempts), (JobState::Failed, 0));
        assert_eq!(job.reason.map(JobReason::as_str), Some("cannot_render"));
        assert_eq!(bench.settled(&next).await.state, JobState::Printed);
    }
}
