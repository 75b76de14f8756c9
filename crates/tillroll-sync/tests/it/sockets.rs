//! The real link against a real server: requests, refusals, pairing, and the channel on a WebSocket.

use std::io::Read as _;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use flate2::read::GzDecoder;
use tillroll_store::CloudCredential;
use tillroll_sync::{
    Channel, Connectivity, HttpLink, Lane, Link, LinkError, PairError, Setup, pair,
};
use tillroll_wire::channel::{ClockReading, Down, Up};
use tillroll_wire::pairing::{PairBody, Paired};
use tillroll_wire::record::{Batch, RecordVerdict, Verdict, Verdicts};
use tillroll_wire::repair::HourIds;
use tillroll_wire::{Code, PROTOCOL, Problem};

use crate::support::{LIMIT, TestClock, Till, fast, status, until};

pub const SECRET: &str = "5ecret";

/// Ids the server has taken.
pub type Books = Arc<Mutex<Vec<String>>>;

pub async fn serve(router: Router) -> String {
    let listener =
        tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

fn office(books: &Books) -> Router {
    Router::new()
        .route("/v1/sync/records", post(records))
        .route("/v1/sync/hours/{hour}", get(hour))
        .route("/v1/channel", any(channel))
        .with_state(Arc::clone(books))
}

fn problem(code: Code) -> Response {
    let problem = Problem::new(code, "scripted");
    (StatusCode::from_u16(problem.status).unwrap(), Json(problem)).into_response()
}

fn is_known(headers: &HeaderMap) -> bool {
    headers.get("authorization").is_some_and(|given| given == &format!("Bearer {SECRET}"))
}

pub async fn records(
    State(books): State<Books>,
    headers: HeaderMap,
    Json(batch): Json<Batch>,
) -> Response {
    if !is_known(&headers) {
        return problem(Code::Unauthorized);
    }
    let verdicts = batch.records.into_iter().map(|record| {
        books.lock().unwrap().push(record.request_id.clone());
        RecordVerdict { request_id: record.request_id, verdict: Verdict::Accepted }
    });
    Json(Verdicts { now: batch.clock.now, verdicts: verdicts.collect(), shares_orders: false })
        .into_response()
}

pub async fn hour(Path(hour): Path<i64>) -> Json<HourIds> {
    Json(HourIds { hour, records: Vec::new() })
}

async fn channel(headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    if is_known(&headers) { upgrade.on_upgrade(talk) } else { problem(Code::Unauthorized) }
}

/// Welcomes a hello and asks for one job.
async fn talk(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        let Message::Text(text) = message else { continue };
        let said = match serde_json::from_str(&text).unwrap() {
            Up::Hello(hello) => Down::Welcome {
                protocol: PROTOCOL,
                store_uid: "uid".into(),
                now: hello.clock.now,
                shares_orders: false,
            },
            Up::Unknown { id } => {
                Down::Bye { code: Code::Stopping, detail: id.to_string(), retry_after_ms: None }
            }
            other => panic!("{other:?}"),
        };
        let welcomed = matches!(said, Down::Welcome { .. });
        say(&mut socket, &said).await;
        if welcomed {
            // A newer dispatcher may say what this register does not know.
            socket.send(Message::text(r#"{"type":"newer","what":1}"#)).await.unwrap();
            say(&mut socket, &Down::Status { id: "S1:1:receipt:v1".parse().unwrap() }).await;
        }
    }
}

async fn say(socket: &mut WebSocket, down: &Down) {
    let text = serde_json::to_string(down).unwrap();
    socket.send(Message::text(text)).await.unwrap();
}

fn link(url: &str, secret: &str) -> HttpLink {
    let clock = TestClock::new().shared();
    HttpLink::new(url, &CloudCredential::new(secret.into()), "st_1", clock).unwrap()
}

#[tokio::test]
async fn register_uploads_and_talks_over_real_sockets() {
    let (till, books) = (Till::new().await, Books::default());
    let url = serve(office(&books)).await;
    till.sell(1).await;
    crate::support::pair(&till).await;
    let cloud = tillroll_sync::Cloud::start(Setup {
        store: till.store.clone(),
        clock: till.clock.shared(),
        link: link(&url, SECRET),
        printers: till.printers.clone(),
        random: || 0,
        program: "test".into(),
        timings: fast(),
    });
    until("it is sent", async || till.waiting().await, |waiting| *waiting == 0).await;
    assert_eq!(books.lock().unwrap().as_slice(), ["S1:R1-000001:receipt:v1/receipt/e1/r1"]);
    let bye = |status: &tillroll_sync::CloudStatus| match &status.connection {
        Connectivity::Offline { cause, .. } => cause.contains("stopping: S1:1:receipt:v1"),
        _ => false,
    };
    status(&cloud, "the bye is shown", bye).await;
    cloud.stop().await;
}

#[tokio::test]
async fn wrong_credential_is_a_refusal_of_requests_and_channel() {
    let url = serve(office(&Books::default())).await;
    let link = link(&url, "other");
    let batch = Batch {
        protocol: PROTOCOL,
        installation: "i".into(),
        clock: tillroll_wire::channel::ClockReading {
            now: "2026-10-12T02:00:00Z".parse().unwrap(),
            boot_ms: 1,
        },
        records: Vec::new(),
    };
    let refused = link.send_records(&batch, Lane::Second).await.unwrap_err();
    assert_eq!(refused.lasting().unwrap().code, Code::Unauthorized);
    let refused = link.open_channel().await.unwrap_err();
    assert_eq!(refused.lasting().unwrap().code, Code::Unauthorized);
}

#[tokio::test]
async fn sign_in_page_of_a_guest_network_revokes_nothing() {
    let page = || async { (StatusCode::UNAUTHORIZED, Html("<html>Welcome to the hotel</html>")) };
    let url = serve(Router::new().fallback(page)).await;
    let link = link(&url, SECRET);
    let error = link.hour_ids(1).await.unwrap_err();
    assert!(matches!(error, LinkError::NotOurs { status: 401 }), "{error:?}");
    assert!(error.lasting().is_none());
    let error = link.open_channel().await.unwrap_err();
    assert!(error.lasting().is_none(), "{error:?}");
}

#[tokio::test]
async fn redirect_is_not_followed_with_the_credential() {
    let elsewhere = axum::response::Redirect::temporary("http://127.0.0.1:9/");
    let url = serve(Router::new().fallback(move || async move { elsewhere })).await;
    let error = link(&url, SECRET).hour_ids(1).await.unwrap_err();
    assert!(matches!(error, LinkError::NotOurs { status: 307 }), "{error:?}");
}

#[tokio::test]
async fn nobody_there_is_no_connection_and_names_no_secret() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = link(&url, SECRET).hour_ids(1).await.unwrap_err();
    assert!(error.is_unreachable(), "{error:?}");
    assert!(!format!("{error:?} {error}").contains(SECRET));
}

#[tokio::test]
async fn channel_that_the_server_closes_says_so() {
    let close =
        |upgrade: WebSocketUpgrade| async { upgrade.on_upgrade(|socket| async { drop(socket) }) };
    let url = serve(Router::new().route("/v1/channel", any(close))).await;
    let Channel { up: _up, mut down } = link(&url, SECRET).open_channel().await.unwrap();
    let ended = tokio::time::timeout(LIMIT, down.recv()).await.unwrap();
    assert!(matches!(ended, Some(Err(LinkError::Dropped(_)))), "{ended:?}");
}

#[tokio::test]
async fn pairing_trades_a_code_for_a_credential_once() {
    let used = Arc::new(Mutex::new(false));
    let answer = move |Json(body): Json<PairBody>| async move {
        if body.code != "123-456" || std::mem::replace(&mut *used.lock().unwrap(), true) {
            return problem(Code::PairingCode);
        }
        let (store_uid, store_name) = ("uid".to_owned(), "shop".to_owned());
        let paired = Paired { credential: SECRET.into(), store_uid, store_name, last: None };
        (StatusCode::CREATED, Json(paired)).into_response()
    };
    let url = serve(Router::new().route("/v1/pair", post(answer))).await;
    let body = PairBody {
        protocol: PROTOCOL,
        code: "123-456".into(),
        store: "S1".parse().unwrap(),
        register: "R1".parse().unwrap(),
        installation: "i".into(),
    };
    let paired = pair(&url, &body).await.unwrap();
    assert_eq!(paired.credential, SECRET);
    let again = pair(&url, &body).await;
    assert!(
        matches!(&again, Err(PairError::Refused(problem)) if problem.code == Code::PairingCode),
        "{again:?}"
    );
    let insecure = pair("http://192.0.2.1", &body).await;
    assert!(matches!(insecure, Err(PairError::Url(_))), "{insecure:?}");
}

/// A server that offers gzip with its answers or does not, and takes packed bodies accordingly.
fn packing_office(books: &Books, offers: Arc<AtomicBool>, packed: Arc<AtomicUsize>) -> Router {
    let books = Arc::clone(books);
    let records = async move |headers: HeaderMap, body: Bytes| {
        let offered = offers.load(Relaxed);
        let is_packed = headers.get("content-encoding").is_some_and(|coding| coding == "gzip");
        if is_packed && !offered {
            return problem(Code::InvalidBody);
        }
        let mut text = Vec::new();
        if is_packed {
            packed.fetch_add(1, Relaxed);
            GzDecoder::new(&*body).read_to_end(&mut text).unwrap();
        } else {
            text = body.to_vec();
        }
        let batch = Json(serde_json::from_slice(&text).unwrap());
        let mut answer = records(State(Arc::clone(&books)), headers, batch).await;
        if offered {
            answer.headers_mut().insert("accept-encoding", "gzip".parse().unwrap());
        }
        answer
    };
    Router::new().route("/v1/sync/records", post(records))
}

#[tokio::test]
async fn batches_go_packed_once_that_is_offered_and_plain_once_it_is_not() {
    let (books, packed) = (Books::default(), Arc::new(AtomicUsize::new(0)));
    let offers = Arc::new(AtomicBool::new(true));
    let url = serve(packing_office(&books, Arc::clone(&offers), Arc::clone(&packed))).await;
    let link = link(&url, SECRET);
    let till = Till::new().await;
    for n in 1..=5 {
        till.sell(n).await;
    }
    let due = till
        .store
        .due_records(tillroll_store::RecordId(0), 9, usize::MAX, till.now())
        .await
        .unwrap();
    let batch = Batch {
        protocol: PROTOCOL,
        installation: "i".into(),
        clock: ClockReading { now: till.now(), boot_ms: 1 },
        records: due.into_iter().map(|due| due.record).collect(),
    };
    for (offered, packed_so_far) in
        [(true, 0), (true, 1), (false, 1), (false, 1), (true, 1), (true, 2)]
    {
        offers.store(offered, Relaxed);
        let answer = link.send_records(&batch, Lane::First).await.unwrap();
        assert_eq!(answer.verdicts.len(), 5, "nothing is refused for its coding");
        assert_eq!(packed.load(Relaxed), packed_so_far);
    }
}
