//! A printer that cannot be reached costs only its own jobs, backs off, and comes back by itself.

use std::time::{Duration, Instant};

use tillroll_domain::clock::Clock;
use tillroll_domain::print_job::JobState;
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, StopReason, Unproven};
use tillroll_domain::retry::Schedule;
use tillroll_paper::{Behaviour, Connections, Personality, VirtualPrinter};
use tillroll_spooler::Timings;
use tillroll_testkit::{ChaosProxy, Faults, receipts};
use tokio::net::TcpStream;

use crate::bench::{Bench, LIMIT, dropping, ms, paper, timings};

/// One dead printer stops no other (itpp-labs/pos-addons#1115).
#[tokio::test]
async fn printer_that_drops_packets_costs_only_its_own_jobs() {
    let bench = Bench::new();
    let dead = dropping().await;
    let a = bench.tcp_device(Behaviour::new(Personality::Token)).await;
    let b = bench
        .printer(&format!("tcp://{}", dead.address), ConfirmationLevel::Token, Unproven::Ask)
        .await;
    let begun = Instant::now();
    bench.submit(&b, &receipts::simple(100)).await;
    bench.submit(&a.printer, &receipts::simple(1)).await;
    bench.submit(&b, &receipts::simple(102)).await;
    let mut last = String::new();
    for n in 2..=10 {
        last = bench.submit(&a.printer, &receipts::simple(n)).await;
    }
    assert_eq!(bench.settled(&last).await.state, JobState::Printed);
    assert_eq!(a.paper.cut_tickets(), 10);
    assert!(begun.elapsed() < Duration::from_secs(3));
    let stopped = PrinterState::Stopped(StopReason::TimedOut);
    let shown = bench.shows(&b, |now| now.state == stopped).await;
    assert!(shown.next_try_at.is_some());
    assert_eq!(bench.store.next_due_at(b.id).await.expect("read"), Some(bench.clock.now()));
}

#[tokio::test]
async fn each_way_to_be_missing_is_told_by_its_own_name() {
    let bench = Bench::new();
    let closed = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        listener.local_addr().expect("an address")
    };
    let cases = [
        (format!("tcp://{closed}"), StopReason::Refused),
        (format!("tcp://{}:9100", "a".repeat(64)), StopReason::UnknownHost),
        ("virtual:nobody".to_owned(), StopReason::NotFound),
        ("serial:///dev/tillroll-nothing?baud=9600".to_owned(), StopReason::NotFound),
    ];
    for (nth, (uri, reason)) in (1..).zip(cases) {
        let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
        let id = bench.submit(&printer, &receipts::simple(nth)).await;
        let shown = bench.shows(&printer, |now| now.state == PrinterState::Stopped(reason)).await;
        assert!(shown.detail.is_some(), "{uri}");
        assert_eq!(bench.story(&id).await.job.attempts, 0);
    }
}

#[tokio::test]
async fn printer_busy_with_another_host_is_waited_for() {
    for connections in [Connections::OneThenWait, Connections::OneThenRefuse] {
        let bench = Bench::with(Timings { answer: ms(100), ..timings() });
        let behaviour = Behaviour { connections, ..Behaviour::new(Personality::Token) };
        let (paper, address) = paper::listening(behaviour).await;
        let other = TcpStream::connect(address).await.expect("the other host is served");
        paper.wait_until(LIMIT, |paper| !paper.is_idle() || paper.counters().bytes == 0).await.ok();
        let level = ConfirmationLevel::Token;
        let printer = bench.printer(&format!("tcp://{address}"), level, Unproven::Ask).await;
        let id = bench.submit(&printer, &receipts::simple(1)).await;
        let stopped = |state| matches!(state, PrinterState::Stopped(_));
        bench.shows(&printer, |now| stopped(now.state)).await;
        assert_eq!(bench.story(&id).await.job.attempts, 0, "{connections:?}");
        drop(other);
        let job = bench.settled(&id).await;
        assert_eq!((job.state, job.attempts), (JobState::Printed, 1), "{connections:?}");
    }
}

/// Five jobs wait for a printer until its next try is the longest delay away, and another printer prints; the way is
/// free then, and each is printed at its first attempt.
async fn comes_back(uri: &str, device: &VirtualPrinter, is_freed: impl AsyncFnOnce()) {
    let bench = Bench::new();
    let other = bench.device(Personality::Token).await;
    let printer = bench.printer(uri, ConfirmationLevel::Token, Unproven::Ask).await;
    let mut ids = Vec::new();
    for n in 1..=5 {
        ids.push(bench.submit(&printer, &receipts::simple(n)).await);
    }
    // The clock stands still, so that the next try tells the delay: it grows to the longest one.
    let longest = bench.clock.now() + timings().retry.cap();
    bench.shows(&printer, |now| now.next_try_at == Some(longest)).await;
    let mine = bench.submit(&other.printer, &receipts::simple(9)).await;
    assert_eq!(bench.settled(&mine).await.state, JobState::Printed);
    is_freed().await;
    for id in ids {
        let job = bench.settled(&id).await;
        assert_eq!((job.state, job.attempts), (JobState::Printed, 1));
    }
    assert_eq!(device.cut_tickets(), 5);
}

