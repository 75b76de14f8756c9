//! The push channel's socket: carries messages between a register and its [`Connection`].
//!
//! Invariants:
//! - Reading and writing go on side by side: a register that sends much never keeps back what is sent
//!   to it.
//! - Nothing waits for ever: a register that does not say hello, does not read, or is silent is dropped.
//! - The last frame before a close says why, where the register still reads.

use axum::extract::ws::{Message, WebSocket};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tillroll_wire::channel::{Down, Hello, Up};
use tillroll_wire::{Code, Problem};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, timeout};

use super::HttpSettings;
use super::api::Api;
use super::guard::Device;
use crate::Engine;
use crate::channel::{Connection, bye};
use crate::store::{ClockDrift, DispatcherStore as _};

/// Messages to a register that wait for its socket; more are dropped and repeated by the schedule.
const WAITING: usize = 256;
/// Most messages written before they are flushed.
const TOGETHER: usize = 64;

type Sink = SplitSink<WebSocket, Message>;
type Stream = SplitStream<WebSocket>;

/// Serves a register's channel to its end.
pub(super) async fn converse(socket: WebSocket, api: Api, device: Device) {
    let (mut sink, mut stream) = socket.split();
    if let Err(problem) = serve(&mut sink, &mut stream, &api, &device).await {
        tracing::info!(register = %device.credential.register.name, %problem.code, "a channel ends");
        let last = [text(&bye(&problem)), Some(Message::Close(None))];
        let _ = timeout(api.settings().write_within, write_all(&mut sink, last)).await;
    }
}

/// An error is told to the register.
async fn serve(
    sink: &mut Sink,
    stream: &mut Stream,
    api: &Api,
    device: &Device,
) -> Result<(), Problem> {
    let hello = tokio::select! {
        hello = timeout(api.settings().hello_within, greeting(stream, api)) => {
            let late = |_| Problem::new(Code::InvalidBody, "no hello came in time");
            hello.map_err(late)??
        }
        () = api.ending().cancelled() => return Err(stopping()),
    };
    let Some(hello) = hello else { return Ok(()) };
    let drift = drift(api, device, &hello);
    let (down, to_register) = mpsc::channel(WAITING);
    let connection = api.scheduler().connect(device.credential.clone(), hello, down).await?;
    still_counts(api, device).await?;
    let reading = async {
        note(api, drift).await;
        read(stream, connection, api.settings()).await
    };
    tokio::select! {
        ended = reading => ended,
        () = write(sink, to_register, api.settings()) => Ok(()),
    }
}

/// The first message; `None` when the register went away before it.
async fn greeting(stream: &mut Stream, api: &Api) -> Result<Option<Hello>, Problem> {
    while let Some(message) = stream.next().await {
        match message.map_err(|_| broken(api.settings()))? {
            Message::Text(message) => {
                let Up::Hello(hello) = read_message(&message)? else {
                    return Err(Problem::new(Code::InvalidBody, "the first message is hello"));
                };
                return Ok(Some(hello));
            }
            Message::Binary(_) => return Err(binary()),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Close(_) => return Ok(None),
        }
    }
    Ok(None)
}

/// Ahead is positive.
fn drift(api: &Api, device: &Device, hello: &Hello) -> ClockDrift {
    let now = api.now();
    let ahead = hello.clock.now.duration_since(now).as_millis();
    ClockDrift {
        register: device.credential.register.no,
        drift_ms: i64::try_from(ahead).unwrap_or(i64::MAX),
        measured_at: now,
    }
}

async fn note(api: &Api, drift: ClockDrift) {
    if let Err(error) = api.store().note_drift(drift).await {
        tracing::warn!(%error, "the drift of a clock was not stored");
    }
}

/// A credential that was revoked while its register connected did not find the connection to close.
async fn still_counts(api: &Api, device: &Device) -> Result<(), Problem> {
    match api.store().register_of(device.hash).await {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(Problem::new(Code::Unauthorized, "the credential was revoked")),
        Err(_) => Err(Problem::new(Code::Unavailable, "the store cannot be read now")),
    }
}

/// Takes in what the register says, until it goes away or says what cannot be.
async fn read(
    stream: &mut Stream,
    mut connection: Connection<Engine>,
    settings: &HttpSettings,
) -> Result<(), Problem> {
    loop {
        let silent = |_| Problem::new(Code::NotAllowed, "the register was silent for too long");
        let Some(message) = timeout(settings.silent_after, stream.next()).await.map_err(silent)?
        else {
            return Ok(());
        };
        match message.map_err(|_| broken(settings))? {
            Message::Text(message) => {
                let said = read_message(&message)?;
                if connection.receive(said).await.is_err() {
                    // Whoever closed it may have said why; that is on its way.
                    drop(connection);
                    sleep(settings.write_within).await;
                    return Ok(());
                }
            }
            Message::Binary(_) => return Err(binary()),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Close(_) => return Ok(()),
        }
    }
}

fn read_message(message: &str) -> Result<Up, Problem> {
    serde_json::from_str(message)
        .map_err(|error| Problem::new(Code::InvalidBody, format!("a message: {error}")))
}

/// Writes what goes to the register until the schedule closes the channel or the register stops
/// reading.
async fn write(sink: &mut Sink, mut to_register: mpsc::Receiver<Down>, settings: &HttpSettings) {
    let mut pings = interval_at(Instant::now() + settings.ping_every, settings.ping_every);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let messages = tokio::select! {
            first = to_register.recv() => together(first, &mut to_register),
            _ = pings.tick() => vec![Some(Message::Ping(axum::body::Bytes::new()))],
        };
        let closes = matches!(messages.first(), Some(Some(Message::Close(_))));
        match timeout(settings.write_within, write_all(sink, messages)).await {
            Ok(Ok(())) if !closes => {}
            Ok(_) => return,
            Err(_) => {
                tracing::info!("a register does not read; its channel ends");
                return;
            }
        }
    }
}

/// A message with those that wait behind it; a close when the schedule has closed the channel. Nothing is
/// kept for the next ones: most registers are idle, and there are thousands.
fn together(first: Option<Down>, waiting: &mut mpsc::Receiver<Down>) -> Vec<Option<Message>> {
    let Some(first) = first else { return vec![Some(Message::Close(None))] };
    let more = std::iter::from_fn(|| waiting.try_recv().ok());
    std::iter::once(first).chain(more).take(TOGETHER).map(|message| text(&message)).collect()
}

async fn write_all(
    sink: &mut Sink,
    messages: impl IntoIterator<Item = Option<Message>>,
) -> Result<(), axum::Error> {
    for message in messages.into_iter().flatten() {
        sink.feed(message).await?;
    }
    sink.flush().await
}

/// A message as a frame; each has a JSON form.
fn text(message: &Down) -> Option<Message> {
    let written = serde_json::to_string(message);
    if let Err(error) = &written {
        tracing::error!(%error, "a message has no JSON form");
    }
    written.ok().map(|text| Message::Text(text.into()))
}

fn broken(settings: &HttpSettings) -> Problem {
    let most = settings.frame_limit;
    Problem::new(Code::TooLarge, format!("a frame is broken or larger than {most} bytes"))
}

fn binary() -> Problem {
    Problem::new(Code::Unsupported, "messages are text frames of JSON")
}

fn stopping() -> Problem {
    let stopping = Problem::new(Code::Stopping, "the dispatcher is stopping");
    Problem { retry_after_ms: Some(1_000), ..stopping }
}
