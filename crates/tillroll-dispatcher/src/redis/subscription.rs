//! What is published on a channel. Whoever publishes does not learn whether somebody heard it: hearing is a
//! hint, never the truth.

use std::sync::Arc;

use futures_util::StreamExt as _;
use redis::RedisResult;
use redis::aio::PubSubStream;
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::time::{sleep, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::RedisSettings;
use super::connection::PAUSES;
use super::server::Server;

/// Messages that wait to be heard; more are missed.
const WAITING: usize = 1_024;

/// What a listener hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A message, as it was published.
    Message(Vec<u8>),
    /// Messages may have been missed: the channel is listened to from now on, for the first time or again, or
    /// more came than were heard. Look for yourself.
    Missed,
}

/// A channel that is listened to, until it is dropped.
#[derive(Debug)]
pub struct Subscription {
    heard: mpsc::Receiver<Heard>,
    _ends: DropGuard,
}

impl Subscription {
    pub(super) fn begin(server: Arc<Server>, channel: String, settings: RedisSettings) -> Self {
        let (to, heard) = mpsc::channel(WAITING);
        let ending = CancellationToken::new();
        let listener = Listener { server, channel, settings, to, is_behind: false };
        tokio::spawn(ending.clone().run_until_cancelled_owned(listener.run()));
        Self { heard, _ends: ending.drop_guard() }
    }

    /// The next that is heard; `None` when the program ends.
    pub async fn hear(&mut self) -> Option<Heard> {
        self.heard.recv().await
    }
}

struct Listener {
    server: Arc<Server>,
    channel: String,
    settings: RedisSettings,
    to: mpsc::Sender<Heard>,
    /// Something was not passed on, and its listener does not know yet.
    is_behind: bool,
}

impl Listener {
    async fn run(mut self) {
        let mut tries = 0;
        loop {
            let heard_something = self.listen(tries).await.is_ok();
            tries = if heard_something { 1 } else { tries + 1 };
            let failed = u32::try_from(tries).unwrap_or(u32::MAX);
            sleep(PAUSES.delay(failed, 0)).await;
        }
    }

    /// Listens until the connection is lost; an error when there was none.
    async fn listen(&mut self, tries: usize) -> Result<(), Unheard> {
        let RedisSettings { connect, probe_every, .. } = self.settings;
        let subscribed = async {
            let mut pubsub = self.server.listen(tries).await?;
            pubsub.subscribe(&self.channel).await?;
            RedisResult::Ok(pubsub)
        };
        let (mut sink, mut stream) = timeout(connect, subscribed).await??.split();
        self.is_behind = true;
        loop {
            match timeout(probe_every, self.pass_on(&mut stream)).await {
                Ok(()) => return Ok(()),
                // It has been quiet, or what came was passed on.
                Err(_) => {
                    let alive = timeout(connect, sink.ping::<redis::Value>()).await;
                    if !matches!(alive, Ok(Ok(_))) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Passes messages on until the stream ends.
    async fn pass_on(&mut self, stream: &mut PubSubStream) {
        self.catch_up();
        while let Some(message) = stream.next().await {
            self.catch_up();
            let sent = self.to.try_send(Heard::Message(message.get_payload_bytes().to_vec()));
            self.is_behind |= matches!(sent, Err(TrySendError::Full(_)));
        }
    }

    fn catch_up(&mut self) {
        if self.is_behind {
            self.is_behind = self.to.try_send(Heard::Missed).is_err();
        }
    }
}

/// Why nothing could be listened to.
#[derive(Debug, thiserror::Error)]
enum Unheard {
    #[error("no connection in time")]
    Late(#[from] tokio::time::error::Elapsed),
    #[error(transparent)]
    Redis(#[from] redis::RedisError),
}
