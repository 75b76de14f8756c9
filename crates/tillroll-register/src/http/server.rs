//! Connections: accepted up to a bound, and ended in order within a limit.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::HttpSettings;
use super::api::Api;
use super::router::assemble;
use crate::Register;

/// Header lines of a request at most.
const HEADERS: usize = 64;
/// A door that fails, for want of file handles say, is tried again after this.
const DOOR_FAILED: Duration = Duration::from_millis(100);

/// Serves the API until `shutdown` is ready. Open requests are then given
/// [`HttpSettings::end_within`].
///
/// # Errors
/// `InvalidInput` for a listener that others can reach: the API has no TLS.
pub async fn serve(
    register: Register,
    listener: TcpListener,
    settings: HttpSettings,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let local = listener.local_addr()?;
    if !local.ip().is_loopback() {
        let text = format!("{local} is no loopback address: the API has no TLS");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    let api = Api::new(register, settings, Some(local.port()));
    let mut connections = JoinSet::new();
    accept_until(shutdown, &listener, &api, &mut connections).await;
    drop(listener);
    end(&api, &mut connections).await;
    Ok(())
}

async fn accept_until(
    shutdown: impl Future<Output = ()>,
    listener: &TcpListener,
    api: &Api,
    connections: &mut JoinSet<()>,
) {
    let router = assemble(api.clone());
    let places = Arc::new(Semaphore::new(api.settings().connections));
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => return,
            Some(_) = connections.join_next() => {}
            accepted = accept(listener, &places) => {
                if let Some((stream, place)) = accepted {
                    connections.spawn(converse(stream, place, router.clone(), api.clone()));
                }
            }
        }
    }
}

/// The next connection that has a place; `None` when the door failed.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, place)),
        Err(error) => {
            tracing::warn!(%error, "a connection could not be accepted");
            sleep(DOOR_FAILED).await;
            None
        }
    }
}

/// Serves one connection; at the end of the server its open request is answered first.
async fn converse(stream: TcpStream, place: OwnedSemaphorePermit, router: Router, api: Api) {
    let _place = place;
    // Small answers leave at once; without it they are only slower.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        // A client that hangs up after its request has asked nevertheless.
        .half_close(true)
        .header_read_timeout(api.settings().header_timeout)
        .max_headers(HEADERS);
    let service = TowerToHyperService::new(router);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
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
    api.ending().cancel();
    api.running().close();
    let all_ended = async {
        while connections.join_next().await.is_some() {}
        api.running().wait().await;
    };
    if timeout(api.settings().end_within, all_ended).await.is_err() {
        tracing::warn!("requests were still open when the API ended");
    }
}
