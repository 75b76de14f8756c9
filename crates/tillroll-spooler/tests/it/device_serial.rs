//! Serial ports: real pseudo terminals.

use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use tillroll_spooler::device::{self, Limits, Link, OpenError, Unreachability, VirtualPrinters};

use crate::support::{Pty, receive, send, within};

const LIMIT: Duration = Duration::from_secs(5);

fn limits() -> Limits {
    Limits { write_stall: Duration::from_millis(100), ..Limits::default() }
}

async fn open(path: &Path) -> Result<Link, OpenError> {
    let uri = format!("serial://{}?baud=19200&flow=xonxoff", path.display());
    device::open(&uri.parse().expect("a device URI"), &limits(), &VirtualPrinters::default()).await
}

/// Opens a port that an earlier link may just be leaving.
async fn reopen(path: &Path) -> Link {
    let trying = async {
        loop {
            match open(path).await {
                Ok(link) => break link,
                Err(OpenError::Busy(_)) => tokio::time::sleep(Duration::from_millis(5)).await,
                Err(error) => panic!("{error}: {:?}", std::error::Error::source(&error)),
            }
        }
    };
    within(trying).await
}

/// Writes until the line takes no more; returns how many bytes it took.
async fn fill(link: &mut Link) -> usize {
    let (part, mut taken) = ([b'x'; 512], 0);
    loop {
        match within(link.write_some(&part)).await {
            Ok(count) => taken += count,
            Err(error) => {
                assert_eq!(error.kind(), io::ErrorKind::TimedOut);
                break taken;
            }
        }
    }
}

#[tokio::test]
async fn job_and_replies_pass_unchanged_in_both_directions() {
    let pty = Pty::open();
    let mut link = open(&pty.path()).await.expect("open");
    assert!(link.can_reply());
    // Line ends, end-of-file and signal bytes must not be touched by the terminal layer.
    let job: Vec<u8> = (0..=255).filter(|byte| ![0x11, 0x13].contains(byte)).collect();
    send(&mut link, &job).await.expect("written");
    assert_eq!(pty.receive(job.len()).await, job);
    pty.reply(&[0x12, 0x0d, 0x00, 0x03]);
    assert_eq!(receive(&mut link, 4).await, [0x12, 0x0d, 0x00, 0x03]);
    link.finish(LIMIT).await.expect("closed in order");
}

#[tokio::test]
async fn open_port_is_busy_for_others_and_free_at_once_after_finish() {
    let pty = Pty::open();
    let first = open(&pty.path()).await.expect("open");
    let second = open(&pty.path()).await.expect_err("in use");
    assert_eq!(second.reason(), Unreachability::Busy);
    first.finish(LIMIT).await.expect("closed in order");
    open(&pty.path()).await.expect("free again");
}

#[tokio::test]
async fn port_that_vanishes_with_bytes_unsent_is_left_in_time_and_reopened_when_it_is_back() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("ttyUSB0");
    let pty = Pty::open();
    symlink(pty.path(), &path).expect("link");
    let mut link = open(&path).await.expect("open");
    assert!(fill(&mut link).await >= 2048, "bytes are waiting in the line");

    drop(pty);
    std::fs::remove_file(&path).expect("unplugged");
    let broken = within(link.write_some(b"more")).await;
    assert!(broken.is_err_and(|error| error.kind() != io::ErrorKind::TimedOut));
    let closing = within(link.finish(Duration::from_millis(100))).await;
    assert!(closing.is_err(), "the end of the job is lost, which must not pass for a success");
    let missing = open(&path).await.expect_err("still unplugged");
    assert_eq!(missing.reason(), Unreachability::NotFound);

    let back = Pty::open();
    symlink(back.path(), &path).expect("link");
    let mut link = reopen(&path).await;
    send(&mut link, b"next job").await.expect("written");
    assert_eq!(back.receive(8).await, b"next job");
}

#[tokio::test]
async fn bytes_of_an_aborted_job_that_are_still_here_do_not_come_out_before_the_next() {
    let pty = Pty::open();
    let mut link = open(&pty.path()).await.expect("open");
    let taken = fill(&mut link).await;
    link.abort();
    let mut link = reopen(&pty.path()).await;
    let next = async {
        send(&mut link, b"next job!").await.expect("written");
        // What the terminal has already delivered is the printer's, like its own buffer.
        let mut delivered = 0;
        while pty.receive(1).await == b"x" {
            delivered += 1;
        }
        delivered
    };
    let delivered = within(next).await;
    assert_eq!(pty.receive(8).await, b"ext job!", "the next job is whole");
    assert!(delivered < taken, "{delivered} of {taken} bytes came out after all");
}

#[tokio::test]
async fn stalled_job_goes_on_whole_when_the_printer_takes_bytes_again() {
    let pty = Pty::open();
    let mut link = open(&pty.path()).await.expect("open");
    let taken = fill(&mut link).await;
    // The write that stalled is offered again with the same bytes, as the contract asks.
    let (received, rest) = tokio::join!(pty.receive(taken + 512), send(&mut link, &[b'x'; 512]));
    rest.expect("written");
    assert!(received.iter().all(|byte| *byte == b'x'));
    pty.reply(b"!");
    assert_eq!(receive(&mut link, 1).await, b"!");
    link.finish(LIMIT).await.expect("closed in order");
}
