//! The least a connected register costs: a bare WebSocket that is held and pinged, and nothing behind it.

use std::time::Duration;

use anyhow::Result;
use futures_util::{SinkExt as _, StreamExt as _};
use serde::{Deserialize, Serialize};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, interval_at};
use tokio_tungstenite::accept_async_with_config;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// As the dispatcher has them.
const READ_BUFFER: usize = 1_024;
/// As [`READ_BUFFER`].
const WRITE_BUFFER: usize = 8 * 1_024;
/// As the dispatcher does.
const PING_EVERY: Duration = Duration::from_secs(20);

/// Holds whatever connects.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sockets;

impl Sockets {
    /// Says where it listens, then holds.
    pub async fn run(self) -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", serde_json::to_string(&listener.local_addr()?)?);
        loop {
            let (stream, _) = listener.accept().await?;
            // Whoever goes away is gone.
            tokio::spawn(async move { drop(hold(stream).await) });
        }
    }
}

async fn hold(stream: TcpStream) -> Result<()> {
    let config =
        WebSocketConfig::default().read_buffer_size(READ_BUFFER).write_buffer_size(WRITE_BUFFER);
    let mut socket = accept_async_with_config(stream, Some(config)).await?;
    let mut pings = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
    loop {
        tokio::select! {
            message = socket.next() => match message {
                Some(message) => drop(message?),
                None => return Ok(()),
            },
            _ = pings.tick() => socket.send(Message::Ping(Default::default())).await?,
        }
    }
}
