//! A relay between register and dispatcher that holds messages up, sends them twice, and lets later ones overtake.
//!
//! TCP keeps the order within a connection, so what is overtaken are requests that are under way together, and
//! answers: one that comes late, after the answer to a later question. On the channel, which is one connection,
//! messages are held up and come twice.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use futures_util::{Sink, SinkExt as _, Stream, StreamExt as _};
use reqwest::Client;
use tillroll_testkit::Dice;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// A message is held up for less than this.
const HELD_MS: u64 = 300;
/// Of a thousand messages so many come twice.
const TWICE: u32 = 300;
const BODY_MOST: usize = 32 << 20;

/// What the relay did.
#[derive(Debug, Default)]
pub struct Counts {
    requests: AtomicUsize,
    on_channel: AtomicUsize,
    doubled: AtomicUsize,
    overtaken: AtomicUsize,
    newest: AtomicUsize,
}

impl Counts {
    /// Messages, each of which was held up.
    pub fn messages(&self) -> usize {
        self.requests.load(SeqCst) + self.on_channel.load(SeqCst)
    }

    /// Whether all happened that was to: requests and the channel's messages, doubles, and some overtaken.
    pub fn is_unruly(&self) -> bool {
        let all = [&self.requests, &self.on_channel, &self.doubled, &self.overtaken];
        all.iter().all(|count| count.load(SeqCst) > 0)
    }

    /// A request goes on; one that came later may have gone before it.
    fn goes(&self, number: usize) {
        let newest = self.newest.fetch_max(number, SeqCst);
        self.overtaken.fetch_add(usize::from(newest > number), SeqCst);
    }
}

/// Clones are the same relay.
#[derive(Clone)]
pub struct Relay {
    office: SocketAddr,
    client: Client,
    dice: Arc<Mutex<Dice>>,
    pub counts: Arc<Counts>,
}

impl Relay {
    /// Opens one before an office; where it listens.
    pub async fn open(office: SocketAddr, seed: u64) -> Result<(Self, SocketAddr)> {
        let client = Client::builder().no_proxy().no_gzip().build()?;
        let dice = Arc::new(Mutex::new(Dice::new(seed)));
        let relay = Self { office, client, dice, counts: Arc::default() };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let routes = Router::new().route("/v1/channel", any(channel)).fallback(request);
        let routes = routes.with_state(relay.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Ok((relay, address))
    }

    async fn hold(&self) {
        let held = self.dice.lock().unwrap().below(HELD_MS);
        tokio::time::sleep(Duration::from_millis(held)).await;
    }

    /// Whether a message comes twice.
    fn twice(&self) -> bool {
        let twice = self.dice.lock().unwrap().per_mille(TWICE);
        self.counts.doubled.fetch_add(usize::from(twice), SeqCst);
        twice
    }

    async fn forward(&self, parts: &Parts, body: Bytes) -> reqwest::Result<Response> {
        let url = format!("http://{}{}", self.office, parts.uri);
        let asked = self.client.request(parts.method.clone(), url);
        let answer = asked.headers(passed_on(&parts.headers)).body(body).send().await?;
        let (status, headers) = (answer.status(), passed_on(answer.headers()));
        Ok((status, headers, Body::from(answer.bytes().await?)).into_response())
    }

    /// Asks the office, perhaps twice; then any of both answers counts.
    async fn ask(&self, parts: &Parts, body: Bytes) -> reqwest::Result<Response> {
        let first = self.forward(parts, body.clone()).await?;
        if !self.twice() {
            return Ok(first);
        }
        self.hold().await;
        let second = self.forward(parts, body).await?;
        Ok(if self.dice.lock().unwrap().per_mille(500) { first } else { second })
    }
}

/// Without what is between two ends of one connection.
fn passed_on(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    for name in
        [header::HOST, header::CONNECTION, header::CONTENT_LENGTH, header::TRANSFER_ENCODING]
    {
        headers.remove(name);
    }
    headers
}

async fn request(State(relay): State<Relay>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let number = relay.counts.requests.fetch_add(1, SeqCst);
    let body = to_bytes(body, BODY_MOST).await.unwrap();
    relay.hold().await;
    relay.counts.goes(number);
    let answer = relay.ask(&parts, body).await;
    relay.hold().await;
    answer.unwrap_or_else(|_| StatusCode::BAD_GATEWAY.into_response())
}

async fn channel(
    State(relay): State<Relay>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade.on_upgrade(async move |register| {
        // An office that refuses the channel, or is away, closes it.
        let _ = carry(&relay, register, &headers).await;
    })
}

async fn carry(relay: &Relay, register: WebSocket, headers: &HeaderMap) -> Result<()> {
    let mut asked = format!("ws://{}/v1/channel", relay.office).into_client_request()?;
    if let Some(secret) = headers.get(header::AUTHORIZATION) {
        asked.headers_mut().insert(header::AUTHORIZATION, secret.clone());
    }
    let stream = TcpStream::connect(relay.office).await?;
    let (office, _) = tokio_tungstenite::client_async(asked, stream).await?;
    let (to_register, from_register) = register.split();
    let (to_office, from_office) = office.split();
    let up = from_register.filter_map(async |message| match message {
        Ok(Message::Text(text)) => Some(text.to_string()),
        _ => None,
    });
    let down = from_office.filter_map(async |message| match message {
        Ok(tungstenite::Message::Text(text)) => Some(text.to_string()),
        _ => None,
    });
    let to_office = to_office
        .with(async |text: String| Ok::<_, tungstenite::Error>(tungstenite::Message::text(text)));
    let to_register =
        to_register.with(async |text: String| Ok::<_, axum::Error>(Message::text(text)));
    tokio::select! {
        () = pass(relay, up, to_office) => {}
        () = pass(relay, down, to_register) => {}
    }
    Ok(())
}

/// Passes messages on until one side ends. The greeting opens a connection and comes once.
async fn pass<E>(
    relay: &Relay,
    from: impl Stream<Item = String>,
    to: impl Sink<String, Error = E>,
) {
    let (mut from, mut to) = (std::pin::pin!(from), std::pin::pin!(to));
    let mut is_greeting = true;
    while let Some(text) = from.next().await {
        relay.counts.on_channel.fetch_add(1, SeqCst);
        relay.hold().await;
        let times = if !is_greeting && relay.twice() { 2 } else { 1 };
        is_greeting = false;
        for _ in 0..times {
            if to.send(text.clone()).await.is_err() {
                return;
            }
        }
    }
}
