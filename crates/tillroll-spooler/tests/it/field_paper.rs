//! Reports from the field about pictures, drawers, clocks and messages, with their inputs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use tillroll_domain::clock::{Clock, DUE_CLAMP};
use tillroll_domain::print_job::{JobReason, JobState, Verb};
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, StopReason, Unproven};
use tillroll_paper::{Behaviour, Fault, Paper, Personality, Pulse};
use tillroll_spooler::Timings;
use tillroll_store::{DrawerState, OpeningOutcome};
use tillroll_testkit::pictures::logo_png;
use tillroll_testkit::receipts;

use crate::bench::{Bench, Device, LIMIT, dropping, ms, timings};
use crate::support::Pty;

/// The one drawer pulse there is: 50 ms on, 500 ms off, at pin 2.
const PULSE: Pulse = Pulse { pin: 2, on_ms: 50, off_ms: 500 };

/// A very tall picture goes out in strips the device has room for, whole
/// (cognitivegears/ha-escpos-thermal-printer#45).
#[tokio::test]
async fn tall_picture_comes_out_whole_from_a_slow_printer() {
    let tall = BTreeMap::from([("shop".to_owned(), logo_png(576, 2_400))]);
    let bench = Bench::drawing(Timings { proof: LIMIT, ..timings() }, Arc::new(tall), || 0);
    let device = bench.tcp_device(Behaviour::new(Personality::Token)).await;
    device.paper.fault(Fault::SlowReading { bytes: 4_096, per: ms(50) });
    let mut receipt = receipts::simple(1);
    receipt.logo = Some("shop".parse().expect("a name"));
    let id = bench.submit(&device.printer, &receipt).await;
    assert_eq!(bench.settled(&id).await.state, JobState::Printed);
    let text = device.text();
    let strips = || text.lines().filter_map(|line| line.strip_prefix("[image 576x"));
    let rows = strips().map(|rows| rows.trim_end_matches(']').parse::<u32>().expect("rows"));
    assert_eq!(rows.clone().sum::<u32>(), 2_400, "{text}");
    let after = text.split_once("No. R1-000001").expect("the receipt").1;
    assert!(!after.contains("[image"), "text and picture are mixed: {text}");
}

/// A drawer pulse is five bytes, once, and eats nothing of the next job (lsongdev/node-escpos#151).
#[tokio::test]
async fn drawer_opens_once_with_five_bytes_and_the_next_receipt_is_intact() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    assert!(bench.open_drawer(&device.printer).await);
    device.paper.wait_until(LIMIT, |paper| paper.pulses().len() == 1).await.expect("a pulse");
    let mut new = bench.receipt(device.printer.id, &receipts::simple(5));
    new.drawer = false;
    let id = new.job_id.to_string();
    bench.spooler.record(new).await.expect("recorded");
    assert_eq!(bench.settled(&id).await.state, JobState::Printed);
    assert_eq!(device.paper.pulses(), [PULSE]);
    let bytes: Vec<u8> = device.received().into_iter().flat_map(|(_, bytes)| bytes).collect();
    let kicks = bytes.windows(5).filter(|bytes| *bytes == [0x1b, 0x70, 0, 0x19, 0xfa]).count();
    assert_eq!((kicks, bytes.windows(2).filter(|bytes| *bytes == [0x1b, 0x70]).count()), (1, 1));
    assert!(device.text().starts_with("No. R1-000005"));
}

#[tokio::test]
async fn drawer_opens_for_a_sale_and_neither_for_its_second_attempt_nor_for_its_copy() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    let first = bench.submit(&device.printer, &receipts::simple(1)).await;
    bench.settled(&first).await;
    assert_eq!(device.paper.pulses(), [PULSE]);
    bench.answer(&first, Verb::Copy).await;
    let copy = bench.settled(&format!("{first}:c1")).await;
    assert_eq!((copy.state, copy.drawer), (JobState::Printed, DrawerState::None));
    assert_eq!(device.paper.pulses().len(), 1);

    // The pulse goes out, and the link breaks before anything of the job.
    device.paper.fault(Fault::CloseAfterBytes(8));
    let second = bench.submit(&device.printer, &receipts::simple(2)).await;
    let job = bench.settled(&second).await;
    assert_eq!((job.state, job.attempts, job.drawer), (JobState::Printed, 2, DrawerState::Opened));
    assert_eq!(device.paper.pulses().len(), 2);
    assert_eq!(device.count("C O P Y"), 1);
}

