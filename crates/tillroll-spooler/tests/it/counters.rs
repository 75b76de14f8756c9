//! A printer whose firmware answers `GS r` at once and its counters in order: only the counters prove.

use std::net::SocketAddr;
use std::time::Duration;

use tillroll_domain::print_job::{Confirmation, JobReason, JobState};
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_escpos::command::COUNTER_LINES;
use tillroll_spooler::Timings;
use tillroll_testkit::receipts;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::bench::{Bench, ms, timings};

/// What the printer does between a cut and the counters asked behind it.
#[derive(Debug, Clone, Copy)]
enum Behind {
    /// Prints so long.
    Prints(Duration),
    /// Nothing any more.
    FallsSilent,
}

/// Starts the printer.
async fn hasty_printer(behind: Behind) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let mut cuts = 0;
        while let Ok((host, _)) = listener.accept().await {
            // A host that goes away ends its connection, not the printer.
            let _ = serve(host, &mut cuts, behind).await;
        }
    });
    address
}

/// Works through what one host sends.
async fn serve(mut host: TcpStream, cuts: &mut u64, behind: Behind) -> std::io::Result<()> {
    let (mut buffer, mut part) = (Vec::new(), [0; 1024]);
    loop {
        let count = host.read(&mut part).await?;
        if count == 0 {
            return Ok(());
        }
        buffer.extend_from_slice(&part[..count]);
        let mut rest = buffer.as_slice();
        while rest.len() >= 6 || rest.starts_with(b"\x10\x04") || rest.starts_with(b"\x1dr") {
            let (taken, answer) = match rest {
                [0x10, 0x04, _, ..] => (3, Some(vec![0x12])),
                [0x10, 0x14, 8, ..] => (10, Some(vec![0x37, 0x25, 0])),
                [0x1d, b'r', _, ..] => (3, Some(vec![0])),
                [0x1d, b'g', b'2', _, number, _, ..] => (6, counter(*number, *cuts, behind).await),
                [0x1d, b'V', ..] => {
                    *cuts += 1;
                    (4, None)
                }
                _ => (1, None),
            };
            rest = rest.get(taken..).unwrap_or_default();
            if let Some(answer) = answer {
                host.write_all(&answer).await?;
            }
        }
        buffer = rest.to_vec();
    }
}

/// Twenty lines a cut.
async fn counter(number: u8, cuts: u64, behind: Behind) -> Option<Vec<u8>> {
    match behind {
        Behind::Prints(time) if cuts > 0 => tokio::time::sleep(time).await,
        Behind::FallsSilent if cuts > 0 => return None,
        Behind::Prints(_) | Behind::FallsSilent => {}
    }
    let count = if number == COUNTER_LINES { cuts * 20 } else { cuts };
    Some(format!("\x5f{count}\0").into_bytes())
}

async fn printed_on(behind: Behind, timings: Timings) -> tillroll_store::JobRow {
    let bench = Bench::with(timings);
    let address = hasty_printer(behind).await;
    let (uri, level) = (format!("tcp://{address}"), ConfirmationLevel::Counter);
    let printer = bench.printer(&uri, level, Unproven::Ask).await;
    let id = bench.submit(&printer, &receipts::simple(1)).await;
    bench.settled(&id).await
}

#[tokio::test]
async fn counters_that_come_after_the_limit_of_an_answer_prove_all_the_same() {
    let slow = Behind::Prints(ms(300));
    let job = printed_on(slow, Timings { answer: ms(100), ..timings() }).await;
    assert_eq!((job.state, job.confirmation), (JobState::Printed, Some(Confirmation::Counter)));
}

#[tokio::test]
async fn answer_in_order_without_counters_behind_it_proves_nothing() {
    let short = Timings { answer: ms(50), proof: ms(150), evidence: ms(100), ..timings() };
    let job = printed_on(Behind::FallsSilent, short).await;
    assert_eq!((job.state, job.confirmation), (JobState::Unconfirmed, None));
    assert_eq!(job.reason.map(JobReason::as_str), Some("no_answer"));
}
