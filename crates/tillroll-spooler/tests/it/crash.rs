//! The program ends at any moment: what was at the device is judged by evidence, or asked; never twice.

use std::net::SocketAddr;

use tillroll_domain::print_job::{Confirmation, JobReason, JobState};
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, StopReason, Unproven};
use tillroll_paper::{Behaviour, Fault, Paper, Personality, VirtualPrinter};
use tillroll_spooler::Timings;
use tillroll_testkit::{Break, ChaosProxy, Faults, ManualClock, Side, receipts};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::runtime;

use crate::bench::{Bench, Device, LIMIT, ms, paper, timings};

const RECEIPTS: u32 = 4;

/// What a program that crashed left behind.
struct Left {
    folder: tempfile::TempDir,
    clock: ManualClock,
    accepted: Vec<String>,
}

/// Runs a register until its printer has received so many bytes, then ends it where it stands: every
/// task stops at its next wait, nothing is closed in order.
fn run_and_crash(
    paper: &VirtualPrinter,
    address: SocketAddr,
    level: ConfirmationLevel,
    at: u64,
) -> Left {
    let runtime = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let (bench, accepted) = runtime.block_on(async {
        let bench = Bench::with(limits_of(level));
        let printer = bench.printer(&format!("tcp://{address}"), level, Unproven::Ask).await;
        let mut accepted = Vec::new();
        let selling = async {
            for n in 1..=RECEIPTS {
                accepted.push(bench.submit(&printer, &receipts::simple(n)).await);
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = selling => {}
            reached = paper.wait_until(LIMIT, |paper| paper.counters().bytes >= at) => {
                reached.expect("the moment comes");
            }
        }
        (bench, accepted)
    });
    drop(runtime);
    let (folder, clock) = bench.close();
    Left { folder, clock, accepted }
}

fn limits() -> Timings {
    Timings { answer: ms(300), ..timings() }
}

/// A device that cannot clear its buffer leaves one question unanswered at each new start.
fn limits_of(level: ConfirmationLevel) -> Timings {
    let answer = if level == ConfirmationLevel::InOrder { ms(100) } else { ms(300) };
    Timings { answer, ..timings() }
}

/// Starts again; every receipt that was accepted is on paper once, or asked about.
async fn judge(left: Left, personality: Personality, device: &VirtualPrinter, at: u64) {
    let bench = Bench::reopen(left.folder, left.clock, limits_of(paper::level_of(personality)));
    let printer = bench.store.printers().await.expect("read").remove(0);
    bench.spooler.start(printer.clone()).expect("a worker");
    let device = Device { printer, paper: device.clone() };
    let mut asked = 0;
    for id in &left.accepted {
        let job = bench.settled(id).await;
        let (begun, told) = (device.count(&format!("No. {}", job.job_id.order)), device.text());
        match job.state {
            JobState::Printed => assert_eq!(begun, 1, "{at}: {job:#?}\n{told}"),
            JobState::Unconfirmed => {
                asked += 1;
                assert!(begun <= 1, "{at}: {job:#?}\n{told}");
                let proves = matches!(personality, Personality::Token | Personality::Counter);
                assert!(!proves || begun == 1, "it could have told: {at}: {job:#?}\n{told}");
            }
            JobState::Pending
            | JobState::Held
            | JobState::Printing
            | JobState::Sent
            | JobState::Failed
            | JobState::Skipped => panic!("{at}: {job:#?}"),
        }
    }
    assert!(asked <= 1, "only the job at the device is in doubt");
    bench.spooler.stop_all(ms(2_000)).await;
}

async fn crash_everywhere(personality: Personality, moments: u64) {
    let whole = {
        let (paper, address) = paper::listening(Behaviour::new(personality)).await;
        let bench = Bench::with(limits());
        let level = paper::level_of(personality);
        let printer = bench.printer(&format!("tcp://{address}"), level, Unproven::Ask).await;
        for n in 1..=RECEIPTS {
            bench.settled(&bench.submit(&printer, &receipts::simple(n)).await).await;
        }
        paper.counters().bytes
    };
    for moment in 0..moments {
        let at = whole * moment / moments;
        let (paper, address) = paper::listening(Behaviour::new(personality)).await;
        let (device, level) = (paper.clone(), paper::level_of(personality));
        let crashed =
            tokio::task::spawn_blocking(move || run_and_crash(&device, address, level, at));
        let left = crashed.await.expect("crashed as planned");
        judge(left, personality, &paper, at).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn token_printer_tells_what_became_of_the_interrupted_job() {
    crash_everywhere(Personality::Token, 16).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counter_printer_tells_what_became_of_the_interrupted_job() {
    crash_everywhere(Personality::Counter, 16).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_interrupted_at_a_printer_that_cannot_tell_is_asked_about() {
    crash_everywhere(Personality::InOrder, 8).await;
}

#[tokio::test]
async fn stop_in_the_middle_of_a_job_takes_its_limit_and_leaves_the_judgement_to_the_next_start() {
    let bench = Bench::with(limits());
    let (paper, address) = paper::listening(Behaviour::new(Personality::Token)).await;
    let uri = format!("tcp://{address}");
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    paper.fault(Fault::PaperEndAfterLines(4));
    let id = bench.submit(&printer, &receipts::simple(1)).await;
    bench.shows(&printer, |now| now.mid_job_cause.is_some()).await;
    let begun = std::time::Instant::now();
    bench.spooler.stop_all(ms(200)).await;
    assert!(begun.elapsed() < ms(2_000));
    assert_eq!(bench.story(&id).await.job.state, JobState::Printing);

    // The link is closed, so that the next start meets a printer that is free.
    bench.spooler.start(printer.clone()).expect("a worker");
    let job = bench.settled(&id).await;
    assert_eq!(job.state, JobState::Unconfirmed);
    assert_eq!(job.reason.map(JobReason::as_str), Some("interrupted"));
}

#[tokio::test]
async fn late_token_settles_an_unconfirmed_job() {
    let bench = Bench::with(limits());
    let behaviour = Behaviour { clear_buffer: false, ..Behaviour::new(Personality::Token) };
    let (paper, address) = paper::listening(behaviour).await;
    let proxy = ChaosProxy::start(address).await.expect("a proxy");
    let uri = format!("tcp://{}", proxy.address());
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    paper.fault(Fault::PaperEndAfterLines(4));
    let id = bench.submit(&printer, &receipts::simple(1)).await;
    bench.shows(&printer, |now| now.mid_job_cause.is_some()).await;
    proxy.sever(Break::Reset);
    assert_eq!(bench.settled(&id).await.state, JobState::Unconfirmed);
    paper.set_paper(Paper::Ok);
    let job = bench.until(&id, |job| job.state == JobState::Printed).await;
    assert_eq!((job.confirmation, job.attempts), (Some(Confirmation::Token), 1));
}

#[tokio::test]
async fn late_token_is_heard_though_the_next_job_waits_already() {
    let bench = Bench::with(limits());
    let behaviour = Behaviour { clear_buffer: false, ..Behaviour::new(Personality::Token) };
    let (paper, address) = paper::listening(behaviour).await;
    let proxy = ChaosProxy::start(address).await.expect("a proxy");
    let uri = format!("tcp://{}", proxy.address());
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    paper.fault(Fault::PaperEndAfterLines(4));
    let torn = bench.submit(&printer, &receipts::simple(1)).await;
    let next = bench.submit(&printer, &receipts::simple(2)).await;
    bench.shows(&printer, |now| now.mid_job_cause.is_some()).await;
    proxy.sever(Break::Reset);
    assert_eq!(bench.settled(&torn).await.state, JobState::Unconfirmed);
    let stopped = PrinterState::Stopped(StopReason::PaperEnd);
    bench.shows(&printer, |now| now.state == stopped).await;
    paper.set_paper(Paper::Ok);
    for id in [torn, next] {
        let job = bench.until(&id, |job| job.state == JobState::Printed).await;
        assert_eq!((job.confirmation, job.attempts), (Some(Confirmation::Token), 1));
    }
}

#[tokio::test]
async fn stop_while_evidence_is_sought_leaves_the_judgement_to_the_next_start() {
    let bench = Bench::with(Timings { evidence: LIMIT, ..limits() });
    let (device, proxy, id) = printed_and_unanswered(&bench).await;
    let unreachable = |state| matches!(state, PrinterState::Stopped(_));
    bench.shows(&device.printer, |now| unreachable(now.state)).await;
    bench.spooler.stop_all(ms(2_000)).await;
    assert_eq!(bench.story(&id).await.job.state, JobState::Printing);
    proxy.refuse(false).await;
    device.paper.clear_faults();
    bench.spooler.start(device.printer.clone()).expect("a worker");
    let job = bench.settled(&id).await;
    assert_eq!((job.state, job.confirmation), (JobState::Printed, Some(Confirmation::Counter)));
}

/// A job all of which is printed, the answers lost, and the printer away.
async fn printed_and_unanswered(bench: &Bench) -> (Device, ChaosProxy, String) {
    let (paper, address) = paper::listening(Behaviour::new(Personality::Token)).await;
    let proxy = ChaosProxy::start(address).await.expect("a proxy");
    let uri = format!("tcp://{}", proxy.address());
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    let warm = bench.submit(&printer, &receipts::simple(1)).await;
    bench.settled(&warm).await;
    paper.fault(Fault::MuteReplies);
    let id = bench.record(&printer, &receipts::simple(2)).await;
    paper.wait_for_tickets(2, LIMIT).await.expect("printed");
    proxy.refuse(true).await;
    proxy.sever(Break::Reset);
    (Device { printer, paper }, proxy, id)
}

#[tokio::test]
async fn printer_that_comes_back_late_proves_by_its_counters() {
    let bench = Bench::with(Timings { evidence: ms(50), ..limits() });
    let (device, proxy, id) = printed_and_unanswered(&bench).await;
    assert_eq!(bench.settled(&id).await.state, JobState::Unconfirmed);
    device.paper.clear_faults();
    let next = bench.submit(&device.printer, &receipts::simple(3)).await;
    proxy.refuse(false).await;
    let job = bench.until(&id, |job| job.state == JobState::Printed).await;
    assert_eq!(job.confirmation, Some(Confirmation::Counter));
    assert_eq!(bench.settled(&next).await.state, JobState::Printed);
}

#[tokio::test]
async fn counters_of_a_printer_that_was_away_for_long_prove_nothing() {
    let bench = Bench::with(Timings { evidence: ms(50), ..limits() });
    let (device, proxy, id) = printed_and_unanswered(&bench).await;
    assert_eq!(bench.settled(&id).await.state, JobState::Unconfirmed);
    device.paper.clear_faults();
    bench.clock.advance(std::time::Duration::from_secs(120));
    let next = bench.submit(&device.printer, &receipts::simple(3)).await;
    proxy.refuse(false).await;
    assert_eq!(bench.settled(&next).await.state, JobState::Printed);
    let job = bench.story(&id).await.job;
    assert_eq!(job.state, JobState::Unconfirmed, "it may have been another host's ticket");
}

#[tokio::test]
async fn cut_of_another_host_proves_nothing_of_a_torn_job() {
    let bench = Bench::with(Timings { idle_close: ms(30), ..limits() });
    let (paper, address) = paper::listening(Behaviour::new(Personality::Token)).await;
    let proxy = ChaosProxy::start(address).await.expect("a proxy");
    let uri = format!("tcp://{}", proxy.address());
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    proxy.next(Faults::cut(Side::Up, 250, Break::Reset));
    let id = bench.submit(&printer, &receipts::simple(1)).await;
    assert_eq!(bench.settled(&id).await.state, JobState::Unconfirmed);
    let all_closed = |links: &[tillroll_testkit::Exchange]| links.iter().all(|link| link.closed);
    assert!(proxy.until(LIMIT, all_closed).await, "the idle link is closed");

    let mut other = TcpStream::connect(address).await.expect("served");
    other.write_all(b"of another host\n\x1dVB\0").await.expect("printed");
    paper.wait_for_tickets(1, LIMIT).await.expect("cut");
    drop(other);
    let next = bench.submit(&printer, &receipts::simple(2)).await;
    assert_eq!(bench.settled(&next).await.state, JobState::Printed);
    assert_eq!(bench.story(&id).await.job.state, JobState::Unconfirmed);
}