#[tokio::test]
async fn drawer_stays_shut_when_the_printer_comes_back_late() {
    for restart in [false, true] {
        let bench = Bench::new();
        let device = bench.device(Personality::Token).await;
        device.paper.set_paper(Paper::End);
        let id = bench.submit(&device.printer, &receipts::simple(1)).await;
        bench.shows(&device.printer, |now| matches!(now.state, PrinterState::Stopped(_))).await;
        bench.clock.advance(Duration::from_secs(11));
        if restart {
            // The boot clock of the next run happens to show the second of the sale.
            bench.clock.restart();
            let accepted = Duration::from_secs(3_600);
            bench.clock.advance(accepted);
        }
        device.paper.set_paper(Paper::Ok);
        if bench.settled(&id).await.state == JobState::Held {
            bench.answer(&id, Verb::Print).await;
        }
        let job = bench.settled(&id).await;
        assert_eq!((job.state, job.drawer), (JobState::Printed, DrawerState::Dropped));
        assert!(device.paper.pulses().is_empty());
    }
}

#[tokio::test]
async fn drawer_that_was_asked_for_at_a_dead_printer_does_not_open_later() {
    let bench = Bench::new();
    let device = bench.tcp_device(Behaviour::new(Personality::Token)).await;
    device.paper.power_off();
    let id = bench.submit(&device.printer, &receipts::kitchen_order()).await;
    bench.shows(&device.printer, |now| matches!(now.state, PrinterState::Stopped(_))).await;
    // Asked for while the worker waits; whether it is dropped at once or when it is late, it never comes.
    bench.open_drawer(&device.printer).await;
    bench.clock.advance(Duration::from_secs(11));
    device.paper.power_on();
    assert_eq!(bench.settled(&id).await.state, JobState::Printed);
    assert!(device.paper.pulses().is_empty());
    assert_eq!(bench.openings().await, [OpeningOutcome::Dropped]);
}

#[tokio::test]
async fn what_became_of_an_opening_without_a_sale_is_recorded() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    assert!(bench.open_drawer(&device.printer).await);
    assert_eq!(bench.openings().await, [OpeningOutcome::Opened]);
    device.paper.set_paper(Paper::End);
    bench.shows(&device.printer, |now| matches!(now.state, PrinterState::Stopped(_))).await;
    assert!(bench.open_drawer(&device.printer).await);
    assert_eq!(bench.openings().await, [OpeningOutcome::Opened, OpeningOutcome::Dropped]);
    // A worker that ends with a pulse still asked of it gives none.
    let nobody = bench.printer("virtual:nobody", ConfirmationLevel::Token, Unproven::Ask).await;
    bench.shows(&nobody, |now| matches!(now.state, PrinterState::Stopped(_))).await;
    bench.open_drawer(&nobody).await;
    bench.spooler.stop(nobody.id, LIMIT).await;
    assert_eq!(bench.openings().await[2], OpeningOutcome::Dropped);
    assert_eq!(device.paper.pulses().len(), 1);
}

/// A job with one attempt that left nothing on paper, waiting for its next try.
async fn waiting_for_its_next_try(bench: &Bench) -> (Device, String) {
    let device = bench.device(Personality::Token).await;
    let first = bench.submit(&device.printer, &receipts::kitchen_order()).await;
    bench.settled(&first).await;
    device.paper.fault(Fault::CloseAfterBytes(3));
    let mut second = receipts::kitchen_order();
    second.order_no = "second".parse().expect("an order number");
    let id = bench.submit(&device.printer, &second).await;
    let waits = bench.until(&id, |job| job.state == JobState::Pending && job.attempts == 1).await;
    assert!(waits.due_at > Some(bench.clock.now()));
    (device, id)
}

