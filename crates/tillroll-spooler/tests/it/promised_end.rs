//! Each kind of printer brings a receipt to the end it can promise.

use tillroll_domain::print_job::{Confirmation, JobReason, JobState, Verb};
use tillroll_domain::printer::Unproven;
use tillroll_paper::{Behaviour, Personality};
use tillroll_testkit::receipts;

use crate::bench::{Bench, REPRINT, paper};

#[tokio::test]
async fn device_that_proves_brings_the_receipt_to_printed_with_its_own_proof() {
    for (personality, proof) in [
        (Personality::Token, Confirmation::Token),
        (Personality::Counter, Confirmation::Counter),
        (Personality::InOrder, Confirmation::InOrder),
    ] {
        let bench = Bench::new();
        let device = bench.device(personality).await;
        for receipt in [receipts::simple(1), receipts::restaurant_bill()] {
            let id = bench.submit(&device.printer, &receipt).await;
            let job = bench.settled(&id).await;
            assert_eq!((job.state, job.confirmation), (JobState::Printed, Some(proof)));
            assert_eq!(job.attempts, 1);
        }
        device.paper.wait_for_tickets(2, crate::bench::LIMIT).await.expect("tickets");
        assert_eq!(device.count("Sandwich"), 1);
    }
}

#[tokio::test]
async fn device_that_cannot_confirm_leaves_the_question_or_its_owners_trust() {
    for personality in [Personality::Realtime, Personality::Silent] {
        let bench = Bench::new();
        let device = bench.device(personality).await;
        let id = bench.submit(&device.printer, &receipts::simple(1)).await;
        let job = bench.settled(&id).await;
        assert_eq!(job.state, JobState::Sent);
        assert_eq!(job.reason.map(JobReason::as_str), Some("cannot_confirm"));
        device.at_rest().await;
        assert_eq!(device.count("Sandwich"), 1);

        bench.answer(&id, Verb::NotOnPaper).await;
        assert_eq!(bench.settled(&id).await.state, JobState::Sent);
        device.at_rest().await;
        assert_eq!((device.count("Sandwich"), device.count(REPRINT)), (2, 1));
    }
}

#[tokio::test]
async fn trusted_device_that_cannot_confirm_prints_as_assumed() {
    for personality in [Personality::Realtime, Personality::Silent] {
        let bench = Bench::new();
        let (_paper, address) = paper::listening(Behaviour::new(personality)).await;
        let (uri, level) = (format!("tcp://{address}"), paper::level_of(personality));
        let printer = bench.printer(&uri, level, Unproven::Trust).await;
        let id = bench.submit(&printer, &receipts::simple(1)).await;
        let job = bench.settled(&id).await;
        assert_eq!((job.state, job.confirmation), (JobState::Printed, Some(Confirmation::Assumed)));
    }
}

#[tokio::test]
async fn modes_a_raw_job_leaves_on_do_not_reach_the_next_job() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    let raw = receipts::raw(1, b"\x1b!\x38\x1ba\x02LARGE\n\x1dVB\0");
    let first = bench.submit(&device.printer, &raw).await;
    bench.settled(&first).await;
    let second = bench.submit(&device.printer, &receipts::simple(2)).await;
    bench.settled(&second).await;
    let alone = Bench::new();
    let clean = alone.device(Personality::Token).await;
    alone.settled(&alone.submit(&clean.printer, &receipts::simple(2)).await).await;
    let text = |tickets: Vec<tillroll_paper::Ticket>| tickets.last().map(|ticket| ticket.text());
    assert_eq!(text(device.paper.tickets()), text(clean.paper.tickets()));
}
