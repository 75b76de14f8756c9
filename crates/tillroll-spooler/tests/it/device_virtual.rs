//! Virtual printers: links inside the process.

use std::io;
use std::sync::Mutex;
use std::time::Duration;

use tillroll_spooler::device::{self, Limits, Link, OpenError, Unreachability, VirtualPrinters};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

use crate::support::{receive, send, within};

async fn open(virtuals: &VirtualPrinters) -> Result<Link, OpenError> {
    let uri = "virtual:front".parse().expect("a device URI");
    device::open(&uri, &Limits::default(), virtuals).await
}

/// A register whose printer `front` takes one connection and refuses the next.
fn one_connection() -> (VirtualPrinters, DuplexStream) {
    let (ours, printer) = duplex(64);
    let (virtuals, free) = (VirtualPrinters::default(), Mutex::new(Some(ours)));
    virtuals.insert("front", move || {
        let stream = free.lock().expect("free").take();
        stream.ok_or_else(|| io::Error::from(io::ErrorKind::ConnectionRefused))
    });
    (virtuals, printer)
}

#[tokio::test]
async fn job_replies_and_close_pass_through() {
    let (virtuals, mut printer) = one_connection();
    let mut link = open(&virtuals).await.expect("open");
    let printing = tokio::spawn(async move {
        printer.write_all(b"ready").await.expect("sent");
        let mut job = Vec::new();
        printer.read_to_end(&mut job).await.map(|_| job)
    });
    assert_eq!(receive(&mut link, 5).await, b"ready");
    send(&mut link, &[b'x'; 1000]).await.expect("written");
    within(link.finish(Duration::from_secs(5))).await.expect("closed in order");
    assert_eq!(printing.await.expect("printer").expect("job").len(), 1000);
}

#[tokio::test]
async fn refused_and_unknown_printers_say_so() {
    let (virtuals, _printer) = one_connection();
    let _first = open(&virtuals).await.expect("open");
    let second = open(&virtuals).await.expect_err("refused");
    assert_eq!(second.reason(), Unreachability::Refused);

    virtuals.remove("front");
    let gone = open(&virtuals).await.expect_err("removed");
    assert_eq!(gone.reason(), Unreachability::NotFound);
}