/// The clock is set right while a retry waits: no storm, and no wait of days (odoo/odoo#271581).
#[tokio::test]
async fn retry_waits_neither_for_days_nor_storms_when_the_clock_is_set() {
    for hours in [-72, 72] {
        let bench = Bench::new();
        let (device, id) = waiting_for_its_next_try(&bench).await;
        bench.clock.jump(SignedDuration::from_hours(hours));
        bench.store.feed().wake(device.printer.id);
        let soon = bench.clock.now() + DUE_CLAMP;
        bench.until(&id, |job| job.due_at.is_none_or(|due| due <= soon)).await;
        bench.clock.advance(DUE_CLAMP);
        bench.store.feed().wake(device.printer.id);
        let job = bench.until(&id, |job| job.state == JobState::Printed).await;
        assert_eq!(job.attempts, 2, "{hours}");
    }
}

#[tokio::test]
async fn backlog_of_half_an_hour_is_held_when_its_printer_returns() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    device.paper.set_paper(Paper::End);
    let old = bench.submit(&device.printer, &receipts::simple(1)).await;
    bench.shows(&device.printer, |now| matches!(now.state, PrinterState::Stopped(_))).await;
    bench.clock.advance(Duration::from_secs(31 * 60));
    let fresh = bench.submit(&device.printer, &receipts::simple(2)).await;
    device.paper.set_paper(Paper::Ok);
    let held = bench.settled(&old).await;
    assert_eq!(held.state, JobState::Held);
    assert_eq!(held.reason.map(JobReason::as_str), Some("stale"));
    assert_eq!(bench.settled(&fresh).await.state, JobState::Printed);
    bench.answer(&old, Verb::Print).await;
    assert_eq!(bench.settled(&old).await.state, JobState::Printed);
    assert_eq!(device.count(crate::bench::REPRINT), 0);
}

#[tokio::test]
async fn backlog_only_looks_old_when_the_clock_was_set_and_prints() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    device.paper.set_paper(Paper::End);
    let id = bench.submit(&device.printer, &receipts::simple(1)).await;
    bench.shows(&device.printer, |now| matches!(now.state, PrinterState::Stopped(_))).await;
    bench.clock.jump(SignedDuration::from_hours(72));
    device.paper.set_paper(Paper::Ok);
    assert_eq!(bench.settled(&id).await.state, JobState::Printed);
}

/// Each cause has its own name and its own advice (FreeOpenSourcePOS/FloCafe#532).
#[tokio::test]
async fn every_cause_is_told_apart_with_its_own_advice() {
    let bench = Bench::with(Timings { answer: ms(100), ..timings() });
    let nowhere = dropping().await;
    let closed = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        listener.local_addr().expect("an address")
    };
    let pty = Pty::open();
    let serial = format!("serial://{}?baud=9600", pty.path().display());
    let limits = timings().device;
    let uri = serial.parse().expect("a device URI");
    let _held = tillroll_spooler::device::open(&uri, &limits, &bench.virtuals).await.expect("open");
    let mut reasons = vec![
        (format!("tcp://{closed}"), StopReason::Refused),
        (format!("tcp://{}", nowhere.address), StopReason::TimedOut),
        (format!("tcp://{}", "a".repeat(64)), StopReason::UnknownHost),
        // No way leads to a group of hosts, and nobody may write what the kernel is called.
        ("tcp://224.0.0.1".to_owned(), StopReason::Unreachable),
        ("lp:///proc/sys/kernel/ostype".to_owned(), StopReason::Permission),
        ("virtual:nobody".to_owned(), StopReason::NotFound),
        (serial, StopReason::Busy),
    ];
    for (name, out_of_order) in [("paper", StopReason::PaperEnd), ("cover", StopReason::CoverOpen)]
    {
        let paper = crate::bench::paper::virtual_printer(Behaviour::new(Personality::Token));
        paper.set_cover(out_of_order == StopReason::CoverOpen);
        paper.set_paper(if out_of_order == StopReason::PaperEnd { Paper::End } else { Paper::Ok });
        bench.virtuals.insert(name, paper);
        reasons.push((format!("virtual:{name}"), out_of_order));
    }
    let mut advice = BTreeSet::new();
    for (n, (uri, reason)) in (1..).zip(&reasons) {
        let printer = bench.printer(uri, ConfirmationLevel::Token, Unproven::Ask).await;
        bench.submit(&printer, &receipts::simple(n)).await;
        bench.shows(&printer, |now| now.state == PrinterState::Stopped(*reason)).await;
        advice.insert(reason.advice());
    }
    assert_eq!(advice.len(), reasons.len());
}
