//! Faults, as a host sees them and as the paper shows them.

use std::{io::ErrorKind, time::Duration};

use tillroll_paper::{Behaviour, Fault, Paper, Personality, VirtualPrinter};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, timeout},
};

use crate::connections::{LIMIT, listening};

const JOB: &[u8] = b"one\ntwo\nthree\n\x1dVB\x00\x1d(H\x06\x0000done";
/// Long enough to be sure that nothing comes.
const SILENCE: Duration = Duration::from_millis(50);

#[tokio::test]
async fn reset_reaches_the_host_and_the_bytes_before_it_print() {
    let (printer, address) = listening(Behaviour::new(Personality::Token)).await;
    printer.fault(Fault::ResetAfterBytes(10));
    let mut host = TcpStream::connect(address).await.unwrap();
    host.write_all(JOB).await.unwrap();
    let error = timeout(LIMIT, host.read_u8()).await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    assert_eq!(printer.counters().bytes, 10);
    assert_eq!(printer.tickets()[0].text(), "one\ntwo\n");
}

#[tokio::test]
async fn orderly_close_reaches_the_host() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    printer.fault(Fault::CloseAfterBytes(4));
    let mut host = printer.connect().await.unwrap();
    host.write_all(b"one\n").await.unwrap();
    let error = timeout(LIMIT, host.read_u8()).await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
}

#[tokio::test]
async fn cut_link_shows_the_host_nothing_and_loses_the_last_answer() {
    let (printer, address) = listening(Behaviour::new(Personality::Token)).await;
    printer.fault(Fault::CutLinkAfterBytes(JOB.len() as u64));
    let mut host = TcpStream::connect(address).await.unwrap();
    host.write_all(JOB).await.unwrap();
    printer.wait_for_tickets(1, LIMIT).await.unwrap();
    assert!(timeout(SILENCE, host.read_u8()).await.is_err(), "neither answer nor end");
    let mut next = TcpStream::connect(address).await.unwrap();
    next.write_all(b"\x10\x04\x01").await.unwrap();
    assert_eq!(timeout(LIMIT, next.read_u8()).await.unwrap().unwrap(), 0x12);
}

#[tokio::test]
async fn link_cut_at_any_byte_prints_exactly_the_lines_before_it() {
    for cut in 0..=JOB.len() {
        let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
        printer.fault(Fault::CutLinkAfterBytes(cut as u64));
        let mut host = printer.connect().await.unwrap();
        host.write_all(JOB).await.unwrap();
        printer.wait_until(LIMIT, |p| p.counters().bytes == cut as u64).await.unwrap();
        let text: String = printer.tickets().iter().map(|ticket| ticket.text()).collect();
        let whole: String = ["one\n", "two\n", "three\n"]
            .iter()
            .scan(0, |end, line| {
                *end += line.len();
                Some((*end, *line))
            })
            .take_while(|(end, _)| *end <= cut)
            .map(|(_, line)| line)
            .collect();
        assert_eq!(text, whole, "cut after {cut} bytes");
        assert_eq!(printer.cut_tickets(), u64::from(cut >= 18), "cut after {cut} bytes");
    }
}

#[tokio::test]
async fn power_off_loses_the_buffer_and_shuts_the_port() {
    let (printer, address) = listening(Behaviour::new(Personality::Token)).await;
    printer.fault(Fault::PowerOffAfterBytes(6));
    let mut host = TcpStream::connect(address).await.unwrap();
    host.write_all(JOB).await.unwrap();
    printer.wait_until(LIMIT, |printer| printer.counters().bytes == 5).await.unwrap();
    refused(address).await;
    printer.power_on();
    let mut next = connected(address).await;
    next.write_all(b"next\n\x1dV\x00").await.unwrap();
    let tickets = printer.wait_for_tickets(1, LIMIT).await.unwrap();
    assert_eq!(tickets[0].text(), "one\nnext\n");
}

#[tokio::test]
async fn refused_connections_come_back() {
    let (printer, address) = listening(Behaviour::new(Personality::Token)).await;
    printer.fault(Fault::RefuseConnections);
    refused(address).await;
    printer.clear_faults();
    connected(address).await;
}

#[tokio::test]
async fn printer_that_stops_reading_still_prints_what_it_has() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    printer.fault(Fault::StopReadingAfter(4));
    let mut host = printer.connect().await.unwrap();
    host.write_all(JOB).await.unwrap();
    printer.wait_until(LIMIT, |printer| printer.counters().lines == 1).await.unwrap();
    assert_eq!(printer.counters().bytes, 4);
    printer.clear_faults();
    printer.wait_for_tickets(1, LIMIT).await.unwrap();
}

#[tokio::test]
async fn paper_out_in_mid_job_is_reported_and_the_job_goes_on() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    printer.fault(Fault::PaperEndAfterLines(2));
    let mut host = printer.connect().await.unwrap();
    host.write_all(&[b"\x1da\xff", JOB].concat()).await.unwrap();
    let mut reports = [0; 8];
    timeout(LIMIT, host.read_exact(&mut reports)).await.unwrap().unwrap();
    assert_eq!(reports, [0x10, 0, 0, 0, 0x18, 0, 0x0F, 0]);
    printer.set_paper(Paper::Ok);
    printer.wait_for_tickets(1, LIMIT).await.unwrap();
}

#[tokio::test]
async fn mute_printer_prints_without_a_word() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    printer.fault(Fault::MuteReplies);
    let mut host = printer.connect().await.unwrap();
    host.write_all(JOB).await.unwrap();
    printer.wait_for_tickets(1, LIMIT).await.unwrap();
    assert!(timeout(SILENCE, host.read_u8()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn late_confirmation_comes_late_and_status_does_not() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    let delay = Duration::from_secs(30);
    printer.fault(Fault::LateConfirmation(delay));
    let mut host = printer.connect().await.unwrap();
    let start = Instant::now();
    host.write_all(&[JOB, b"\x10\x04\x01"].concat()).await.unwrap();
    assert_eq!(host.read_u8().await.unwrap(), 0x12);
    assert!(start.elapsed() < delay);
    assert_eq!(host.read_u8().await.unwrap(), 0x37);
    assert!(start.elapsed() >= delay);
}

#[tokio::test(start_paused = true)]
async fn slow_reader_takes_its_time() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    printer.fault(Fault::SlowReading { bytes: 10, per: Duration::from_secs(1) });
    let mut host = printer.connect().await.unwrap();
    let start = Instant::now();
    host.write_all(&[b'\n'; 100]).await.unwrap();
    printer.wait_until(LIMIT * 3, |printer| printer.counters().lines == 100).await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(9));
}

#[tokio::test(start_paused = true)]
async fn lingering_board_keeps_the_next_host_waiting() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    let time = Duration::from_secs(30);
    printer.fault(Fault::LingerAfterClose(time));
    drop(printer.connect().await.unwrap());
    let start = Instant::now();
    let _next = printer.connect().await.unwrap();
    assert!(start.elapsed() >= time);
}

async fn refused(address: std::net::SocketAddr) {
    let refused = async {
        while TcpStream::connect(address).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    timeout(LIMIT, refused).await.expect("the port still takes connections");
}

async fn connected(address: std::net::SocketAddr) -> TcpStream {
    let connected = async {
        loop {
            match TcpStream::connect(address).await {
                Ok(stream) => return stream,
                Err(_) => tokio::task::yield_now().await,
            }
        }
    };
    timeout(LIMIT, connected).await.expect("the port takes no connections")
}
