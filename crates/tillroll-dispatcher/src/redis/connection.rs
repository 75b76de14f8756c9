//! The one connection of a node: kept by a task of its own, shared by all callers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use redis::{Cmd, ErrorKind, FromRedisValue, RedisResult, ScriptInvocation, ServerErrorKind};
use tillroll_domain::retry::Schedule;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::server::{Link, Server};
use super::{InvalidRedisAddress, RedisAddresses, Subscription};

/// Pauses between tries to connect.
pub(super) const PAUSES: Schedule = Schedule::new(
    &[
        Duration::from_millis(20),
        Duration::from_millis(50),
        Duration::from_millis(100),
        Duration::from_millis(250),
        Duration::from_millis(500),
    ],
    0,
);

/// Limits of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RedisSettings {
    /// A call that has no answer by then fails, and Redis counts as gone.
    pub call: Duration,
    /// The same for a connection and the first word on it.
    pub connect: Duration,
    /// A connection that nobody uses is looked after this often.
    pub probe_every: Duration,
}

impl Default for RedisSettings {
    fn default() -> Self {
        Self {
            call: Duration::from_millis(200),
            connect: Duration::from_secs(1),
            probe_every: Duration::from_secs(1),
        }
    }
}

/// Why Redis gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedisError {
    /// It is gone: nothing was asked.
    #[error("Redis is gone")]
    Gone,
    /// It did not answer in time; it may have done what was asked.
    #[error("Redis did not answer in time")]
    Late,
    /// It or the connection to it failed; it may have done what was asked.
    #[error("Redis: {0}")]
    Failed(#[from] redis::RedisError),
}

/// Redis as a node knows it. Cheap to clone; the connection ends with the last clone.
#[derive(Clone)]
pub struct Redis {
    server: Arc<Server>,
    link: watch::Receiver<Option<Numbered>>,
    lost: Arc<watch::Sender<u64>>,
    settings: RedisSettings,
    _ends: Arc<DropGuard>,
}

/// A connection, and the how manieth it is.
#[derive(Clone)]
struct Numbered {
    number: u64,
    link: Link,
}

impl Redis {
    /// Redis at addresses; `None` for no address. It is connected in the background: until then it is gone.
    ///
    /// # Errors
    /// [`InvalidRedisAddress`].
    pub fn connect(
        addresses: &RedisAddresses,
        settings: RedisSettings,
    ) -> Result<Option<Self>, InvalidRedisAddress> {
        let Some(server) = Server::at(addresses, settings)? else { return Ok(None) };
        let server = Arc::new(server);
        let (shown, link) = watch::channel(None);
        let (lost, losses) = watch::channel(0);
        let ending = CancellationToken::new();
        let keeper = Keeper { server: Arc::clone(&server), shown, losses, settings };
        tokio::spawn(ending.clone().run_until_cancelled_owned(keeper.run()));
        let _ends = Arc::new(ending.drop_guard());
        Ok(Some(Self { server, link, lost: Arc::new(lost), settings, _ends }))
    }

    /// Whether it was there when it was asked last.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.link.borrow().is_some()
    }

    /// Calls a command.
    ///
    /// # Errors
    /// [`RedisError`], at once while it is gone.
    pub async fn call<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, RedisError> {
        self.within(async |mut link| command.query_async(&mut link).await).await
    }

    /// Runs a script by its hash; a server that does not know it yet is told.
    ///
    /// # Errors
    /// [`RedisError`], at once while it is gone.
    pub async fn run<T: FromRedisValue>(
        &self,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, RedisError> {
        self.within(async |mut link| script.invoke_async(&mut link).await).await
    }

    /// Hears what is published on a channel.
    #[must_use]
    pub fn subscribe(&self, channel: impl Into<String>) -> Subscription {
        Subscription::begin(Arc::clone(&self.server), channel.into(), self.settings)
    }

    async fn within<T>(
        &self,
        asked: impl AsyncFnOnce(Link) -> RedisResult<T>,
    ) -> Result<T, RedisError> {
        let Some(Numbered { number, link }) = self.link.borrow().clone() else {
            return Err(RedisError::Gone);
        };
        let answer = timeout(self.settings.call, asked(link)).await;
        let is_lost = match &answer {
            Err(_late) => true,
            Ok(Err(error)) => shows_a_loss(error),
            Ok(Ok(_)) => false,
        };
        if is_lost {
            self.lost.send_if_modified(|lost| std::mem::replace(lost, number.max(*lost)) < number);
        }
        Ok(answer.map_err(|_| RedisError::Late)??)
    }
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis").field("is_there", &self.is_there()).finish_non_exhaustive()
    }
}

/// Whether an error is of the connection or of a server that cannot work, and not of what was asked.
fn shows_a_loss(error: &redis::RedisError) -> bool {
    use ServerErrorKind::{CrossSlot, ExecAbort, NoPerm, NoScript, NoSub, NotBusy, ResponseError};
    let kind = error.kind();
    if let ErrorKind::Server(said) = kind {
        return !matches!(
            said,
            ResponseError | ExecAbort | NoScript | CrossSlot | NotBusy | NoSub | NoPerm
        );
    }
    if kind == ErrorKind::Extension {
        // It is there, and takes no writes.
        return matches!(error.code(), Some("OOM" | "MISCONF" | "NOREPLICAS"));
    }
    !matches!(kind, ErrorKind::UnexpectedReturnType | ErrorKind::Client)
}

/// Keeps the connection: makes it, looks after it, and makes another when it is lost.
struct Keeper {
    server: Arc<Server>,
    shown: watch::Sender<Option<Numbered>>,
    losses: watch::Receiver<u64>,
    settings: RedisSettings,
}

impl Keeper {
    async fn run(mut self) {
        let mut failed = 0;
        for number in 1.. {
            let link = loop {
                match self.connect().await {
                    Ok(link) => break link,
                    Err(error) if failed == 0 => tracing::warn!(%error, "Redis is gone"),
                    Err(_) => {}
                }
                failed += 1;
                sleep(PAUSES.delay(failed, 0)).await;
            };
            failed = 0;
            tracing::info!("Redis is there");
            self.shown.send_replace(Some(Numbered { number, link: link.clone() }));
            self.until_lost(number, &link).await;
            self.shown.send_replace(None);
        }
    }

    async fn connect(&self) -> Result<Link, RedisError> {
        let connected = async {
            let link = self.server.connect().await?;
            link.probe().await?;
            Ok(link)
        };
        timeout(self.settings.connect, connected).await.unwrap_or(Err(RedisError::Late))
    }

    /// Until a caller noticed that it is lost, or nobody used it and it does not answer.
    async fn until_lost(&mut self, number: u64, link: &Link) {
        loop {
            let told = self.losses.wait_for(|lost| *lost >= number);
            if timeout(self.settings.probe_every, told).await.is_ok() {
                return;
            }
            let answered = timeout(self.settings.call, link.probe()).await;
            if !matches!(answered, Ok(Ok(()))) {
                return;
            }
        }
    }
}
