//! Files, named pipes, and device nodes opened as printers of the kernel's driver.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tillroll_spooler::device::{self, Limits, Link, OpenError, Unreachability, VirtualPrinters};

use crate::support::{Pty, receive, send, within};

const LIMIT: Duration = Duration::from_secs(5);

async fn open(scheme: &str, path: &Path) -> Result<Link, OpenError> {
    let uri = format!("{scheme}://{}", path.display()).parse().expect("a device URI");
    let limits = Limits { write_stall: Duration::from_millis(100), ..Limits::default() };
    device::open(&uri, &limits, &VirtualPrinters::default()).await
}

#[tokio::test]
async fn jobs_are_appended_to_a_file_which_cannot_reply() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("receipts.bin");
    for job in [vec![b'1'; 5000], vec![b'2'; 7]] {
        let mut link = open("file", &path).await.expect("open");
        assert!(!link.can_reply());
        send(&mut link, &job).await.expect("written");
        link.finish(LIMIT).await.expect("synced");
    }
    let expected = [vec![b'1'; 5000], vec![b'2'; 7]].concat();
    assert_eq!(fs::read(&path).expect("file"), expected);
}

#[tokio::test]
async fn file_in_a_missing_folder_is_not_there() {
    let error = open("file", Path::new("/nowhere/receipts.bin")).await.expect_err("no folder");
    assert_eq!(error.reason(), Unreachability::NotFound);
}

#[tokio::test]
async fn pipe_nobody_reads_never_holds_the_register() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("pipe");
    mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("pipe");
    let error = within(open("file", &path)).await.expect_err("no reader");
    assert_eq!(error.reason(), Unreachability::NotFound);

    let opening = {
        let path = path.clone();
        tokio::task::spawn_blocking(move || File::open(path))
    };
    let mut link = loop {
        if let Ok(link) = open("file", &path).await {
            break link;
        }
    };
    let mut reader = within(opening).await.expect("thread").expect("reader");
    let part = [b'x'; 1024];
    let stall = loop {
        if let Err(error) = within(link.write_some(&part)).await {
            break error;
        }
    };
    assert_eq!(stall.kind(), io::ErrorKind::TimedOut);
    link.abort();
    let mut received = Vec::new();
    reader.read_to_end(&mut received).expect("closed");
    assert!(received.iter().all(|byte| *byte == b'x'));
}

#[tokio::test]
async fn kernel_printer_takes_the_job_and_gives_replies() {
    let pty = Pty::open();
    let mut link = open("lp", &pty.path()).await.expect("open");
    assert!(link.can_reply());
    send(&mut link, b"receipt\n").await.expect("written");
    assert_eq!(pty.receive(8).await, b"receipt\n");
    pty.reply(&[0x12]);
    assert_eq!(receive(&mut link, 1).await, [0x12]);
    link.finish(LIMIT).await.expect("closed in order");
}

#[tokio::test]
async fn unplugged_kernel_printer_is_seen_and_not_there_afterwards() {
    let pty = Pty::open();
    let path = pty.path();
    let mut link = open("lp", &path).await.expect("open");
    drop(pty);
    let broken = within(async {
        loop {
            if let Err(error) = link.write_some(b"receipt").await {
                break error;
            }
        }
    });
    assert_ne!(broken.await.kind(), io::ErrorKind::TimedOut);
    drop(link);
    let error = within(open("lp", &path)).await.expect_err("unplugged");
    assert_ne!(error.reason(), Unreachability::TimedOut);
}
