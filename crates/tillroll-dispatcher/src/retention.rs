//! The task that lets go what is old: bodies of ended jobs and settled webhooks.

use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::nodes::Duty;
use crate::schedule::SteadyClock;
use crate::store::DispatcherStore;

/// How often is looked.
const EVERY: Duration = Duration::from_secs(60);
/// Rows of one transaction, so that no job waits for it.
const ROWS: u32 = 500;

/// Lets go until it is stopped.
pub(crate) struct Retention<S> {
    pub store: S,
    pub clock: SteadyClock,
    pub kept: Duration,
    pub duty: Duty,
}

impl<S: DispatcherStore> Retention<S> {
    pub async fn run(self, stopping: CancellationToken) {
        let mut looks = interval(EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stopping.cancelled() => return,
                _ = looks.tick() => self.let_go(&stopping).await,
            }
        }
    }

    /// One transaction after the other until nothing old is left.
    async fn let_go(&self, stopping: &CancellationToken) {
        if !self.duty.is_ours() {
            return;
        }
        let Ok(before) = self.clock.now().checked_sub(self.kept) else { return };
        while !stopping.is_cancelled() {
            match self.store.drop_old(before, ROWS).await {
                Ok(dropped) if dropped >= u64::from(ROWS) => tokio::task::yield_now().await,
                Ok(_) => return,
                Err(error) => {
                    tracing::warn!(%error, "what is old could not be let go");
                    return;
                }
            }
        }
    }
}
