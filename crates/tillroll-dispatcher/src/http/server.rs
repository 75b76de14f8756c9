//! Connections: accepted up to a bound, and ended in order within a limit.

use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower::ServiceExt as _;

use super::api::Api;
use super::extract::Peer;
use super::router::assemble;

/// Header lines of a request at most.
const HEADERS: usize = 64;
/// A door that fails, for want of file handles say, is tried again after this.
const DOOR_FAILED: Duration = Duration::from_millis(100);

/// Serves the API until it is ending. Open requests and channels are then given
/// [`end_within`](super::HttpSettings::end_within).
pub(crate) async fn serve(api: Api, listener: TcpListener) {
    let mut connections = JoinSet::new();
    accept_all(&listener, &api, &mut connections).await;
    drop(listener);
    end(&api, &mut connections).await;
}

async fn accept_all(listener: &TcpListener, api: &Api, connections: &mut JoinSet<()>) {
    let router = assemble(api.clone());
    let places = Arc::new(Semaphore::new(api.settings().connections));
    loop {
        tokio::select! {
            biased;
            () = api.ending().cancelled() => return,
            Some(_) = connections.join_next() => {}
            accepted = accept(listener, &places) => {
                if let Some((stream, peer, place)) = accepted {
                    connections.spawn(converse(stream, peer, place, router.clone(), api.clone()));
                }
            }
        }
    }
}

/// The next connection that has a place; `None` when the door failed.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, IpAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => Some((stream, peer.ip(), place)),
        Err(error) => {
            tracing::warn!(%error, "a connection could not be accepted");
            sleep(DOOR_FAILED).await;
            None
        }
    }
}

/// Serves one connection; at the end of the server its open request is answered first. One that became
/// a channel gives its place back: channels are bounded for themselves.
async fn converse(
    stream: TcpStream,
    peer: IpAddr,
    place: OwnedSemaphorePermit,
    router: Router,
    api: Api,
) {
    let _place = place;
    // Small answers leave at once; without it they are only slower.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        // A client that hangs up after its request has asked nevertheless.
        .half_close(true)
        .header_read_timeout(api.settings().header_timeout)
        .max_headers(HEADERS);
    let service = router.map_request(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        request
    });
    let service = TowerToHyperService::new(service);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = api.ending().cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}

async fn end(api: &Api, connections: &mut JoinSet<()>) {
    api.running().close();
    let all_ended = async {
        while connections.join_next().await.is_some() {}
        api.running().wait().await;
    };
    if timeout(api.settings().end_within, all_ended).await.is_err() {
        tracing::warn!("requests were still open when the API ended");
    }
}
