//! Networks that seem to work: the cause is shown, nothing counts as told, and all is told once it works.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::routing::{any, get, post};
use futures_util::FutureExt as _;
use serde_json::json;
use tillroll_domain::clock::Clock;
use tillroll_store::CloudCredential;
use tillroll_sync::{Cloud, CloudStatus, Connectivity, HttpLink, Setup, Timings};
use tillroll_testkit::{Attack, Break, ChaosProxy, Door, Leads, ManualClock};
use tillroll_wire::PROTOCOL;

use crate::sockets::{Books, SECRET, hour, records, serve};
use crate::support::{Till, fast, pair, status, until};

/// A head office on a socket of its own, with quiet channels.
struct HeadOffice {
    address: SocketAddr,
    books: Books,
    /// Channels that were opened.
    channels: Arc<AtomicUsize>,
}

impl HeadOffice {
    async fn open() -> Self {
        let (books, channels) = (Books::default(), Arc::<AtomicUsize>::default());
        let opened = Arc::clone(&channels);
        let channel = async move |upgrade: WebSocketUpgrade| {
            opened.fetch_add(1, Relaxed);
            upgrade.on_upgrade(welcome)
        };
        let routes = Router::new()
            .route("/v1/sync/records", post(records))
            .route("/v1/sync/hours/{hour}", get(hour))
            .route("/v1/channel", any(channel))
            .with_state(Arc::clone(&books));
        let url = serve(routes).await;
        let address = url.trim_start_matches("http://").parse().unwrap();
        Self { address, books, channels }
    }
}

async fn welcome(mut socket: WebSocket) {
    let now = "2026-10-12T02:00:00Z";
    let welcome = json!({"type": "welcome", "protocol": PROTOCOL, "store_uid": "uid", "now": now});
    if socket.send(Message::text(welcome.to_string())).await.is_ok() {
        while let Some(Ok(_)) = socket.recv().await {}
    }
}

/// The workers of a till on the real link to an address.
fn start(till: &Till, url: &str, clock: Arc<dyn Clock>) -> Cloud {
    let credential = CloudCredential::new(SECRET.into());
    Cloud::start(Setup {
        store: till.store.clone(),
        clock: till.clock.shared(),
        link: HttpLink::new(url, &credential, "st_1", clock).unwrap(),
        printers: till.printers.clone(),
        random: || 0,
        program: "test".into(),
        // A question that gets no answer must not wait for long.
        timings: Timings { ask: Duration::from_millis(500), ..fast() },
    })
}

async fn sold_and_paired() -> Till {
    let till = Till::new().await;
    till.sell(1).await;
    pair(&till).await;
    till
}

/// Whether connection and upload both failed for a reason with these words in it.
fn failed_for(status: &CloudStatus, words: &str) -> bool {
    let upload = status.upload_error.as_deref().unwrap_or_default();
    match &status.connection {
        Connectivity::Offline { cause, .. } => cause.contains(words) && upload.contains(words),
        _ => false,
    }
}

/// What was told, once each: a slow machine may ask again.
fn told(books: &Books) -> BTreeSet<String> {
    books.lock().unwrap().iter().cloned().collect()
}

/// Sales 1 to so many, as records.
fn sold(sales: u32) -> BTreeSet<String> {
    (1..=sales).map(|n| format!("S1:R1-{n:06}:receipt:v1/receipt/e1/r1")).collect()
}

/// The sales are told as soon as the network is one; ends the attack by what is in the books.
async fn is_told(till: &Till, cloud: &Cloud, books: &Books, sales: u32, attack: Attack) {
    cloud.retry();
    until("it is told", async || till.waiting().await, |waiting| *waiting == 0).await;
    let (told, sold) = (told(books), sold(sales));
    let losses = sold.difference(&told).count();
    Attack { losses, duplicates: told.difference(&sold).count(), ..attack }.end();
}

/// Waits until the status is so; an attack that nobody was told of when it never is.
async fn is_shown(cloud: &Cloud, what: &str, so: impl Fn(&CloudStatus) -> bool) -> Attack {
    let shown = AssertUnwindSafe(status(cloud, what, so)).catch_unwind().await;
    let mut attack = Attack::on_all(what);
    attack.tried(shown.map(drop).map_err(|_| what.to_owned()));
    attack
}

async fn is_shown_and_costs_nothing(what: &str, leads: Leads, words: &str) {
    let (office, till) = (HeadOffice::open().await, sold_and_paired().await);
    let door = Door::open(leads).await.unwrap();
    let cloud = start(&till, &door.url(), till.clock.shared());
    let attack = is_shown(&cloud, what, |status| failed_for(status, words)).await;
    assert_eq!(till.waiting().await, 1);
    assert!(told(&office.books).is_empty());
    door.lead(Leads::Through(office.address));
    is_told(&till, &cloud, &office.books, 1, attack).await;
    cloud.stop().await;
}

#[tokio::test]
async fn peer_that_accepts_and_never_reads_is_no_answer() {
    is_shown_and_costs_nothing("a peer that never reads", Leads::Deaf, "no answer within").await;
}

#[tokio::test]
async fn page_that_answers_everything_with_200_is_not_the_head_office() {
    is_shown_and_costs_nothing(
        "a guest network's page",
        Leads::Page,
        "not the dispatcher answered, with status 200",
    )
    .await;
}

#[tokio::test]
async fn name_that_nobody_knows_is_no_connection() {
    let (office, till) = (HeadOffice::open().await, sold_and_paired().await);
    // RFC 6761 6.4: no resolver knows a name that ends so. Where there is none at all, nobody says so either.
    let cloud = start(&till, "http://dispatch.invalid", till.clock.shared());
    let failed = |status: &CloudStatus| {
        failed_for(status, "no connection") || failed_for(status, "no answer within")
    };
    let attack = is_shown(&cloud, "a name that nobody knows", failed).await;
    assert_eq!(till.waiting().await, 1);
    cloud.stop().await;
    let cloud = start(&till, &format!("http://{}", office.address), till.clock.shared());
    is_told(&till, &cloud, &office.books, 1, attack).await;
    cloud.stop().await;
}

#[tokio::test]
async fn link_that_died_without_a_word_costs_no_sale_and_is_made_anew() {
    let (office, till) = (HeadOffice::open().await, sold_and_paired().await);
    let network = ChaosProxy::start(office.address).await.unwrap();
    let clock = ManualClock::reading("2026-10-12T02:00:00Z");
    let cloud = start(&till, &format!("http://{}", network.address()), Arc::new(clock.clone()));
    until("it is told", async || till.waiting().await, |waiting| *waiting == 0).await;
    let online = |status: &CloudStatus| matches!(status.connection, Connectivity::Online { .. });
    status(&cloud, "the channel stands", online).await;
    network.sever(Break::Stall);
    till.sell(2).await;
    until("the next is told", async || till.waiting().await, |waiting| *waiting == 0).await;
    // As long as a peer may be silent.
    clock.advance(Duration::from_secs(31));
    let channels = async || office.channels.load(Relaxed);
    until("another channel is opened", channels, |channels| *channels == 2).await;
    let attack = is_shown(&cloud, "a link that died without a word", online).await;
    is_told(&till, &cloud, &office.books, 2, attack).await;
    cloud.stop().await;
}
