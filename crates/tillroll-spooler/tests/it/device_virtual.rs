//! Virtual printers: links inside the process.

use std::time::Duration;

use tillroll_paper::{Behaviour, Connections, Personality, VirtualPrinter};
use tillroll_spooler::device::{self, Limits, Link, OpenError, Unreachability, VirtualPrinters};

use crate::support::{receive, send, within};

async fn open(virtuals: &VirtualPrinters) -> Result<Link, OpenError> {
    let uri = "virtual:front".parse().expect("a device URI");
    device::open(&uri, &Limits::default(), virtuals).await
}

/// A register whose printer `front` takes one connection and refuses the next.
fn one_connection() -> (VirtualPrinters, VirtualPrinter) {
    let connections = Connections::OneThenRefuse;
    let printer =
        VirtualPrinter::new(Behaviour { connections, ..Behaviour::new(Personality::Token) });
    let virtuals = VirtualPrinters::default();
    virtuals.insert("front", printer.clone());
    (virtuals, printer)
}

#[tokio::test]
async fn job_replies_and_close_pass_through() {
    let (virtuals, printer) = one_connection();
    let mut link = open(&virtuals).await.expect("open");
    send(&mut link, b"\x10\x04\x01").await.expect("written");
    assert_eq!(receive(&mut link, 1).await, [0x12], "online");
    send(&mut link, &[b'x'; 1000]).await.expect("written");
    within(link.finish(Duration::from_secs(5))).await.expect("closed in order");
    let received: usize = printer.received().iter().map(|received| received.bytes.len()).sum();
    assert_eq!(received, 1003);
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
