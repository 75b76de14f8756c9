//! Connections: accepted up to a bound, and ended in order within a limit.

use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

/// Header lines of a request at most.
const HEADERS: usize = 64;
/// A door that fails, for want of file handles say, is tried again after this.
const DOOR_FAILED: Duration = Duration::from_millis(100);

/// Bounds of a server, and what it tells its handlers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerSettings {
    /// Connections at the same time; more wait at the door.
    pub connections: usize,
    /// From the first byte of a request, or the last answer, to the end of its head.
    pub header_timeout: Duration,
    /// A client that does not read what it is sent within this is dropped.
    pub write_within: Duration,
    /// How long open requests are given when the server ends.
    pub end_within: Duration,
    /// Whether each request carries its [`Peer`]; that costs an allocation.
    pub names_peer: bool,
}

/// Extension of a request: the address at the other end of its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

/// Routes to serve over HTTP/1.1.
#[derive(Debug, Clone)]
pub struct Server {
    /// What answers requests.
    pub router: Router,
    /// The bounds.
    pub settings: ServerSettings,
    /// Fires when the server shall end.
    pub ending: CancellationToken,
    /// What outlives its connection: changes that still run, connections that became channels.
    pub running: TaskTracker,
}

impl Server {
    /// Serves until [`Server::ending`] fires. What is open or running is then given
    /// [`ServerSettings::end_within`].
    pub async fn serve(self, listener: TcpListener) {
        let mut connections = JoinSet::new();
        self.accept_all(&listener, &mut connections).await;
        drop(listener);
        self.end(connections).await;
    }

    async fn accept_all(&self, listener: &TcpListener, connections: &mut JoinSet<()>) {
        let places = Arc::new(Semaphore::new(self.settings.connections));
        loop {
            tokio::select! {
                biased;
                () = self.ending.cancelled() => return,
                Some(_) = connections.join_next() => {}
                accepted = accept(listener, &places) => {
                    if let Some((stream, from, place)) = accepted {
                        connections.spawn(self.clone().converse(stream, from, place));
                    }
                }
            }
        }
    }

    /// Serves one connection; at the end of the server its open request is answered first. One that
    /// became a channel gives its place back: channels are bounded by whoever opens them.
    async fn converse(self, stream: TcpStream, from: SocketAddr, _place: OwnedSemaphorePermit) {
        // Small answers leave at once; without it they are only slower.
        let _ = stream.set_nodelay(true);
        let mut stream = Box::pin(TimeoutStream::new(stream));
        stream.as_mut().set_write_timeout_pinned(Some(self.settings.write_within));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            // A client that hangs up after its request has asked nevertheless.
            .half_close(true)
            .header_read_timeout(self.settings.header_timeout)
            .max_headers(HEADERS);
        let Self { router, settings, ending, .. } = self;
        let peer = settings.names_peer.then(|| Peer(from.ip()));
        let service = service_fn(move |mut request: Request<Incoming>| {
            if let Some(peer) = peer {
                request.extensions_mut().insert(peer);
            }
            router.clone().oneshot(request)
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        let mut connection = pin!(connection.with_upgrades());
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = ending.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection broke");
        }
    }

    async fn end(&self, mut connections: JoinSet<()>) {
        self.running.close();
        let all_ended = async {
            while connections.join_next().await.is_some() {}
            self.running.wait().await;
        };
        if timeout(self.settings.end_within, all_ended).await.is_err() {
            tracing::warn!("requests were still open when the API ended");
        }
    }
}

/// The next connection that has a place; `None` when the door failed.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, from)) => Some((stream, from, place)),
        Err(error) => {
            tracing::warn!(%error, "a connection could not be accepted");
            sleep(DOOR_FAILED).await;
            None
        }
    }
}

#[cfg(test)]
mod tests;
