//! Paper, cover, cutter: before a job the printer stops and the job waits; in mid-job the cause is shown
//! and the printer goes on by itself.

use tillroll_domain::print_job::{JobReason, JobState};
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, StopReason, Unproven};
use tillroll_paper::{Behaviour, DeviceError, Fault, Paper, Personality, VirtualPrinter};
use tillroll_spooler::Timings;
use tillroll_testkit::receipts;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;

use crate::bench::{Bench, Device, LIMIT, ms, timings};

/// Personalities that tell what is wrong with them.
const TELLING: [Personality; 4] =
    [Personality::Token, Personality::Counter, Personality::InOrder, Personality::Realtime];

/// The automatic status of a printer whose cover is open (Epson, `GS a`).
const COVER_OPEN: [u8; 4] = [0x38, 0, 0, 0];

type Change = fn(&VirtualPrinter);

/// What goes wrong, how it is shown, and how it is put right.
const CONDITIONS: [(Change, StopReason, Change); 4] = [
    (|paper| paper.set_paper(Paper::End), StopReason::PaperEnd, |paper| paper.set_paper(Paper::Ok)),
    (|paper| paper.set_cover(true), StopReason::CoverOpen, |paper| paper.set_cover(false)),
    (
        |paper| paper.set_error(Some(DeviceError::Cutter)),
        StopReason::CutterError,
        |paper| paper.set_error(None),
    ),
    (|paper| paper.set_offline(true), StopReason::Offline, |paper| paper.set_offline(false)),
];

/// The state that a clean job reaches at once on such a device.
fn clean(personality: Personality) -> JobState {
    match personality {
        Personality::Token | Personality::Counter | Personality::InOrder => JobState::Printed,
        Personality::Realtime | Personality::Silent => JobState::Sent,
    }
}

#[tokio::test]
async fn job_waits_for_a_stopped_printer_without_an_attempt_and_prints_by_itself() {
    let bench = Bench::new();
    for personality in TELLING {
        for (stop, reason, go_on) in CONDITIONS {
            let device = bench.device(personality).await;
            stop(&device.paper);
            let id = waiting_job(&bench, &device, reason).await;
            go_on(&device.paper);
            let job = bench.settled(&id).await;
            assert_eq!((job.state, job.attempts), (clean(personality), 1), "{personality:?}");
            assert_eq!(device.count("Sandwich"), 1);
        }
    }
}

/// Submits a receipt of its own and waits until its printer shows why it does not print.
async fn waiting_job(bench: &Bench, device: &Device, reason: StopReason) -> String {
    let mut receipt = receipts::simple(1);
    receipt.order_no = device.printer.settings.name.clone();
    let id = bench.submit(&device.printer, &receipt).await;
    bench.shows(&device.printer, |now| now.state == PrinterState::Stopped(reason)).await;
    let job = bench.story(&id).await.job;
    assert_eq!((job.state, job.attempts), (JobState::Pending, 0));
    id
}

#[tokio::test]
async fn device_that_was_blocked_when_greeted_proves_with_its_counters_afterwards() {
    let bench = Bench::new();
    let device = bench.device(Personality::Counter).await;
    device.paper.set_paper(Paper::End);
    let id = waiting_job(&bench, &device, StopReason::PaperEnd).await;
    device.paper.set_paper(Paper::Ok);
    let job = bench.settled(&id).await;
    let proof = job.confirmation.map(tillroll_domain::print_job::Confirmation::as_str);
    assert_eq!(proof, Some("counter"));
}

#[tokio::test]
async fn paper_end_in_mid_job_is_shown_and_the_job_goes_on_by_itself() {
    let bench = Bench::new();
    for personality in TELLING {
        let device = bench.device(personality).await;
        device.paper.fault(Fault::PaperEndAfterLines(4));
        let mut receipt = receipts::simple(1);
        receipt.order_no = device.printer.settings.name.clone();
        let id = bench.submit(&device.printer, &receipt).await;
        let shown = bench.shows(&device.printer, |now| now.mid_job_cause.is_some()).await;
        assert_eq!(shown.mid_job_cause, Some(StopReason::PaperEnd));
        assert_eq!(shown.job_id.as_deref(), Some(id.as_str()));
        assert_eq!(bench.story(&id).await.job.state, JobState::Printing);
        device.paper.set_paper(Paper::Ok);
        let job = bench.settled(&id).await;
        assert_eq!((job.state, job.attempts), (clean(personality), 1), "{personality:?}");
        let shown = bench.shows(&device.printer, |now| now.job_id.is_none()).await;
        assert_eq!(shown.mid_job_cause, None);
        assert_eq!((device.count("No. "), device.count("Sandwich")), (1, 1));
    }
}

#[tokio::test]
async fn paper_that_does_not_come_in_time_leaves_a_question_and_an_empty_buffer() {
    let bench = Bench::with(Timings { mid_job_wait: ms(150), ..timings() });
    let device = bench.tcp_device(Behaviour::new(Personality::Token)).await;
    device.paper.fault(Fault::PaperEndAfterLines(4));
    let first = bench.submit(&device.printer, &receipts::simple(1)).await;
    let job = bench.settled(&first).await;
    assert_eq!(job.state, JobState::Unconfirmed);
    assert_eq!(job.reason.map(JobReason::as_str), Some("paper_end"));

    let second = bench.submit(&device.printer, &receipts::simple(2)).await;
    let stopped = PrinterState::Stopped(StopReason::PaperEnd);
    bench.shows(&device.printer, |now| now.state == stopped).await;
    device.paper.set_paper(Paper::Ok);
    assert_eq!(bench.settled(&second).await.state, JobState::Printed);
    device.paper.wait_for_tickets(1, LIMIT).await.expect("a ticket");
    assert_eq!(device.count("R1-000001:receipt"), 0, "the end of the first came out after all");
    assert_eq!(device.count("R1-000002:receipt"), 1);
}

