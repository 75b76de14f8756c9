//! Each fault does what its name says, to the byte.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use tillroll_testkit::{Break, ChaosProxy, Faults, Side};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

const LIMIT: Duration = Duration::from_secs(10);

/// A device that answers every read with as many `r` and reports each connection's bytes at its end.
async fn device() -> (SocketAddr, mpsc::UnboundedReceiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (got, gets) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let got = got.clone();
            tokio::spawn(async move {
                let (mut all, mut chunk) = (Vec::new(), [0; 1024]);
                while let Ok(read @ 1..) = stream.read(&mut chunk).await {
                    all.extend_from_slice(&chunk[..read]);
                    if stream.write_all(&vec![b'r'; read]).await.is_err() {
                        break;
                    }
                }
                got.send(all).ok();
            });
        }
    });
    (address, gets)
}

async fn within<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, what).await.expect("no answer within the limit")
}

#[tokio::test]
async fn healthy_link_passes_everything_and_records_it() {
    let (upstream, mut gets) = device().await;
    let proxy = ChaosProxy::start(upstream).await.unwrap();
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    client.write_all(b"hello").await.unwrap();
    client.shutdown().await.unwrap();
    let mut replies = Vec::new();
    within(client.read_to_end(&mut replies)).await.unwrap();
    assert_eq!(replies, b"rrrrr");
    assert_eq!(within(gets.recv()).await.unwrap(), b"hello");
    assert!(proxy.until(LIMIT, |all| all.len() == 1 && all[0].closed).await);
    assert_eq!(
        (&proxy.exchanges()[0].up[..], &proxy.exchanges()[0].down[..]),
        (&b"hello"[..], &b"rrrrr"[..])
    );
    assert_eq!(proxy.most_open(), 1);
}

#[tokio::test]
async fn device_gets_exactly_the_bytes_before_the_cut() {
    let (upstream, mut gets) = device().await;
    let proxy = ChaosProxy::start(upstream).await.unwrap();
    for after in 0..=5 {
        for how in [Break::Reset, Break::Close] {
            proxy.next(Faults::cut(Side::Up, after, how));
            let mut client = TcpStream::connect(proxy.address()).await.unwrap();
            client.write_all(b"hello").await.ok();
            let got = within(gets.recv()).await.unwrap();
            assert_eq!(got, b"hello"[..usize::try_from(after).unwrap()], "{how:?}");
            let mut rest = Vec::new();
            let end = within(client.read_to_end(&mut rest)).await;
            match how {
                Break::Reset => assert_eq!(end.unwrap_err().kind(), ErrorKind::ConnectionReset),
                Break::Close => assert!(end.is_ok(), "{end:?}"),
                Break::Stall => unreachable!(),
            }
        }
    }
}

#[tokio::test]
async fn replies_are_cut_after_so_many_bytes() {
    let (upstream, _gets) = device().await;
    let proxy = ChaosProxy::start(upstream).await.unwrap();
    proxy.next(Faults::cut(Side::Down, 3, Break::Close));
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    client.write_all(b"hello").await.unwrap();
    let mut replies = Vec::new();
    within(client.read_to_end(&mut replies)).await.unwrap();
    assert_eq!(replies, b"rrr");
}

#[tokio::test]
async fn stalled_link_is_silent_until_it_is_severed() {
    let (upstream, mut gets) = device().await;
    let proxy = ChaosProxy::start(upstream).await.unwrap();
    proxy.next(Faults::cut(Side::Up, 2, Break::Stall));
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    client.write_all(b"hello").await.unwrap();
    assert!(proxy.until(LIMIT, |all| all.first().is_some_and(|one| one.up == b"he")).await);
    let silence = tokio::time::timeout(Duration::from_millis(50), client.read(&mut [0; 8])).await;
    assert!(silence.is_err() || silence.is_ok_and(|read| read.is_ok_and(|read| read > 0)));
    assert!(!proxy.exchanges()[0].closed);
    proxy.sever(Break::Reset);
    assert_eq!(within(gets.recv()).await.unwrap(), b"he");
    let mut replies = Vec::new();
    let end = within(client.read_to_end(&mut replies)).await;
    assert_eq!(end.unwrap_err().kind(), ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn severed_links_end_and_new_ones_live() {
    let (upstream, mut gets) = device().await;
    let proxy = ChaosProxy::start(upstream).await.unwrap();
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    client.write_all(b"one").await.unwrap();
    assert!(proxy.until(LIMIT, |all| all.first().is_some_and(|one| one.down == b"rrr")).await);
    proxy.sever(Break::Reset);
    assert_eq!(within(gets.recv()).await.unwrap(), b"one");
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    client.write_all(b"two").await.unwrap();
    client.shutdown().await.unwrap();
    assert_eq!(within(gets.recv()).await.unwrap(), b"two");
}

#[tokio::test]
async fn refusing_port_refuses_and_takes_connections_again() {
    let (upstream, _gets) = device().await;
    let proxy = ChaosProxy::start(upstream).await.unwrap();
    for _ in 0..3 {
        within(proxy.refuse(true)).await;
        let refused = TcpStream::connect(proxy.address()).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
        within(proxy.refuse(false)).await;
        TcpStream::connect(proxy.address()).await.unwrap();
    }
}

#[tokio::test]
async fn dropped_replies_never_arrive_and_delay_holds_bytes_back() {
    let (upstream, mut gets) = device().await;
    let proxy = ChaosProxy::start(upstream).await.unwrap();
    let delay = Duration::from_millis(30);
    proxy.set(Faults { drop_replies: true, delay, ..Faults::default() });
    let started = tokio::time::Instant::now();
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    client.write_all(b"hello").await.unwrap();
    client.shutdown().await.unwrap();
    let mut replies = Vec::new();
    within(client.read_to_end(&mut replies)).await.unwrap();
    assert!(replies.is_empty());
    assert_eq!(within(gets.recv()).await.unwrap(), b"hello");
    assert!(started.elapsed() >= delay);
}

#[tokio::test]
async fn client_is_reset_when_there_is_no_device() {
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let proxy = ChaosProxy::start(nobody).await.unwrap();
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    let end = within(client.read(&mut [0; 8])).await;
    assert_eq!(end.unwrap_err().kind(), ErrorKind::ConnectionReset);
}
