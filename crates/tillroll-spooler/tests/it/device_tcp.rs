//! Network printers: real sockets on the loopback.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tillroll_spooler::device::{self, Limits, Link, Unreachability, VirtualPrinters};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::support::{send, within};

const LIMIT: Duration = Duration::from_secs(5);

async fn open(host: &str, port: u16, limits: &Limits) -> Result<Link, device::OpenError> {
    let uri = format!("tcp://{host}:{port}").parse().expect("a device URI");
    device::open(&uri, limits, &VirtualPrinters::default()).await
}

/// A link and the printer's end of it.
async fn connected(limits: &Limits) -> (Link, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("listener");
    let port = listener.local_addr().expect("address").port();
    let (link, accepted) = tokio::join!(open("127.0.0.1", port, limits), listener.accept());
    (link.expect("link"), accepted.expect("accepted").0)
}

fn job(length: usize) -> Vec<u8> {
    (0..length).map(|position| u8::try_from(position % 251).unwrap_or_default()).collect()
}

#[tokio::test]
async fn whole_job_arrives_though_replies_stay_unread_and_the_printer_is_slow() {
    for _ in 0..10 {
        let (mut link, mut printer) = connected(&Limits::default()).await;
        let receiving = tokio::spawn(async move {
            printer.write_all(&[0x14, 0, 0, 0]).await.expect("unasked status");
            let (mut received, mut part) = (Vec::new(), [0; 4096]);
            loop {
                tokio::task::yield_now().await;
                match printer.read(&mut part).await.expect("no reset") {
                    0 => break received,
                    count => received.extend_from_slice(&part[..count]),
                }
            }
        });
        let job = job(200_000);
        send(&mut link, &job).await.expect("written");
        link.finish(LIMIT).await.expect("closed in order");
        assert!(receiving.await.expect("printer") == job, "the job lost its end");
    }
}

#[tokio::test]
async fn finish_returns_only_after_the_printer_has_closed() {
    let (mut link, mut printer) = connected(&Limits::default()).await;
    let closed = Arc::new(AtomicBool::new(false));
    let closing = closed.clone();
    let printing = tokio::spawn(async move {
        printer.read_to_end(&mut Vec::new()).await.expect("half-closed");
        // The printer's own time to close, not a wait of the test.
        sleep(Duration::from_millis(60)).await;
        closing.store(true, Ordering::SeqCst);
    });
    send(&mut link, b"receipt").await.expect("written");
    link.finish(LIMIT).await.expect("closed in order");
    assert!(closed.load(Ordering::SeqCst), "the next job would overlap this one");
    printing.await.expect("printer");
}

#[tokio::test]
async fn printer_that_never_closes_has_taken_the_job_once_it_acknowledged_all() {
    let limits = Limits { close: Duration::from_millis(40), ..Limits::default() };
    let (mut link, mut printer) = connected(&limits).await;
    send(&mut link, b"receipt").await.expect("written");
    within(link.finish(LIMIT)).await.expect("nothing is left to arrive");
    let mut received = Vec::new();
    printer.read_to_end(&mut received).await.expect("no reset destroys the end");
    assert_eq!(received, b"receipt");
}

