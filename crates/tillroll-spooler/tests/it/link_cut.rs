//! The link cut at every byte of a small job, or at every command border of a whole receipt: the state
//! reached is the promised one, and a machine never begins a second ticket over one that may be on paper.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::print_job::{Confirmation, JobState, Verb};
use tillroll_domain::receipt::Receipt;
use tillroll_paper::{Behaviour, Fault, Personality};
use tillroll_spooler::Timings;
use tillroll_spooler::device::Limits;
use tillroll_store::JobRow;
use tillroll_testkit::{Break, ChaosProxy, Faults, Side, receipts};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::bench::{Bench, Device, LIMIT, REPRINT, borders, ms, paper, small, timings};

/// Runs under way at once.
const AT_ONCE: usize = 40;
/// Bytes of the questions behind a job.
const QUESTIONS: usize = 16;

/// What is cut, and where the first and the last line of the ticket are recognised.
#[derive(Clone)]
struct Job {
    receipt: Receipt,
    top: &'static str,
    end: &'static str,
}

/// Who cuts.
#[derive(Debug, Clone, Copy)]
enum Cut {
    Printer(Fault),
    Proxy(Faults),
}

fn small_job() -> Job {
    Job { receipt: small(1), top: "ticket top", end: "ticket end" }
}

fn whole_receipt() -> Job {
    Job { receipt: receipts::simple(1), top: "No. R1-000001", end: ":receipt:v1" }
}

/// Limits no run meets whose link tells of its end, but that of an answer: it is waited out after a torn
/// greeting, and after each torn job by a device that knows no clearing of its buffer.
fn told(personality: Personality) -> Timings {
    let clears = !matches!(personality, Personality::InOrder | Personality::Realtime);
    let device = Limits { close: ms(4_000), ..timings().device };
    let answer = if clears { ms(1_500) } else { ms(250) };
    let stale_after = Duration::from_secs(86_400);
    Timings { device, answer, proof: ms(8_000), evidence: LIMIT, stale_after, ..timings() }
}

/// Limits that end the runs of a cable that was pulled.
fn untold(personality: Personality) -> Timings {
    let device = Limits { close: ms(150), ..timings().device };
    Timings { device, answer: ms(700), proof: ms(1_000), ..told(personality) }
}

/// What went over the link of a job nobody cut: to the device, and back.
async fn uncut(personality: Personality, job: &Job) -> (Vec<u8>, Vec<u8>) {
    let bench = Bench::with(told(personality));
    let (device, proxy) = proxied(&bench, personality, None).await;
    let receipt = receipt_of_its_own(job, &device);
    let id = bench.submit(&device.printer, &receipt).await;
    bench.settled(&id).await;
    bench.spooler.stop_all(ms(1_000)).await;
    let exchange = proxy.exchanges().swap_remove(0);
    (exchange.up, exchange.down)
}

async fn proxied(
    bench: &Bench,
    personality: Personality,
    faults: Option<Faults>,
) -> (Device, ChaosProxy) {
    let (paper, address) = paper::listening(Behaviour::new(personality)).await;
    let proxy = ChaosProxy::start(address).await.expect("a proxy");
    faults.into_iter().for_each(|faults| proxy.next(faults));
    let uri = format!("tcp://{}", proxy.address());
    let printer = bench.printer(&uri, paper::level_of(personality), Default::default()).await;
    (Device { printer, paper }, proxy)
}

/// The job's receipt under a number of its own; all of the same length, so that positions stay.
fn receipt_of_its_own(job: &Job, device: &Device) -> Receipt {
    let order = format!("{}-{:0>5}", job.receipt.order_no, device.printer.settings.name.as_str());
    Receipt { order_no: order.parse().expect("an order number"), ..job.receipt.clone() }
}

/// Cuts a job in all these ways, each on a new printer.
async fn sweep(timings: Timings, personality: Personality, job: Job, cuts: Vec<Cut>) {
    assert!(cuts.len() >= 3, "too few cuts to mean anything");
    let bench = Arc::new(Bench::with(timings));
    let (mut runs, turns) = (JoinSet::new(), Arc::new(Semaphore::new(AT_ONCE)));
    for cut in cuts {
        let (bench, job, turns) = (Arc::clone(&bench), job.clone(), Arc::clone(&turns));
        runs.spawn(async move {
            let _turn = turns.acquire_owned().await.expect("a turn");
            run(&bench, personality, job, cut).await;
        });
    }
    while let Some(run) = runs.join_next().await {
        run.expect("every run holds");
    }
}

/// One job that is cut once.
async fn run(bench: &Bench, personality: Personality, mut job: Job, cut: Cut) {
    let (device, proxy) = match cut {
        Cut::Printer(fault) => {
            let device = bench.tcp_device(Behaviour::new(personality)).await;
            device.paper.fault(fault);
            (device, None)
        }
        Cut::Proxy(faults) => {
            let (device, proxy) = proxied(bench, personality, Some(faults)).await;
            (device, Some(proxy))
        }
    };
    job.receipt = receipt_of_its_own(&job, &device);
    let id = bench.submit(&device.printer, &job.receipt).await;
    let settled = bench.settled(&id).await;
    device.paper.clear_faults();
    let asked = matches!(settled.state, JobState::Unconfirmed | JobState::Sent);
    if asked {
        bench.answer(&id, Verb::NotOnPaper).await;
        let again = bench.settled(&id).await;
        assert!(matches!(again.state, JobState::Printed | JobState::Sent), "{cut:?}: {again:#?}");
    }
    bench.spooler.stop(device.printer.id, ms(1_000)).await;
    drop(proxy);
    judge(personality, &job, cut, &settled, &device.text());
}

