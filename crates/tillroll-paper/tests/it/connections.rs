//! Connections, over TCP and in the process.

use std::{io::ErrorKind, time::Duration};

use tillroll_paper::{Behaviour, Connections, Paper, Personality, VirtualPrinter};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

pub const LIMIT: Duration = Duration::from_secs(10);

/// A printer behind a TCP port of this machine; its address.
pub async fn listening(behaviour: Behaviour) -> (VirtualPrinter, std::net::SocketAddr) {
    let printer = VirtualPrinter::new(behaviour);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = printer.clone();
    tokio::spawn(async move { served.serve_tcp(listener, std::future::pending()).await });
    (printer, address)
}

#[tokio::test]
async fn job_over_tcp_is_printed_and_confirmed() {
    let (printer, address) = listening(Behaviour::new(Personality::Token)).await;
    let mut host = TcpStream::connect(address).await.unwrap();
    host.write_all(b"Total 12.50\n\x1dVB\x00\x1d(H\x06\x00000001").await.unwrap();
    let mut answer = [0; 7];
    timeout(LIMIT, host.read_exact(&mut answer)).await.unwrap().unwrap();
    assert_eq!(&answer, b"\x37\x220001\0");
    assert_eq!(printer.tickets()[0].text(), "Total 12.50\n");
    assert_eq!(printer.received()[0].connection, 1);
}

#[tokio::test]
async fn job_of_a_closed_connection_prints_when_paper_is_back() {
    let (printer, address) = listening(Behaviour::new(Personality::Token)).await;
    printer.set_paper(Paper::End);
    let mut host = TcpStream::connect(address).await.unwrap();
    host.write_all(b"held\n\x1dVB\x00").await.unwrap();
    printer.wait_until(LIMIT, |printer| printer.counters().bytes == 9).await.unwrap();
    drop(host);
    assert_eq!(printer.tickets().len(), 0);
    printer.set_paper(Paper::Ok);
    let tickets = printer.wait_for_tickets(1, LIMIT).await.unwrap();
    assert_eq!(tickets[0].text(), "held\n");
}

#[tokio::test]
async fn second_host_waits_until_the_first_is_gone() {
    let (printer, address) = listening(Behaviour::new(Personality::Token)).await;
    let mut first = TcpStream::connect(address).await.unwrap();
    first.write_all(b"1\n").await.unwrap();
    printer.wait_until(LIMIT, |printer| printer.counters().bytes == 2).await.unwrap();
    let mut second = TcpStream::connect(address).await.unwrap();
    second.write_all(b"2\n\x1dV\x00\x1dr1").await.unwrap();
    first.write_all(b"1 again\n").await.unwrap();
    printer.wait_until(LIMIT, |printer| printer.counters().bytes == 10).await.unwrap();
    drop(first);
    let tickets = printer.wait_for_tickets(1, LIMIT).await.unwrap();
    assert_eq!(tickets[0].text(), "1\n1 again\n2\n");
    assert_eq!(timeout(LIMIT, second.read_u8()).await.unwrap().unwrap(), 0);
}

#[tokio::test]
async fn second_host_is_turned_away_where_the_board_does_so() {
    let behaviour =
        Behaviour { connections: Connections::OneThenRefuse, ..Behaviour::new(Personality::Token) };
    let printer = VirtualPrinter::new(behaviour);
    let first = printer.connect().await.unwrap();
    assert_eq!(printer.connect().await.unwrap_err().kind(), ErrorKind::ConnectionRefused);
    drop(first);
    let connected = async {
        while printer.connect().await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(LIMIT, connected).await.unwrap();
}

#[tokio::test]
async fn half_closed_host_still_gets_its_answer() {
    let behaviour = Behaviour { dots_per_second: Some(600), ..Behaviour::new(Personality::Token) };
    let (_printer, address) = listening(behaviour).await;
    let mut host = TcpStream::connect(address).await.unwrap();
    host.write_all(b"line\n\x1dr1").await.unwrap();
    host.shutdown().await.unwrap();
    let mut answers = Vec::new();
    timeout(LIMIT, host.read_to_end(&mut answers)).await.unwrap().unwrap();
    assert_eq!(answers, [0]);
}

#[tokio::test]
async fn full_buffer_closes_the_window() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    printer.set_cover(true);
    let mut host = printer.connect().await.unwrap();
    let writing = tokio::spawn(async move {
        host.write_all(&[b'\n'; 20_000]).await.unwrap();
        host
    });
    printer.wait_until(LIMIT, |printer| printer.counters().bytes == 4096).await.unwrap();
    assert!(!writing.is_finished());
    printer.set_cover(false);
    let _host = timeout(LIMIT, writing).await.unwrap().unwrap();
    printer.wait_until(LIMIT, |printer| printer.counters().lines == 20_000).await.unwrap();
}