#[tokio::test]
async fn job_whose_end_never_arrives_is_not_taken_and_its_rest_never_sent() {
    let short = Duration::from_millis(50);
    let limits = Limits { write_stall: short, close: short, ..Limits::default() };
    let (mut link, mut printer) = connected(&limits).await;
    let job = job(8 << 20);
    let mut accepted = 0;
    while let Ok(count) = link.write_some(&job[accepted..]).await {
        accepted += count;
    }
    let finished = within(link.finish(Duration::from_millis(150))).await;
    assert_eq!(finished.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
    let mut received = Vec::new();
    let ended = within(printer.read_to_end(&mut received)).await;
    assert_eq!(ended.map_err(|error| error.kind()), Err(io::ErrorKind::ConnectionReset));
    assert!(received.len() < accepted, "the rest was sent after all");
}

#[tokio::test]
async fn link_that_is_dropped_sends_nothing_more() {
    let limits = Limits { write_stall: Duration::from_millis(50), ..Limits::default() };
    let (mut link, mut printer) = connected(&limits).await;
    let job = job(8 << 20);
    let mut accepted = 0;
    while let Ok(count) = link.write_some(&job[accepted..]).await {
        accepted += count;
    }
    drop(link);
    let mut received = Vec::new();
    let ended = within(printer.read_to_end(&mut received)).await;
    assert_eq!(ended.map_err(|error| error.kind()), Err(io::ErrorKind::ConnectionReset));
    assert!(received.len() < accepted, "bytes that were still here were sent after all");
}

#[tokio::test]
async fn stalled_write_is_reported_and_goes_on_when_the_printer_does() {
    let limits = Limits { write_stall: Duration::from_millis(50), ..Limits::default() };
    let (mut link, mut printer) = connected(&limits).await;
    let job = job(8 << 20);
    let mut sent = 0;
    let stall = loop {
        match link.write_some(&job[sent..]).await {
            Ok(count) => sent += count,
            Err(error) => break error,
        }
    };
    assert_eq!(stall.kind(), io::ErrorKind::TimedOut);
    assert!(sent < job.len(), "the printer read nothing, the buffers are smaller than the job");

    let receiving = tokio::spawn(async move {
        let mut received = Vec::new();
        printer.read_to_end(&mut received).await.map(|_| received)
    });
    send(&mut link, &job[sent..]).await.expect("the rest");
    link.finish(LIMIT).await.expect("closed in order");
    assert!(receiving.await.expect("printer").expect("no reset") == job);
}

#[tokio::test]
async fn replies_that_interrupt_the_writer_do_not_hide_a_stall() {
    let limits = Limits { write_stall: Duration::from_millis(80), ..Limits::default() };
    let (mut link, _printer) = connected(&limits).await;
    let part = vec![0; 1 << 20];
    let interrupted = async {
        loop {
            let written = timeout(Duration::from_millis(5), link.write_some(&part)).await;
            if let Ok(Err(error)) = written {
                break error;
            }
        }
    };
    assert_eq!(within(interrupted).await.kind(), io::ErrorKind::TimedOut);
}

#[tokio::test]
async fn replies_can_be_read_while_the_writer_waits() {
    let (mut link, mut printer) = connected(&Limits::default()).await;
    printer.write_all(&[0x12]).await.expect("status");
    let part = vec![0; 1 << 20];
    let (reader, writer) = link.split();
    let mut reply = [0; 8];
    let talking = async {
        let read = reader.read(&mut reply);
        tokio::pin!(read);
        loop {
            tokio::select! {
                count = &mut read => break count,
                written = writer.write_some(&part) => drop(written.expect("written")),
            }
        }
    };
    assert_eq!(within(talking).await.expect("a reply"), 1);
    assert_eq!(reply[0], 0x12);
}

#[tokio::test]
async fn aborted_link_sends_nothing_more() {
    let limits = Limits { write_stall: Duration::from_millis(50), ..Limits::default() };
    let (mut link, mut printer) = connected(&limits).await;
    let job = job(8 << 20);
    let mut accepted = 0;
    while let Ok(count) = link.write_some(&job[accepted..]).await {
        accepted += count;
    }
    link.abort();
    let mut received = Vec::new();
    let ended = within(printer.read_to_end(&mut received)).await;
    assert_eq!(ended.map_err(|error| error.kind()), Err(io::ErrorKind::ConnectionReset));
    assert!(received.len() < accepted, "bytes that were still here were sent after all");
}

#[tokio::test]
async fn closed_port_is_refused_and_a_name_without_address_is_unknown() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("listener");
    let port = listener.local_addr().expect("address").port();
    drop(listener);
    let refused = open("127.0.0.1", port, &Limits::default()).await.expect_err("nobody listens");
    assert_eq!(refused.reason(), Unreachability::Refused);

    // No label of a host name may be longer than 63 bytes, so no resolver has to be asked.
    let unknown = open(&"a".repeat(64), port, &Limits::default()).await.expect_err("no address");
    assert_eq!(unknown.reason(), Unreachability::UnknownHost);
}

#[tokio::test]
async fn printer_that_hangs_up_is_seen_as_the_end_of_input() {
    let (mut link, printer) = connected(&Limits::default()).await;
    drop(printer);
    assert_eq!(within(link.read(&mut [0; 8])).await.expect("end of input"), 0);
}
