//! The push channel on a WebSocket (RFC 6455): the handshake on the HTTP client's connection, and a task
//! that carries frames both ways until one side ends or nothing is heard.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use reqwest::{RequestBuilder, Response, StatusCode, Upgraded};
use tillroll_domain::clock::Clock;
use tillroll_wire::channel::{Down, Up};
use tokio::sync::mpsc;
use tokio::time::{interval, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::packing::Packing;
use super::{dropped, refusal, unreachable};
use crate::{Channel, LinkError};

/// Messages that may wait for the connection, each way.
const QUEUE: usize = 64;
/// The largest message: a pushed receipt.
const MESSAGE_MOST: usize = 8 * 1024 * 1024;
/// A quiet connection is asked for a sign of life after so long.
const PING_AFTER: Duration = Duration::from_secs(10);
/// One that gives none for so long is dead.
const SILENT_AFTER: Duration = Duration::from_secs(30);
/// How often both are looked at; also after the machine slept.
const LOOK: Duration = Duration::from_secs(5);
/// A frame the connection does not take for so long means that it is dead.
const WRITE: Duration = Duration::from_secs(10);

/// Opens the channel.
pub(super) async fn open(
    request: RequestBuilder,
    packing: &Packing,
    clock: Arc<dyn Clock>,
) -> Result<Channel, LinkError> {
    let key = generate_key();
    let request = request
        .header(CONNECTION, "Upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_VERSION, "13")
        .header(SEC_WEBSOCKET_KEY, &key);
    let response = request.send().await.map_err(unreachable)?;
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Err(refusal(response).await);
    }
    check(&response, &key)?;
    packing.note(&response);
    let upgraded = response.upgrade().await.map_err(dropped)?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MESSAGE_MOST))
        .max_frame_size(Some(MESSAGE_MOST));
    let socket = WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await;
    let (up, to_send) = mpsc::channel(QUEUE);
    let (heard, down) = mpsc::channel(QUEUE);
    tokio::spawn(async move {
        if let Err(error) = carry(socket, to_send, &heard, clock.as_ref()).await {
            // A session that has ended does not wish to know.
            let _ = heard.send(Err(error)).await;
        }
    });
    Ok(Channel { up, down })
}

/// Whether the other side speaks the protocol (RFC 6455 4.1).
fn check(response: &Response, key: &str) -> Result<(), LinkError> {
    let accepted = response.headers().get(SEC_WEBSOCKET_ACCEPT);
    if accepted
        .is_some_and(|accepted| accepted.as_bytes() == derive_accept_key(key.as_bytes()).as_bytes())
    {
        return Ok(());
    }
    Err(LinkError::NotOurs { status: response.status().as_u16() })
}

/// Carries messages until the session ends (`Ok`) or the connection does.
async fn carry(
    socket: WebSocketStream<Upgraded>,
    mut to_send: mpsc::Receiver<Up>,
    heard: &mpsc::Sender<Result<Down, LinkError>>,
    clock: &dyn Clock,
) -> Result<(), LinkError> {
    let (mut sink, mut stream) = socket.split();
    let mut look = interval(LOOK);
    let mut last_heard = clock.boot();
    loop {
        let frame = tokio::select! {
            message = stream.next() => {
                last_heard = clock.boot();
                if let Some(down) = take(message)?
                    && heard.send(Ok(down)).await.is_err()
                {
                    return Ok(());
                }
                continue;
            }
            up = to_send.recv() => match up {
                Some(up) => Message::text(text(&up)?),
                None => {
                    // The session is over; a goodbye that does not get through is none.
                    let _ = timeout(WRITE, sink.close()).await;
                    return Ok(());
                }
            },
            _ = look.tick() => {
                let quiet = clock.boot().saturating_sub(last_heard);
                if quiet >= SILENT_AFTER {
                    return Err(LinkError::TimedOut(quiet));
                }
                if quiet < PING_AFTER {
                    continue;
                }
                Message::Ping(Default::default())
            }
        };
        match timeout(WRITE, sink.send(frame)).await {
            Ok(sent) => sent.map_err(ended)?,
            Err(_) => return Err(LinkError::TimedOut(WRITE)),
        }
    }
}

/// A message for the session, if the frame carries one. One that cannot be read comes from a newer
/// dispatcher and is left out.
fn take(message: Option<Result<Message, Error>>) -> Result<Option<Down>, LinkError> {
    let text = match message {
        None | Some(Ok(Message::Close(_))) => return Err(LinkError::Dropped(None)),
        Some(Err(error)) => return Err(ended(error)),
        Some(Ok(Message::Text(text))) => text,
        Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {
            return Ok(None);
        }
    };
    match serde_json::from_str(text.as_str()) {
        Ok(down) => Ok(Some(down)),
        Err(error) => {
            tracing::warn!(%error, "a message of the head office cannot be read");
            Ok(None)
        }
    }
}

fn text(up: &Up) -> Result<String, LinkError> {
    serde_json::to_string(up).map_err(|error| LinkError::Unreadable(error.to_string()))
}

fn ended(error: Error) -> LinkError {
    LinkError::Dropped(Some(Box::new(error)))
}