#[tokio::test]
async fn large_job_passes_the_narrow_window_quickly() {
    let (printer, address) = listening(Behaviour::new(Personality::Token)).await;
    let mut host = TcpStream::connect(address).await.unwrap();
    let rows = 2400;
    let image = [&b"\x1dv0\x00\x48\x00\x60\x09"[..], &vec![0xAA; 72 * rows]].concat();
    host.write_all(&[&image[..], b"\x1dVB\x00"].concat()).await.unwrap();
    let tickets = printer.wait_for_tickets(1, LIMIT).await.unwrap();
    assert_eq!(tickets[0].text(), "[image 576x2400]\n");
}

#[tokio::test]
async fn tokens_are_kept_for_the_next_host_where_the_printer_keeps_them() {
    let behaviour = Behaviour { keep_answers: true, ..Behaviour::new(Personality::Token) };
    let printer = VirtualPrinter::new(behaviour);
    printer.set_paper(Paper::End);
    let mut host = printer.connect().await.unwrap();
    host.write_all(b"a\n\x1d(H\x06\x00000001").await.unwrap();
    printer.wait_until(LIMIT, |printer| printer.counters().bytes == 13).await.unwrap();
    drop(host);
    let mut next = printer.connect().await.unwrap();
    drop(next);
    next = printer.connect().await.unwrap();
    printer.set_paper(Paper::Ok);
    let mut answer = [0; 7];
    timeout(LIMIT, next.read_exact(&mut answer)).await.unwrap().unwrap();
    assert_eq!(&answer, b"\x37\x220001\0");
}

#[tokio::test]
async fn half_an_image_of_a_lost_link_swallows_the_next_job_until_it_is_cleared() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    let mut host = printer.connect().await.unwrap();
    host.write_all(b"\x1dv0\x00\x48\x00\x80\x00half").await.unwrap();
    drop(host);
    let mut next = printer.connect().await.unwrap();
    next.write_all(b"lost\n\x1dr1").await.unwrap();
    next.write_all(b"\x10\x14\x08\x01\x03\x14\x01\x06\x02\x08").await.unwrap();
    let mut cleared = [0; 3];
    timeout(LIMIT, next.read_exact(&mut cleared)).await.unwrap().unwrap();
    assert_eq!(cleared, [0x37, 0x25, 0x00]);
    next.write_all(b"printed\n\x1dVB\x00").await.unwrap();
    assert_eq!(printer.wait_for_tickets(1, LIMIT).await.unwrap()[0].text(), "printed\n");
}

#[tokio::test]
async fn thousand_jobs_come_out_in_order() {
    let (printer, address) = listening(Behaviour::new(Personality::Token)).await;
    let mut host = TcpStream::connect(address).await.unwrap();
    for job in 0..1000 {
        let bytes = format!("job {job}\n{}\x1dVB\x00\x1dr1", "line of a receipt\n".repeat(40));
        host.write_all(bytes.as_bytes()).await.unwrap();
        assert_eq!(host.read_u8().await.unwrap(), 0);
    }
    let tickets = printer.wait_for_tickets(1000, LIMIT).await.unwrap();
    for (job, ticket) in tickets.iter().enumerate() {
        assert!(ticket.text().starts_with(&format!("job {job}\n")));
    }
}
