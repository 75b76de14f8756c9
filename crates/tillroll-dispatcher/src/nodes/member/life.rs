//! A node's life: prolonged again and again, ended in time when it cannot be.

use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Member;
use crate::nodes::{Beat, NodeNo};
use crate::schedule::Arrival;

/// Pause before the database is asked again that did not answer.
const AGAIN: Duration = Duration::from_millis(200);

impl Member {
    /// Keeps the node alive until it is stopped. When its life ends before, it begins another one.
    pub(crate) async fn live(
        self,
        arrivals: mpsc::WeakSender<Arrival>,
        stopping: CancellationToken,
    ) {
        let living = async {
            let mut until = self.0.joined_at + self.0.settings.lease;
            loop {
                if let Some(node) = self.node() {
                    self.prolong(node, until, &arrivals).await;
                    tracing::error!(node = node.0, "this node was cut off from the others");
                }
                self.0.node.send_replace(None);
                self.0.on_duty.send_replace(false);
                until = self.join_again().await;
            }
        };
        stopping.run_until_cancelled(living).await;
    }

    /// Prolongs a life until that fails for too long. A life is counted from before it was asked for, so
    /// that it ends here no later than in the database.
    async fn prolong(&self, node: NodeNo, until: Duration, arrivals: &mpsc::WeakSender<Arrival>) {
        let (store, settings) = (&self.0.store, self.0.settings);
        let mut until = until;
        loop {
            let began = self.0.clock.boot();
            let asked = timeout(until.saturating_sub(began), store.beat(node, settings.lease));
            match asked.await {
                Ok(Ok(beat)) if beat.lives => {
                    until = began + settings.lease;
                    self.take_beat(beat, arrivals);
                    sleep(settings.beat_every).await;
                }
                Ok(Err(error)) if self.0.clock.boot() < until => {
                    tracing::warn!(%error, "a node's life was not prolonged");
                    sleep(AGAIN.min(settings.beat_every)).await;
                }
                Ok(_) | Err(_) => return,
            }
        }
    }

    fn take_beat(&self, beat: Beat, arrivals: &mpsc::WeakSender<Arrival>) {
        let was_on_duty = self.0.on_duty.send_replace(beat.on_duty);
        if beat.on_duty && !was_on_duty {
            tracing::info!("this node is on duty for all of them");
        }
        if !beat.lost.is_empty()
            && let Some(arrivals) = arrivals.upgrade()
        {
            // What does not fit is told again with the next beat.
            let _ = arrivals.try_send(Arrival::Lost(beat.lost));
        }
    }

    /// Becomes another node; the end of its first lease.
    async fn join_again(&self) -> Duration {
        let (store, settings) = (&self.0.store, self.0.settings);
        loop {
            let began = self.0.clock.boot();
            match store.join(self.0.name.clone(), settings.lease).await {
                Ok(node) => {
                    tracing::info!(node = node.0, "this node joined the others again");
                    self.0.node.send_replace(Some(node));
                    return began + settings.lease;
                }
                Err(error) => tracing::warn!(%error, "this node cannot join the others"),
            }
            sleep(AGAIN).await;
        }
    }
}
