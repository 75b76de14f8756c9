//! The least a storm of orders costs: the same requests, pushes, answers, results and webhooks on the wire, and
//! nothing behind them. No commit, no check, no schedule, no signature.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{any, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_wire::PROTOCOL;
use tillroll_wire::channel::{Down, Push, Up};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// Pushes that may wait for a connection.
const QUEUE: usize = 64;
/// As the dispatcher has them.
const READ_BUFFER: usize = 1_024;
/// As the dispatcher has them.
const WRITE_BUFFER: usize = 8 * 1_024;

/// Passes orders on.
#[derive(Debug, Serialize, Deserialize)]
pub struct Relay {
    /// Where each result is told.
    pub told: Option<String>,
}

/// What it holds while it runs.
struct Switchboard {
    /// The connection of each store.
    lines: Mutex<BTreeMap<String, mpsc::Sender<Down>>>,
    http: reqwest::Client,
    told: Option<String>,
}

impl Relay {
    /// Says where it listens, then serves.
    pub async fn run(self) -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", serde_json::to_string(&listener.local_addr()?)?);
        let routes = Router::new()
            .route("/v1/stores/{store}/print-jobs", post(order))
            .route("/v1/channel", any(channel))
            .with_state(Arc::new(Switchboard {
                lines: Mutex::default(),
                http: reqwest::Client::new(),
                told: self.told,
            }));
        Ok(axum::serve(listener, routes).await?)
    }
}

async fn order(
    State(board): State<Arc<Switchboard>>,
    Path(store): Path<String>,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    match pushed(&board, &store, body).await {
        Ok(id) => (StatusCode::CREATED, Json(json!({ "id": id, "state": "scheduled" }))),
        Err(error) => (StatusCode::BAD_REQUEST, Json(json!({ "detail": error.to_string() }))),
    }
}

async fn pushed(board: &Switchboard, store: &str, body: Value) -> Result<String> {
    let order = body["order_no"].as_str().context("no order number")?;
    let id = format!("S1:{order}:receipt:v1");
    let push = Push {
        id: id.parse()?,
        fingerprint: Fingerprint::of(body.to_string().as_bytes()),
        printer: body["printer"].as_str().context("no printer")?.parse()?,
        body,
        remaining_ms: Some(1),
        held: None,
    };
    let line = board.lines().get(store).cloned().context("no such store")?;
    line.send(Down::Push(push)).await?;
    Ok(id)
}

async fn channel(
    State(board): State<Arc<Switchboard>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let bearer = headers.get(AUTHORIZATION).and_then(|bearer| bearer.to_str().ok());
    // As a chain names them: Bearer credential of STORE REGISTER.
    let store = bearer.and_then(|bearer| bearer.split(' ').nth(3)).unwrap_or_default().to_owned();
    upgrade.read_buffer_size(READ_BUFFER).write_buffer_size(WRITE_BUFFER).on_upgrade(
        async move |socket| {
            let (line, pushes) = mpsc::channel(QUEUE);
            board.lines().insert(store, line);
            // Whoever goes away is gone.
            let _ = talk(&board, socket, pushes).await;
        },
    )
}

async fn talk(
    board: &Arc<Switchboard>,
    mut socket: WebSocket,
    mut pushes: mpsc::Receiver<Down>,
) -> Result<()> {
    loop {
        let answer = tokio::select! {
            push = pushes.recv() => push,
            said = socket.recv() => match said {
                Some(Ok(Message::Text(text))) => answer(board, serde_json::from_str(&text)?),
                Some(Ok(_)) => None,
                Some(Err(_)) | None => return Ok(()),
            },
        };
        if let Some(answer) = answer {
            socket.send(Message::text(serde_json::to_string(&answer)?)).await?;
        }
    }
}

fn answer(board: &Arc<Switchboard>, said: Up) -> Option<Down> {
    match said {
        Up::Hello(_) => Some(Down::Welcome {
            protocol: PROTOCOL,
            store_uid: String::new(),
            now: SystemClock.now(),
            shares_orders: false,
        }),
        Up::Result(result) => {
            tokio::spawn(Arc::clone(board).tell(json!({ "id": result.id, "state": "done" })));
            Some(Down::ResultStored { id: result.id, row_version: result.row_version })
        }
        Up::Printer(_)
        | Up::PrinterRemoved { .. }
        | Up::Routes { .. }
        | Up::Accepted { .. }
        | Up::Refused { .. }
        | Up::Unknown { .. } => None,
    }
}

impl Switchboard {
    fn lines(&self) -> MutexGuard<'_, BTreeMap<String, mpsc::Sender<Down>>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whoever is told counts what comes.
    async fn tell(self: Arc<Self>, body: Value) {
        if let Some(url) = &self.told {
            let _ = self.http.post(url).json(&body).send().await;
        }
    }
}
