//! The push channel: one connection, kept open. While none can be made it is tried every second; one
//! that is made and dropped is made more slowly each time, until it was sound.

mod results;
mod session;

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tillroll_store::StoreError;
use tillroll_wire::Problem;
use tokio::time::{sleep, timeout};

use self::session::Session;
use crate::context::Context;
use crate::link::{Link, is_lasting};
use crate::schedule::Reconnect;
use crate::{Channel, LinkError, Printers};

/// An attempt to connect that takes longer is joined by another one.
const ANOTHER_AFTER: Duration = Duration::from_millis(600);

/// Why a connection ended, or none was made.
#[derive(Debug, thiserror::Error)]
enum Ended {
    /// The connection.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The dispatcher ended it.
    #[error("the head office ended the connection, {}: {}", .0.code, .0.detail)]
    Bye(Problem),
    /// The register's own database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// This register is not paired.
    #[error("this register is not paired")]
    NotPaired,
}

impl Ended {
    /// The refusal that only a person changes.
    fn lasting(&self) -> Option<&Problem> {
        match self {
            Self::Link(error) => error.lasting(),
            Self::Bye(problem) => Some(problem).filter(|problem| is_lasting(problem.code)),
            Self::Store(_) | Self::NotPaired => None,
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Link(error) => error.retry_after(),
            Self::Bye(problem) => problem.retry_after_ms.map(crate::link::left_alone),
            Self::Store(_) | Self::NotPaired => None,
        }
    }
}

/// Keeps the channel, for as long as it is polled.
pub(crate) async fn run<L: Link, P: Printers>(context: Arc<Context<L, P>>) {
    let mut reconnect = Reconnect::default();
    loop {
        context.board.until_allowed().await;
        let delay = match open(&context).await {
            Ok(channel) => {
                context.reconnected.notify_one();
                let mut session = Session::new(&context, channel);
                let ended = session.serve().await;
                let sound = session.was_sound();
                delay(&context, &ended, reconnect.dropped(sound, (context.random)()))
            }
            Err(ended) => {
                let random = (context.random)();
                let wait = match &ended {
                    Ended::Link(error) if error.is_unreachable() => reconnect.unreachable(random),
                    Ended::Link(_) | Ended::Bye(_) | Ended::Store(_) | Ended::NotPaired => {
                        reconnect.dropped(false, random)
                    }
                };
                delay(&context, &ended, wait)
            }
        };
        context.pause(delay).await;
    }
}

/// Opens a channel. While an attempt hangs others are begun: a packet that was lost with the network is
/// repeated by the system seconds after the network is back, a new attempt gets through at once.
async fn open<L: Link, P: Printers>(context: &Context<L, P>) -> Result<Channel, Ended> {
    let limit = context.timings.connect;
    let mut attempts = FuturesUnordered::new();
    let opened = async {
        loop {
            attempts.push(context.link.open_channel());
            tokio::select! {
                Some(opened) = attempts.next() => return opened,
                () = sleep(ANOTHER_AFTER) => {}
            }
        }
    };
    Ok(timeout(limit, opened).await.unwrap_or(Err(LinkError::TimedOut(limit)))?)
}

/// Shows why there is no connection; how long until the next.
fn delay<L, P>(context: &Context<L, P>, ended: &Ended, delay: Duration) -> Duration {
    let now = context.clock.now();
    match ended.lasting() {
        Some(problem) => context.board.refuse(now, problem),
        None => {
            tracing::info!(cause = %ended, "no connection with the head office");
            context.board.offline(now, ended.to_string());
        }
    }
    ended.retry_after().map_or(delay, |wait| wait.max(delay))
}