#[tokio::test]
async fn device_that_cannot_clear_still_says_why_it_waits_after_a_torn_job() {
    let bench = Bench::with(Timings { mid_job_wait: ms(600), answer: ms(400), ..timings() });
    // It takes its time, so that it answers for the first job when it is asked about the second.
    let slow = Behaviour { dots_per_second: Some(3_000), ..Behaviour::new(Personality::InOrder) };
    let device = bench.tcp_device(slow).await;
    device.paper.fault(Fault::PaperEndAfterLines(4));
    let first = bench.submit(&device.printer, &receipts::simple(1)).await;
    assert_eq!(bench.settled(&first).await.state, JobState::Unconfirmed);
    let second = bench.submit(&device.printer, &receipts::simple(2)).await;
    let stopped = PrinterState::Stopped(StopReason::PaperEnd);
    bench.shows(&device.printer, |now| now.state == stopped).await;
    // The first one comes out of the buffer and answers for itself; the second stops in its middle and
    // waits for its own answer.
    device.paper.fault(Fault::SlowReading { bytes: 2_048, per: ms(5) });
    device.paper.fault(Fault::PaperEndAfterLines(14));
    device.paper.set_paper(Paper::Ok);
    let shown = bench.shows(&device.printer, |now| now.mid_job_cause.is_some()).await;
    assert_eq!(shown.job_id.as_deref(), Some(second.as_str()));
    device.paper.set_paper(Paper::Ok);
    let job = bench.settled(&second).await;
    assert_eq!((job.state, job.attempts), (JobState::Printed, 1));
    assert_eq!((device.count("No. R1-000001"), device.count("No. R1-000002")), (1, 1));
    assert_eq!(bench.story(&first).await.job.state, JobState::Unconfirmed);
}

#[tokio::test]
async fn idle_printer_shows_that_its_paper_ended_and_came_back() {
    let bench = Bench::new();
    let device = bench.device(Personality::Token).await;
    let id = bench.submit(&device.printer, &receipts::simple(1)).await;
    bench.settled(&id).await;
    device.paper.set_paper(Paper::NearEnd);
    bench.shows(&device.printer, |now| now.paper_near_end).await;
    device.paper.set_paper(Paper::End);
    let stopped = PrinterState::Stopped(StopReason::PaperEnd);
    bench.shows(&device.printer, |now| now.state == stopped).await;
    device.paper.set_paper(Paper::Ok);
    bench.is_idle(&device.printer).await;
}

#[tokio::test]
async fn blocked_printer_that_falls_silent_is_no_longer_shown_as_blocked() {
    let bench = Bench::with(Timings { answer: ms(100), ..timings() });
    let device = bench.tcp_device(Behaviour::new(Personality::Token)).await;
    device.paper.set_paper(Paper::End);
    waiting_job(&bench, &device, StopReason::PaperEnd).await;
    device.paper.power_off();
    bench
        .shows(&device.printer, |now| {
            matches!(now.state, PrinterState::Stopped(StopReason::TimedOut | StopReason::Refused))
        })
        .await;
}

/// Each question has three bytes: the cable is pulled in the middle of the greeting, and plugged in again when
/// the cause is over.
#[tokio::test]
async fn what_a_printer_told_before_its_cable_was_pulled_is_not_believed_for_ever() {
    let bench = Bench::with(Timings { answer: ms(100), ..timings() });
    for bytes in 3..14 {
        let device = bench.tcp_device(Behaviour::new(Personality::Token)).await;
        device.paper.set_cover(true);
        device.paper.fault(Fault::CutLinkAfterBytes(bytes));
        let mut receipt = receipts::simple(1);
        receipt.order_no = device.printer.settings.name.clone();
        let id = bench.submit(&device.printer, &receipt).await;
        let stopped = |state| matches!(state, PrinterState::Stopped(_));
        bench.shows(&device.printer, |now| stopped(now.state)).await;
        device.paper.set_cover(false);
        device.paper.clear_faults();
        assert_eq!(bench.settled(&id).await.state, JobState::Printed, "{bytes} bytes");
        assert_eq!(device.count("Sandwich"), 1);
    }
}

/// One of the kind that tells its status by itself and knows no question: a link over which it told something
/// may be dead.
#[tokio::test]
async fn what_a_printer_told_that_knows_no_question_is_asked_anew_on_another_link() {
    let bench = Bench::with(Timings { answer: ms(50), ..timings() });
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let uri = format!("tcp://{}", listener.local_addr().expect("an address"));
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    bench.submit(&printer, &receipts::simple(1)).await;
    let (mut first, _) = listener.accept().await.expect("a link");
    first.write_all(&COVER_OPEN).await.expect("told");
    let stopped = PrinterState::Stopped(StopReason::CoverOpen);
    bench.shows(&printer, |now| now.state == stopped).await;
    tokio::time::timeout(LIMIT, listener.accept()).await.expect("a new link").expect("a link");
}
