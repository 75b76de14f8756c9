//! Reports from the field about links that end, hang and vanish, with their inputs.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tillroll_domain::print_job::{JobReason, JobState, Verb};
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, StopReason, Unproven};
use tillroll_escpos::command;
use tillroll_escpos::profile::Profile;
use tillroll_paper::{Behaviour, Fault, Paper, Personality};
use tillroll_spooler::device::Limits;
use tillroll_spooler::{Renderer, Timings};
use tillroll_store::JobRow;
use tillroll_testkit::pictures::logo_png;
use tillroll_testkit::{Break, ChaosProxy, receipts};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

use crate::bench::{Bench, Device, LIMIT, REPRINT, dropping, ms, paper, stationery, timings};
use crate::support::Pty;

/// Everything a job is, as it must arrive at a printer that cannot confirm.
async fn bytes_of(bench: &Bench, id: &str) -> Vec<u8> {
    let profile = Profile::named("virtual").expect("a profile").clone();
    // As it went out the first time.
    let job = JobRow { reprint: false, ..bench.story(id).await.job };
    let body = bench.store.body_of(job.flow_no).await.expect("a body");
    let renderer = Renderer::new(profile, stationery(Arc::new(())));
    let rendered = renderer.render(&job, &body).expect("rendered");
    [&command::ESC_AT[..], &rendered.body, &rendered.cut].concat()
}

/// The end of a long job to a slow reader is not lost by closing (wwandreww/esc_pos_printer#169): fifty of fifty.
#[tokio::test]
async fn long_job_reaches_a_slow_printer_to_its_last_byte() {
    let device = Limits { close: LIMIT, ..timings().device };
    let bench = Bench::with(Timings { device, ..timings() });
    let mut jobs = Vec::new();
    for n in 1..=50 {
        let slow = bench.tcp_device(Behaviour::new(Personality::Silent)).await;
        slow.paper.fault(Fault::SlowReading { bytes: 512, per: ms(20) });
        let id = bench.submit(&slow.printer, &receipts::long(n, 400)).await;
        jobs.push((slow, id));
    }
    for (slow, id) in jobs {
        assert_eq!(bench.settled(&id).await.state, JobState::Sent);
        // What it has acknowledged it may not have read yet.
        slow.paper.wait_for_tickets(1, LIMIT).await.expect("the end of the job");
        let received: Vec<u8> = slow.received().into_iter().flat_map(|(_, bytes)| bytes).collect();
        let sent = bytes_of(&bench, &id).await;
        assert!(received == sent, "the job lost its end: {} of {}", received.len(), sent.len());
    }
}

/// A printer that reads each connection to its end and holds its side open for a while afterwards.
struct Holding {
    address: std::net::SocketAddr,
    most_open: Arc<AtomicUsize>,
    jobs: tokio::sync::mpsc::UnboundedReceiver<Vec<u8>>,
}

async fn holding(hold: Duration) -> Holding {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (open, most_open) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (sender, jobs) = tokio::sync::mpsc::unbounded_channel();
    let most = Arc::clone(&most_open);
    tokio::spawn(async move {
        while let Ok((mut host, _)) = listener.accept().await {
            most.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            let (open, sender) = (Arc::clone(&open), sender.clone());
            tokio::spawn(async move {
                let mut job = Vec::new();
                host.read_to_end(&mut job).await.expect("an orderly end");
                // The printer's own time to close, not a wait of the test.
                tokio::time::sleep(hold).await;
                open.fetch_sub(1, Ordering::SeqCst);
                drop(host);
                sender.send(job).expect("the test listens");
            });
        }
    });
    Holding { address, most_open, jobs }
}

/// The next job begins only when the connection of the last one is really closed (apple/cups#5689).
#[tokio::test]
async fn jobs_in_fast_succession_never_overlap_and_keep_their_order() {
    let bench = Bench::new();
    let mut printer = holding(ms(300)).await;
    let uri = format!("tcp://{}", printer.address);
    let set_up = bench.printer(&uri, ConfirmationLevel::Silent, Unproven::Trust).await;
    let mut ids = Vec::new();
    for n in 1..=20 {
        ids.push(bench.submit(&set_up, &receipts::long(n, 2)).await);
    }
    for id in &ids {
        let job = tokio::time::timeout(LIMIT, printer.jobs.recv()).await.expect("in time");
        assert!(job == Some(bytes_of(&bench, id).await), "{id} is not whole, or not in its turn");
    }
    assert_eq!(printer.most_open.load(Ordering::SeqCst), 1);
}