/// The paper, held against what the register says of the job after the cut and before any answer.
fn judge(personality: Personality, job: &Job, cut: Cut, settled: &JobRow, paper: &str) {
    let (first, second) = paper.split_once(REPRINT).unwrap_or((paper, ""));
    let count = |text: &str, of: &str| of.matches(text).count();
    let (tops, ends) = (count(job.top, first), count(job.end, first));
    let told = format!("{personality:?} {cut:?}: {settled:#?}\n{paper}");
    assert!(tops <= 1, "a second ticket without an answer: {told}");
    match settled.state {
        JobState::Printed => {
            assert_eq!((tops, ends, second), (1, 1, ""), "{told}");
            let proof = settled.confirmation.expect("a proof");
            assert!(!matches!(proof, Confirmation::Assumed | Confirmation::Clerk), "{told}");
        }
        JobState::Sent | JobState::Unconfirmed => {
            assert_eq!((count(job.top, second), count(job.end, second)), (1, 1), "{told}");
        }
        JobState::Pending
        | JobState::Held
        | JobState::Printing
        | JobState::Failed
        | JobState::Skipped => panic!("neither printed nor asked: {told}"),
    }
    match personality {
        // It can tell afterwards: a person is asked only about a ticket that was begun.
        Personality::Token | Personality::Counter => {
            assert_ne!(settled.state, JobState::Sent, "{told}");
            assert!(settled.state == JobState::Printed || tops == 1, "{told}");
        }
        Personality::InOrder => assert_ne!(settled.state, JobState::Sent, "{told}"),
        Personality::Realtime | Personality::Silent => {
            assert_ne!(settled.state, JobState::Printed, "{told}");
        }
    }
    // One that can be asked how it is, and does not answer, has not taken the job.
    let pulled = matches!(cut, Cut::Printer(Fault::CutLinkAfterBytes(_)));
    let answered = personality == Personality::Realtime && settled.state == JobState::Sent;
    assert!(!(pulled && answered) || ends == 1, "{told}");
    // A reset tells that the end is lost; only an orderly end looks like a job well taken.
    let reset = matches!(cut, Cut::Printer(Fault::ResetAfterBytes(_)));
    assert!(!(reset && settled.state == JobState::Sent) || ends == 1, "{told}");
}

fn positions(stream: &[u8]) -> impl Iterator<Item = u64> {
    (0..=stream.len()).map(|at| at as u64)
}

fn by_printer(at: u64) -> [Cut; 2] {
    [Cut::Printer(Fault::ResetAfterBytes(at)), Cut::Printer(Fault::CloseAfterBytes(at))]
}

fn by_proxy(side: Side, at: u64) -> [Cut; 2] {
    [Break::Reset, Break::Close].map(|how| Cut::Proxy(Faults::cut(side, at, how)))
}

/// Where the job begins behind the greeting: at the last initialisation.
fn job_begins(up: &[u8]) -> u64 {
    up.windows(2).rposition(|bytes| bytes == b"\x1b@").unwrap_or(0) as u64
}

async fn at_every_byte(personality: Personality) {
    let job = small_job();
    let (up, down) = uncut(personality, &job).await;
    let begins = job_begins(&up);
    let in_job = |at: &u64| *at >= begins;
    let mut cuts: Vec<_> = positions(&up).flat_map(by_printer).collect();
    cuts.extend(positions(&up).filter(in_job).flat_map(|at| by_proxy(Side::Up, at)));
    cuts.extend(positions(&down).flat_map(|at| by_proxy(Side::Down, at)));
    sweep(told(personality), personality, job, cuts).await;
}

async fn at_every_border(personality: Personality) {
    let job = whole_receipt();
    let (up, _) = uncut(personality, &job).await;
    // What is asked behind the job is torn everywhere.
    let behind = positions(&up).skip(up.len().saturating_sub(QUESTIONS));
    let places: BTreeSet<u64> = borders(&up).into_iter().chain(behind).collect();
    let mut cuts: Vec<_> = places.iter().copied().flat_map(by_printer).collect();
    cuts.extend(places.iter().flat_map(|at| by_proxy(Side::Up, *at)));
    sweep(told(personality), personality, job, cuts).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn token_printer_cut_at_every_byte() {
    at_every_byte(Personality::Token).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_printer_cut_at_every_byte() {
    at_every_byte(Personality::Silent).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counter_printer_cut_at_every_command() {
    at_every_border(Personality::Counter).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_order_printer_cut_at_every_command() {
    at_every_border(Personality::InOrder).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn realtime_printer_cut_at_every_command() {
    at_every_border(Personality::Realtime).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cable_pulled_without_a_sign_at_every_border() {
    let mut sweeps = JoinSet::new();
    for personality in Personality::ALL {
        sweeps.spawn(async move {
            let job = small_job();
            let (up, _) = uncut(personality, &job).await;
            let cuts = borders(&up).into_iter().map(Fault::CutLinkAfterBytes).map(Cut::Printer);
            sweep(untold(personality), personality, job, cuts.collect()).await;
        });
    }
    while let Some(done) = sweeps.join_next().await {
        done.expect("every sweep holds");
    }
}
