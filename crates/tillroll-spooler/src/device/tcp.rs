//! Network printers on a raw TCP port.
//!
//! Invariant: a connection that is not closed in order is reset, however its program ends, so that bytes
//! of a job that was given up never arrive behind the next one.

mod send_queue;

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::time::Duration;

use rustix::net::sockopt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::{Instant, timeout_at};

use self::send_queue::unacknowledged;
use super::link::LinkReader;
use super::{Limits, OpenError, driver_call};

/// Idle time before the first probe of a silent connection, and between probes.
const KEEPALIVE: Duration = Duration::from_secs(10);

/// Unanswered probes after which the connection counts as broken.
const KEEPALIVE_PROBES: u32 = 3;

/// Connects to the first address of `host` that answers within `limits.connect`.
pub(super) async fn open(
    host: &str,
    port: u16,
    limits: &Limits,
) -> Result<(OwnedReadHalf, OwnedWriteHalf), OpenError> {
    let deadline = Instant::now() + limits.connect;
    let addresses = resolve(host, port, limits).await?;
    let stream = connect_any(&addresses, deadline)
        .await
        .map_err(|error| OpenError::from_io(error, limits.connect))?;
    prepare(&stream).map_err(|error| OpenError::from_io(error, limits.connect))?;
    Ok(stream.into_split())
}

/// Looks the host up on a driver thread: a resolver can hang far longer than a printer may.
async fn resolve(host: &str, port: u16, limits: &Limits) -> Result<Vec<SocketAddr>, OpenError> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    driver_call::admit(host, limits.stuck_calls)?;
    let name = host.to_owned();
    let look_up = move || (name.as_str(), port).to_socket_addrs().map(Vec::from_iter);
    match driver_call::call(host, limits.connect, look_up).await {
        Ok(Ok(addresses)) if !addresses.is_empty() => Ok(addresses),
        Ok(Ok(_)) => Err(unknown(host, io::ErrorKind::NotFound.into())),
        Ok(Err(error)) => Err(unknown(host, error)),
        Err(error) => Err(OpenError::from_io(error, limits.connect)),
    }
}

fn unknown(host: &str, error: io::Error) -> OpenError {
    OpenError::UnknownHost { host: host.to_owned(), source: error.into() }
}

/// Tries each address with an equal share of the time left, so that a silent one does not use up
/// the turn of the next. Of several failures the last is reported.
async fn connect_any(addresses: &[SocketAddr], deadline: Instant) -> io::Result<TcpStream> {
    let mut failure = io::Error::from(io::ErrorKind::TimedOut);
    for (position, address) in addresses.iter().enumerate() {
        let turns = u32::try_from(addresses.len() - position).unwrap_or(u32::MAX);
        let now = Instant::now();
        let turn_ends = now + deadline.saturating_duration_since(now) / turns;
        match timeout_at(turn_ends, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => failure = error,
            Err(elapsed) => failure = elapsed.into(),
        }
    }
    Err(failure)
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    // The system does it also for a program that is killed.
    stream.set_zero_linger()?;
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, KEEPALIVE)?;
    sockopt::set_tcp_keepintvl(stream, KEEPALIVE)?;
    sockopt::set_tcp_keepcnt(stream, KEEPALIVE_PROBES)?;
    Ok(())
}

/// Resets the connection once its reading half is gone too: bytes that have not left this computer
/// never will.
pub(super) fn abort(writer: OwnedWriteHalf) {
    writer.forget();
}

/// Half-closes, then reads until the printer has closed its side. One that keeps its side open for
/// `close` has taken everything once it has acknowledged everything, for which it is given `limit`.
pub(super) async fn finish(
    mut reader: LinkReader,
    mut writer: OwnedWriteHalf,
    close: Duration,
    limit: Duration,
) -> io::Result<()> {
    sockopt::set_socket_linger(writer.as_ref(), None)?;
    writer.shutdown().await?;
    let deadline = Instant::now() + limit;
    loop {
        let look = deadline.min(Instant::now() + close);
        match timeout_at(look, reader.read_out()).await {
            Ok(closed) => return closed,
            Err(_elapsed) if unacknowledged(writer.as_ref()) == Some(0) => {
                writer.forget();
                return Ok(());
            }
            Err(elapsed) if look == deadline => {
                // The rest must not arrive behind the next job.
                writer.as_ref().set_zero_linger()?;
                writer.forget();
                return Err(elapsed.into());
            }
            Err(_elapsed) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpSocket};

    use super::*;

    /// A listener that answers no further connection: its queue is full.
    async fn silent_listener() -> (SocketAddr, Vec<TcpStream>, TcpListener) {
        let socket = TcpSocket::new_v4().expect("socket");
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("bind");
        let listener = socket.listen(1).expect("listen");
        let address = listener.local_addr().expect("address");
        let mut queued = Vec::new();
        let patience = Duration::from_millis(50);
        while let Ok(stream) = tokio::time::timeout(patience, TcpStream::connect(address)).await {
            queued.push(stream.expect("queued connection"));
        }
        (address, queued, listener)
    }

    #[tokio::test]
    async fn silent_address_does_not_use_up_the_turn_of_the_next() {
        let (silent, _queued, _full) = silent_listener().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listener");
        let live = listener.local_addr().expect("address");
        let deadline = Instant::now() + Duration::from_millis(400);
        let stream = connect_any(&[silent, live], deadline).await.expect("second address");
        assert_eq!(stream.peer_addr().expect("peer"), live);
    }

    #[tokio::test]
    async fn printer_that_answers_nothing_times_out_within_the_limit() {
        let (silent, _queued, _full) = silent_listener().await;
        let limits = Limits { connect: Duration::from_millis(80), ..Limits::default() };
        let begun = Instant::now();
        let error = open("127.0.0.1", silent.port(), &limits).await.expect_err("no answer");
        assert!(matches!(error, OpenError::TimedOut { limit } if limit == limits.connect));
        assert!(begun.elapsed() < Duration::from_secs(2), "took {:?}", begun.elapsed());
    }
}
