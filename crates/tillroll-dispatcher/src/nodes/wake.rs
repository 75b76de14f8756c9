//! What nodes tell each other at once. A word may be lost; what it says stands in a row.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::NodeNo;
use crate::job::{JobKey, RegisterNo};
use crate::redis::{Heard, Redis, Subscription};

/// Words that wait to be sent; more are lost.
const WAITING: usize = 4_096;
/// Words to one node in one message.
const TOGETHER: usize = 256;

/// A word to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// A job of one of its registers was taken in or changed by another node.
    Look(JobKey),
    /// It lost a register, to another node or because its credential no longer counts.
    Lost {
        /// The register.
        register: RegisterNo,
        /// The generation of the lease that came after its own.
        generation: i64,
        /// Nobody has it.
        is_revoked: bool,
    },
}

/// Carries words between nodes.
pub trait Wake: Send + Sync {
    /// Sends a word, now or never.
    fn wake(&self, node: NodeNo, message: Message);

    /// Whether words arrive, as far as is known.
    fn arrives(&self) -> bool;

    /// Hears the words to a node; `None` where none come.
    fn listen(&self, node: NodeNo) -> Option<Subscription>;
}

/// No word is carried: nodes look by themselves.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Wake for Silent {
    fn wake(&self, _: NodeNo, _: Message) {}

    fn arrives(&self) -> bool {
        false
    }

    fn listen(&self, _: NodeNo) -> Option<Subscription> {
        None
    }
}

/// Words carried by Redis, each node listening to a channel of its own.
pub struct RedisWakes {
    redis: Redis,
    outgoing: mpsc::Sender<(NodeNo, Message)>,
}

impl RedisWakes {
    /// Words over a Redis, in the current runtime.
    #[must_use]
    pub fn over(redis: Redis) -> Arc<Self> {
        let (outgoing, waiting) = mpsc::channel(WAITING);
        tokio::spawn(send_all(redis.clone(), waiting));
        Arc::new(Self { redis, outgoing })
    }
}

impl Wake for RedisWakes {
    fn wake(&self, node: NodeNo, message: Message) {
        // What does not fit is found by looking.
        let _ = self.outgoing.try_send((node, message));
    }

    fn arrives(&self) -> bool {
        self.redis.is_there()
    }

    fn listen(&self, node: NodeNo) -> Option<Subscription> {
        Some(self.redis.subscribe(channel(node)))
    }
}

/// Of all nodes' keys only this name is shared: a channel lies on every server of a cluster.
fn channel(node: NodeNo) -> String {
    format!("tillroll:node:{}", node.0)
}

/// Sends what waits: words to one node that wait together go together.
async fn send_all(redis: Redis, mut waiting: mpsc::Receiver<(NodeNo, Message)>) {
    let mut words = Vec::new();
    while waiting.recv_many(&mut words, TOGETHER).await > 0 {
        words.sort_by_key(|(node, _)| *node);
        for to_one in words.chunk_by(|(a, _), (b, _)| a == b) {
            publish(&redis, to_one).await;
        }
        words.clear();
    }
}

async fn publish(redis: &Redis, words: &[(NodeNo, Message)]) {
    let Some((node, _)) = words.first() else { return };
    let messages: Vec<_> = words.iter().map(|(_, message)| message).collect();
    let Ok(text) = serde_json::to_string(&messages) else { return };
    let mut publish = ::redis::cmd("PUBLISH");
    publish.arg(channel(*node)).arg(text);
    if let Err(error) = redis.call::<i64>(&publish).await {
        tracing::debug!(%error, node = node.0, "words to a node are lost");
    }
}

/// The words in something heard; none when some may have been missed, or cannot be read.
pub(super) fn words(heard: &Heard) -> Option<Vec<Message>> {
    match heard {
        Heard::Message(text) => serde_json::from_slice(text).ok(),
        Heard::Missed => None,
    }
}