#[tokio::test]
async fn printer_that_was_cut_off_for_long_comes_back_within_one_longest_delay() {
    let (device, address) = paper::listening(Behaviour::new(Personality::Token)).await;
    let proxy = ChaosProxy::start(address).await.expect("a proxy");
    proxy.refuse(true).await;
    let uri = format!("tcp://{}", proxy.address());
    comes_back(&uri, &device, async || proxy.refuse(false).await).await;
}

/// A firewall swallows its packets for long (erpnet/ErpNet.FP#188).
#[tokio::test]
async fn printer_behind_a_firewall_comes_back_by_itself_within_one_longest_delay() {
    let device = paper::virtual_printer(Behaviour::new(Personality::Token));
    let firewall = dropping().await;
    let uri = format!("tcp://{}", firewall.address);
    comes_back(&uri, &device, async || firewall.lets_through_to(&device)).await;
}

#[tokio::test]
async fn new_jobs_do_not_hammer_a_dead_printer_and_a_person_has_it_tried_at_once() {
    const HOUR: Schedule = Schedule::new(&[Duration::from_secs(3_600)], 0);
    let bench = Bench::with(Timings { answer: ms(50), retry: HOUR, ..timings() });
    let (_paper, address) = paper::listening(Behaviour::new(Personality::Token)).await;
    let proxy = ChaosProxy::start(address).await.expect("a proxy");
    // A device that takes questions and never answers: each try is one connection.
    let mute = || proxy.next(Faults { drop_replies: true, ..Faults::default() });
    mute();
    let uri = format!("tcp://{}", proxy.address());
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    let gave_up = async |tries: usize| {
        let ended = proxy
            .until(LIMIT, |links| links.len() == tries && links.iter().all(|link| link.closed));
        assert!(ended.await, "{tries} tries");
        bench.shows(&printer, |now| now.state == PrinterState::Stopped(StopReason::TimedOut)).await;
    };
    gave_up(1).await;
    mute();
    let first = bench.submit(&printer, &receipts::simple(1)).await;
    gave_up(2).await;
    for n in 2..=20 {
        bench.submit(&printer, &receipts::simple(n)).await;
    }
    assert_eq!(proxy.exchanges().len(), 2);
    assert!(bench.spooler.try_now(printer.id));
    assert_eq!(bench.settled(&first).await.state, JobState::Printed);
    assert_eq!(proxy.exchanges().len(), 3);
}

#[tokio::test]
async fn idle_link_that_the_printer_closes_is_no_failure() {
    let bench = Bench::new();
    let (_paper, address) = paper::listening(Behaviour::new(Personality::Token)).await;
    let proxy = ChaosProxy::start(address).await.expect("a proxy");
    let uri = format!("tcp://{}", proxy.address());
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    let first = bench.submit(&printer, &receipts::simple(1)).await;
    bench.settled(&first).await;
    proxy.sever(tillroll_testkit::Break::Close);
    assert!(proxy.until(LIMIT, |links| links.iter().all(|link| link.closed)).await);
    bench.is_idle(&printer).await;
    let second = bench.submit(&printer, &receipts::simple(2)).await;
    let job = bench.settled(&second).await;
    assert_eq!(job.state, JobState::Printed);
    bench.is_idle(&printer).await;
}

#[tokio::test]
async fn address_nobody_answers_at_shows_it_without_any_job_and_is_tried_until_it_does() {
    let bench = Bench::new();
    let (_paper, address) = paper::listening(Behaviour::new(Personality::Token)).await;
    let proxy = ChaosProxy::start(address).await.expect("a proxy");
    proxy.refuse(true).await;
    let uri = format!("tcp://{}", proxy.address());
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    let refused = PrinterState::Stopped(StopReason::Refused);
    let shown = bench.shows(&printer, |now| now.state == refused).await;
    assert!(shown.next_try_at.is_some());
    proxy.refuse(false).await;
    bench.is_idle(&printer).await;
}

#[tokio::test]
async fn first_job_at_a_printer_that_was_not_reached_has_it_tried_at_once() {
    const HOUR: Schedule = Schedule::new(&[Duration::from_secs(3_600)], 0);
    let bench = Bench::with(Timings { retry: HOUR, ..timings() });
    let (_paper, address) = paper::listening(Behaviour::new(Personality::Token)).await;
    let proxy = ChaosProxy::start(address).await.expect("a proxy");
    proxy.refuse(true).await;
    let uri = format!("tcp://{}", proxy.address());
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    bench.shows(&printer, |now| matches!(now.state, PrinterState::Stopped(_))).await;
    proxy.refuse(false).await;
    let id = bench.submit(&printer, &receipts::simple(1)).await;
    assert_eq!(bench.settled(&id).await.state, JobState::Printed);
}
