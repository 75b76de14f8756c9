//! The workers of a paired register, from their start to their end.

use std::future::Future;
use std::sync::Arc;

use tillroll_domain::clock::Clock;
use tillroll_store::Store;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::context::Context;
use crate::status::CloudStatus;
use crate::timings::Timings;
use crate::{Link, Printers, channel, expiry, repair, upload, wait};

/// What the workers are made of.
pub struct Setup<L, P> {
    /// The register's store, which is paired.
    pub store: Store,
    /// Both clocks.
    pub clock: Arc<dyn Clock>,
    /// The network.
    pub link: L,
    /// The register's printers.
    pub printers: P,
    /// Random numbers for jitter.
    pub random: fn() -> u32,
    /// Program and version, for people at the head office.
    pub program: String,
    /// Time limits.
    pub timings: Timings,
}

/// The running workers. Dropping it ends them at once.
pub struct Cloud {
    control: Arc<dyn Control>,
    stop: CancellationToken,
    workers: JoinSet<()>,
    limit: std::time::Duration,
}

impl std::fmt::Debug for Cloud {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cloud").field("status", &self.status()).finish_non_exhaustive()
    }
}

impl Cloud {
    /// Starts the workers, inside a runtime.
    pub fn start<L: Link, P: Printers>(setup: Setup<L, P>) -> Self {
        let Setup { store, clock, link, printers, random, program, timings } = setup;
        let limit = timings.stop;
        let context =
            Arc::new(Context::new(store, clock, link, printers, random, program, timings));
        let stop = CancellationToken::new();
        let mut workers = JoinSet::new();
        workers.spawn(kept("uploader", &stop, &context, upload::run));
        workers.spawn(kept("channel", &stop, &context, channel::run));
        workers.spawn(kept("repair", &stop, &context, repair::run));
        workers.spawn(kept("expiry", &stop, &context, expiry::run));
        Self { control: context, stop, workers, limit }
    }

    /// How the register stands with the head office.
    #[must_use]
    pub fn status(&self) -> CloudStatus {
        self.control.status()
    }

    /// Watches that.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<CloudStatus> {
        self.control.watch()
    }

    /// A person wants a connection now, also after a refusal. A connection that is dropped at once is not
    /// made more often for it.
    pub fn retry(&self) {
        self.control.retry();
    }

    /// Ends the workers, within their limit. What they had not finished is done after the next start.
    pub async fn stop(mut self) {
        self.stop.cancel();
        let ended = async { while self.workers.join_next().await.is_some() {} };
        if timeout(self.limit, ended).await.is_err() {
            tracing::warn!("a worker of the head office did not end in time");
        }
    }
}

/// What a person may ask of the workers, whatever their link is.
trait Control: Send + Sync {
    fn status(&self) -> CloudStatus;
    fn watch(&self) -> watch::Receiver<CloudStatus>;
    fn retry(&self);
}

impl<L: Link, P: Printers> Control for Context<L, P> {
    fn status(&self) -> CloudStatus {
        self.board.status()
    }

    fn watch(&self) -> watch::Receiver<CloudStatus> {
        self.board.watch()
    }

    fn retry(&self) {
        self.board.allow();
        self.poked.notify_waiters();
    }
}

/// Runs a worker until the stop. One that panics begins anew after a while: rows are the queue.
fn kept<L, P, F>(
    name: &'static str,
    stop: &CancellationToken,
    context: &Arc<Context<L, P>>,
    run: fn(Arc<Context<L, P>>) -> F,
) -> impl Future<Output = ()> + Send + use<L, P, F>
where
    L: Link,
    P: Printers,
    F: Future<Output = ()> + Send + 'static,
{
    let (stop, context) = (stop.clone(), Arc::clone(context));
    async move {
        loop {
            let worker = AbortOnDropHandle::new(tokio::spawn(run(Arc::clone(&context))));
            tokio::select! {
                () = stop.cancelled() => return,
                ended = worker => if let Err(error) = ended {
                    tracing::error!(%error, worker = name, "a worker of the head office failed");
                },
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = context.pause(wait::LOOK) => {}
            }
        }
    }
}