/// Bytes the system accepted are no proof (python-escpos/python-escpos#253).
#[tokio::test]
async fn job_to_a_printer_that_dies_after_forty_bytes_is_asked_about_and_printed_once_more_marked()
{
    let bench = Bench::new();
    let device = bench.tcp_device(Behaviour::new(Personality::Silent)).await;
    device.paper.fault(Fault::ResetAfterBytes(40));
    let id = bench.submit(&device.printer, &receipts::simple(2)).await;
    let job = bench.settled(&id).await;
    assert_eq!((job.state, job.attempts), (JobState::Unconfirmed, 1));
    bench.answer(&id, Verb::NotOnPaper).await;
    assert_eq!(bench.settled(&id).await.state, JobState::Sent);
    assert_eq!((device.count(REPRINT), device.count("S1:R1-000002:receipt")), (1, 1));
}

/// Nothing is appended to half a picture (DantSu/ESCPOS-ThermalPrinter-Android#415).
#[tokio::test]
async fn job_after_half_a_picture_begins_with_a_reset_on_a_new_link() {
    for (personality, reset) in [
        (Personality::Token, [&[0; 16][..], &command::clear_buffer()].concat()),
        (Personality::Silent, vec![0; 8_192]),
    ] {
        let logo = std::collections::BTreeMap::from([("shop".to_owned(), logo_png(384, 600))]);
        let limits = Timings { stall: ms(300), ..timings() };
        let bench = Bench::drawing(limits, Arc::new(logo), || 0);
        let (paper, address) = paper::listening(Behaviour::new(personality)).await;
        let proxy = ChaosProxy::start(address).await.expect("a proxy");
        let uri = format!("tcp://{}", proxy.address());
        let level = paper::level_of(personality);
        let printer = bench.printer(&uri, level, Unproven::Ask).await;
        let device = Device { printer, paper };
        device.paper.fault(Fault::PaperEndAfterBytes(9_000));
        device.paper.fault(Fault::StopReadingAfter(9_000));
        let mut pictured = receipts::simple(1);
        pictured.logo = Some("shop".parse().expect("a name"));
        let first = bench.submit(&device.printer, &pictured).await;
        let third = bench.record(&device.printer, &receipts::simple(3)).await;
        device
            .paper
            .wait_until(LIMIT, |paper| paper.counters().bytes >= 9_000)
            .await
            .expect("half");
        proxy.sever(Break::Reset);
        device.paper.clear_faults();
        assert_eq!(bench.settled(&first).await.state, JobState::Unconfirmed);
        device.paper.set_paper(Paper::Ok);
        let job = bench.settled(&third).await;
        assert!(matches!(job.state, JobState::Printed | JobState::Sent));
        device.at_rest().await;
        let (_, stream) = device.received().into_iter().nth(1).expect("a new link");
        assert!(stream.starts_with(&reset), "{personality:?}: {:?}", &stream[..40]);
        let ticket = device.paper.tickets().last().expect("a ticket").text();
        let own = ticket.find("No. R1-000003").expect("the third receipt");
        assert!(!ticket[own..].contains("[image"), "{ticket}");
        assert_eq!(device.count("S1:R1-000003:receipt"), 1);
    }
}

/// Cancel answers at once, another printer takes a job over, quitting takes seconds at most
/// (michaelrsweet/pappl#163).
#[tokio::test]
async fn cancel_move_and_quit_do_not_wait_for_a_printer_that_is_missing() {
    let connect = Duration::from_secs(30);
    let device = Limits { connect, ..timings().device };
    let bench = Bench::with(Timings { device, ..timings() });
    let nowhere = dropping().await;
    let uri = format!("tcp://{}", nowhere.address);
    let missing = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    let other = bench.device(Personality::Token).await;
    let mut ids = Vec::new();
    for n in 1..=3 {
        ids.push(bench.submit(&missing, &receipts::simple(n)).await);
    }
    let begun = Instant::now();
    bench.answer(&ids[0], Verb::Skip).await;
    bench.reroute(&ids[1], &other.printer).await;
    assert_eq!(bench.settled(&ids[1]).await.state, JobState::Printed);
    bench.spooler.stop_all(ms(500)).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let (folder, clock) = bench.close();

    let bench = Bench::reopen(folder, clock, timings());
    let states = [JobState::Skipped, JobState::Printed, JobState::Pending];
    for (id, state) in ids.iter().zip(states) {
        assert_eq!(bench.story(id).await.job.state, state);
    }
}

