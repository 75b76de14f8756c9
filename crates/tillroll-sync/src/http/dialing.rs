//! Opening connections over a line that loses packets. One whose first packet is lost is tried again only after a
//! second, and waits for seconds on what it loses next (RFC 6298 2.1, 5.7). So where none is up after a moment,
//! another is opened beside it, and the first that is up carries the request: the server sees it once.

use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, once};
use futures_util::{Stream, StreamExt as _};
use reqwest::header::CONTENT_LENGTH;
use reqwest::{Body, RequestBuilder, Response};
use tokio::sync::oneshot;
use tokio::time::sleep;

/// One that is not up after so long gets another beside it; nearly every line answers sooner.
const BESIDE_AFTER: Duration = Duration::from_millis(200);
/// Connections that are opened at most for one request.
const MOST: usize = 4;

type Answering = Pin<Box<dyn Future<Output = reqwest::Result<Response>> + Send>>;

/// What became of a connection that was to carry the request.
enum Dialed {
    /// It carries it.
    Up(Answering),
    /// It ended before.
    Ended(reqwest::Result<Response>),
}

/// Sends the request with this body on the first connection that is up.
pub(super) async fn send(
    request: impl Fn() -> RequestBuilder,
    body: &[u8],
) -> reqwest::Result<Response> {
    let mut dialing = FuturesUnordered::from_iter([dial(request(), body.to_vec())]);
    let mut dials = 1;
    loop {
        tokio::select! {
            Some(dialed) = dialing.next() => match dialed {
                Dialed::Up(answering) => return answering.await,
                Dialed::Ended(answer) if answer.is_ok() || dialing.is_empty() => return answer,
                Dialed::Ended(_) => {}
            },
            () = sleep(BESIDE_AFTER), if dials < MOST => {
                dialing.push(dial(request(), body.to_vec()));
                dials += 1;
            }
        }
    }
}

/// Opens a connection, or takes one that waits for work. That the body is asked for shows that it is up.
async fn dial(request: RequestBuilder, body: Vec<u8>) -> Dialed {
    let (up, is_up) = oneshot::channel();
    let length = body.len();
    let request = request.header(CONTENT_LENGTH, length).body(Body::wrap_stream(told(up, body)));
    let mut answering: Answering = Box::pin(request.send());
    tokio::select! {
        answer = &mut answering => Dialed::Ended(answer),
        Ok(()) = is_up => Dialed::Up(answering),
    }
}

/// The body, and word of the moment it is asked for.
fn told(up: oneshot::Sender<()>, body: Vec<u8>) -> impl Stream<Item = Result<Vec<u8>, Infallible>> {
    once(async move {
        // Whoever waited for it has an answer already.
        let _ = up.send(());
        Ok(body)
    })
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use axum::Router;
    use axum::routing::post;
    use reqwest::Client;
    use tower::util::MapFutureLayer;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    /// A server that counts the bodies it reads.
    async fn server(read: &Arc<AtomicUsize>) -> String {
        let read = Arc::clone(read);
        let count = async move |body: String| {
            read.fetch_add(1, Relaxed);
            body
        };
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        let listener = tokio::net::TcpListener::bind(any_port).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let routes = Router::new().route("/", post(count));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        url
    }

    /// A client whose first connections never come up, and how many it opened.
    fn client(lost: usize) -> (Client, Arc<AtomicUsize>) {
        let opened = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&opened);
        let layer = MapFutureLayer::new(move |connecting| {
            let is_lost = counted.fetch_add(1, Relaxed) < lost;
            async move {
                if is_lost {
                    std::future::pending::<()>().await;
                }
                connecting.await
            }
        });
        (Client::builder().no_proxy().connector_layer(layer).build().unwrap(), opened)
    }

    /// What the server answers.
    async fn answer(client: &Client, url: &str) -> String {
        let answered = tokio::time::timeout(LIMIT, send(|| client.post(url), b"batch")).await;
        answered.unwrap().unwrap().text().await.unwrap()
    }

    #[tokio::test]
    async fn connection_that_does_not_come_up_gets_another_beside_it_and_the_server_reads_once() {
        let read = Arc::default();
        let (url, (client, opened)) = (server(&read).await, client(2));
        assert_eq!(answer(&client, &url).await, "batch");
        assert_eq!((opened.load(Relaxed), read.load(Relaxed)), (3, 1));
    }

    #[tokio::test]
    async fn connection_that_stands_is_used_again() {
        let read = Arc::default();
        let (url, (client, opened)) = (server(&read).await, client(0));
        for _ in 0..3 {
            answer(&client, &url).await;
        }
        assert_eq!((opened.load(Relaxed), read.load(Relaxed)), (1, 3));
    }

    #[tokio::test]
    async fn so_many_connections_are_opened_and_no_more() {
        let read = Arc::default();
        let (url, (client, opened)) = (server(&read).await, client(usize::MAX));
        let sent = tokio::time::timeout(BESIDE_AFTER * 10, send(|| client.post(&url), b"batch"));
        assert!(sent.await.is_err());
        assert_eq!((opened.load(Relaxed), read.load(Relaxed)), (MOST, 0));
    }

    #[tokio::test]
    async fn server_that_is_not_there_is_told_at_once() {
        let (client, opened) = client(0);
        let sent = send(|| client.post("http://127.0.0.1:1/"), b"batch").await;
        assert!(sent.unwrap_err().is_connect());
        assert_eq!(opened.load(Relaxed), 1);
    }
}
