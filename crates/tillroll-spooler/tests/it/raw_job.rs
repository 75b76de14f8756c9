//! Ready-made jobs of a POS: proved where everything in them is known, else as on a printer that cannot
//! confirm.

use tillroll_domain::print_job::{Confirmation, JobState, Verb};
use tillroll_escpos::compose::Locale;
use tillroll_paper::Personality;
use tillroll_testkit::receipts;

use crate::bench::{Bench, REPRINT};

/// Not a command of any printer known here.
const UNKNOWN: &[u8] = b"\x1b\x7fstrange\nraw end\n\x1dVB\0";

#[tokio::test]
async fn understood_job_is_proved_and_cannot_spoil_the_proof() {
    let bench = Bench::new();
    let job = b"\x1b@\x1da\0raw top\n\x10\x04\x01raw end\n\x1bp\0\x19\xfa\x1dVB\0";
    for personality in [Personality::Token, Personality::Counter, Personality::InOrder] {
        let device = bench.device(personality).await;
        let mut receipt = receipts::raw(1, job);
        receipt.order_no = device.printer.settings.name.clone();
        let id = bench.submit(&device.printer, &receipt).await;
        let settled = bench.settled(&id).await;
        let proof = settled.confirmation.map(Confirmation::as_str);
        assert_eq!(proof, Some(personality.name()), "{settled:#?}");
        assert_eq!((device.count("raw top"), device.count("raw end")), (1, 1));
        assert!(device.paper.pulses().is_empty(), "the drawer belongs to the register");
    }
}

#[tokio::test]
async fn job_with_unknown_commands_is_not_proved_by_any_device() {
    let bench = Bench::new();
    for personality in [Personality::Token, Personality::Counter, Personality::InOrder] {
        let device = bench.device(personality).await;
        let mut receipt = receipts::raw(1, UNKNOWN);
        receipt.order_no = device.printer.settings.name.clone();
        let id = bench.submit(&device.printer, &receipt).await;
        assert_eq!(bench.settled(&id).await.state, JobState::Sent);
        // Counters that moved in the meantime prove nothing of it, now or on a later link.
        let mut next = receipts::simple(2);
        next.order_no = format!("next-{personality:?}").parse().expect("an order number");
        let next = bench.submit(&device.printer, &next).await;
        assert_eq!(bench.settled(&next).await.state, JobState::Printed);
        assert_eq!(bench.story(&id).await.job.state, JobState::Sent);
    }
}

#[tokio::test]
async fn raw_job_behind_a_mark_begins_on_a_device_just_initialised() {
    for personality in [Personality::Token, Personality::Silent] {
        let bench = Bench::speaking(Locale::Fr);
        let device = bench.device(personality).await;
        let id = bench.submit(&device.printer, &receipts::raw(1, b"raw only\n\x1dVB\0")).await;
        let first = bench.settled(&id).await;
        let (verb, again) = if first.state == JobState::Sent {
            (Verb::NotOnPaper, id.clone())
        } else {
            (Verb::Copy, format!("{id}:c1"))
        };
        bench.answer(&id, verb).await;
        let job = bench.settled(&again).await;
        assert_ne!(job.state, JobState::Unconfirmed, "the proof is as good as without a mark");
        assert_eq!(job.confirmation.is_some(), first.confirmation.is_some());
        let bytes: Vec<u8> = device.received().into_iter().flat_map(|(_, bytes)| bytes).collect();
        let places = |what: &[u8]| -> Vec<usize> {
            let windows = bytes.windows(what.len()).enumerate();
            windows.filter(|(_, window)| *window == what).map(|(at, _)| at).collect()
        };
        let raw = *places(b"raw only").last().expect("printed again");
        let mark =
            places(b"\x1bt").into_iter().chain(places(b"\x1c.")).filter(|at| *at < raw).max();
        let initialised = places(b"\x1b@").into_iter().rfind(|at| *at < raw).expect("ESC @");
        let between = mark.map(|mark| mark < initialised);
        assert_ne!(between, Some(false), "the mark's code page is still set: {personality:?}");
    }
}

#[tokio::test]
async fn mark_of_a_second_stream_goes_before_a_raw_job() {
    let bench = Bench::new();
    let device = bench.device(Personality::Silent).await;
    let id = bench.submit(&device.printer, &receipts::raw(1, b"raw only\n\x1dVB\0")).await;
    bench.settled(&id).await;
    bench.answer(&id, Verb::NotOnPaper).await;
    bench.settled(&id).await;
    let tickets = device.paper.wait_for_tickets(2, crate::bench::LIMIT).await.expect("tickets");
    let second = tickets[1].text();
    assert!(second.trim_start().starts_with(REPRINT) && second.contains("raw only"), "{second}");
    assert!(!tickets[0].text().contains(REPRINT));
}