/// A serial port that vanishes is left in time and found again (Fazecast/jSerialComm#266).
#[tokio::test]
async fn serial_port_that_vanishes_in_mid_job_costs_one_question_and_comes_back() {
    let limits = Limits { write_stall: ms(100), close: ms(500), ..timings().device };
    let bench = Bench::with(Timings { device: limits, ..timings() });
    let folder = tempfile::tempdir().expect("a folder");
    let port = folder.path().join("ttyUSB0");
    let pty = Pty::open();
    symlink(pty.path(), &port).expect("a port");
    let uri = format!("serial://{}?baud=19200&flow=rtscts", port.display());
    let printer = bench.printer(&uri, ConfirmationLevel::Silent, Unproven::Ask).await;
    let torn = bench.submit(&printer, &receipts::long(1, 400)).await;
    let next = bench.submit(&printer, &receipts::simple(2)).await;
    // The job has begun, and far more than 2 kB of it cannot have left.
    pty.receive(1).await;
    std::fs::remove_file(&port).expect("unplugged");
    drop(pty);
    let job = bench.settled(&torn).await;
    assert_eq!(job.state, JobState::Unconfirmed);
    assert_eq!(job.reason.map(JobReason::as_str), Some("link_lost"));

    let paper = paper::virtual_printer(Behaviour::new(Personality::Silent));
    let line = paper.serve_pty().expect("a pseudo terminal");
    symlink(line.path(), &port).expect("plugged in again");
    assert_eq!(bench.settled(&next).await.state, JobState::Sent);
    let device = Device { printer, paper };
    device.paper.wait_for_tickets(1, LIMIT).await.expect("a ticket");
    assert_eq!(device.count("S1:R1-000002:receipt"), 1);
    assert_eq!(device.count("Item 400"), 0);
}

/// Waits until this process holds nothing of a device that is gone.
async fn until_let_go(node: &Path) {
    let is_held = || {
        let held = std::fs::read_dir("/proc/self/fd").expect("handles").flatten();
        let mut nodes = held.filter_map(|handle| std::fs::read_link(handle.path()).ok());
        nodes.any(|held| held.to_string_lossy().starts_with(&*node.to_string_lossy()))
    };
    let letting_go = async {
        while is_held() {
            tokio::time::sleep(ms(5)).await;
        }
    };
    tokio::time::timeout(LIMIT, letting_go).await.expect("the old handle is dropped");
}

/// A printer at its cable is pulled while nothing prints, and is another node when it is back
/// (HeligPfleigh/react-native-thermal-receipt-printer#133). The link by its serial number stands, as udev makes it.
#[tokio::test]
async fn usb_printer_replugged_while_idle_prints_the_next_job_without_a_restart() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().expect("a folder");
    let by_serial = folder.path().join("usb-Printer_AB12-if00");
    let plug_in = || {
        let device = paper::virtual_printer(Behaviour::new(Personality::Token));
        let line = device.serve_pty().expect("a pseudo terminal");
        symlink(line.path(), &by_serial).expect("plugged in");
        (device, line)
    };
    let (before, line) = plug_in();
    let uri = format!("serial://{}?baud=9600", by_serial.display());
    let printer = bench.printer(&uri, ConfirmationLevel::Token, Unproven::Ask).await;
    let first = bench.submit(&printer, &receipts::simple(3)).await;
    assert_eq!(bench.settled(&first).await.state, JobState::Printed);
    let node = line.path().to_owned();
    std::fs::remove_file(&by_serial).expect("unplugged");
    drop(line);
    until_let_go(&node).await;
    let next = bench.submit(&printer, &receipts::simple(4)).await;
    let gone = PrinterState::Stopped(StopReason::NotFound);
    bench.shows(&printer, |now| now.state == gone).await;

    let (back, _line) = plug_in();
    let job = bench.settled(&next).await;
    assert_eq!((job.state, job.attempts), (JobState::Printed, 1));
    assert_eq!((before.cut_tickets(), back.cut_tickets()), (1, 1));
}

/// Retry while a slow device still has the job keeps the job (odoo/odoo#240253): one id, one ticket.
#[tokio::test]
async fn retry_while_a_slow_device_has_the_job_makes_no_second_ticket() {
    let bench = Bench::with(Timings { proof: LIMIT, ..timings() });
    let device = bench.tcp_device(Behaviour::new(Personality::Token)).await;
    device.paper.fault(Fault::LateConfirmation(ms(600)));
    let id = bench.submit(&device.printer, &receipts::simple(2)).await;
    device.paper.wait_for_tickets(1, LIMIT).await.expect("a ticket");
    assert_eq!(bench.story(&id).await.job.state, JobState::Printing, "nothing told it yet");
    assert!(bench.try_answer(&id, Verb::Retry, None).await.is_err(), "it may be on paper");
    assert_eq!(bench.submit(&device.printer, &receipts::simple(2)).await, id, "the same job");
    assert_eq!(bench.settled(&id).await.state, JobState::Printed);
    device.at_rest().await;
    assert_eq!((bench.story(&id).await.attempts.len(), device.count(&id)), (1, 1));
}
