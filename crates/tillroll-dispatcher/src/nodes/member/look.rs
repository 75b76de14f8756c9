//! How a node learns of jobs of its registers that another one took in or changed: it is told, and looks from
//! time to time.

use futures_util::FutureExt as _;
use jiff::Timestamp;
use tillroll_domain::clock::Clock as _;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::Member;
use crate::job::{Job, JobKey};
use crate::nodes::{LostLease, Message, NodeNo, wake};
use crate::redis::{Heard, Subscription};
use crate::schedule::Arrival;
use crate::store::{DispatcherStore as _, Stored};

/// Rows of one look.
const PAGE: u32 = 1_000;
/// Messages that are taken in together.
const TOGETHER: usize = 64;

/// One node's view of the others' doings, for as long as it is that node.
struct Outlook<'a> {
    member: &'a Member,
    node: NodeNo,
    arrivals: &'a mpsc::WeakSender<Arrival>,
    told: Option<Subscription>,
    /// How far overdue jobs were looked through; none when it was to the end.
    past: Option<(Timestamp, JobKey)>,
}

impl Member {
    /// Passes on what concerns this node, until it is stopped.
    pub(crate) async fn watch(
        self,
        arrivals: mpsc::WeakSender<Arrival>,
        stopping: CancellationToken,
    ) {
        let mut standing = self.standing();
        let watching = async {
            loop {
                let Some(node) = *standing.borrow_and_update() else {
                    if standing.changed().await.is_err() {
                        return;
                    }
                    continue;
                };
                let told = self.0.wakes.listen(node);
                let outlook =
                    Outlook { member: &self, node, arrivals: &arrivals, told, past: None };
                tokio::select! {
                    () = outlook.watch() => {}
                    changed = standing.changed() => if changed.is_err() { return },
                }
            }
        };
        stopping.run_until_cancelled(watching).await;
    }
}

impl Outlook<'_> {
    async fn watch(mut self) {
        let settings = self.member.0.settings;
        let mut looked_at = Instant::now();
        loop {
            let heard = timeout(settings.look_every, hear(&mut self.told)).await;
            let words = match &heard {
                Ok(heard) => self.words(heard),
                // Quiet; while words arrive, that is well for a time.
                Err(_)
                    if self.member.0.wakes.arrives()
                        && looked_at.elapsed() < settings.look_told_every =>
                {
                    continue;
                }
                Err(_) => None,
            };
            let taken = match words {
                Some(words) => self.take(words).await,
                None => {
                    looked_at = Instant::now();
                    self.look().await
                }
            };
            if let Err(error) = taken {
                tracing::warn!(%error, "jobs of this node's registers could not be read");
            }
        }
    }

    /// What was said, with what else has been said by now; none when some of it was missed.
    fn words(&mut self, first: &Heard) -> Option<Vec<Message>> {
        let mut words = wake::words(first)?;
        for _ in 1..TOGETHER {
            let Some(heard) = hear(&mut self.told).now_or_never() else { break };
            words.extend(wake::words(&heard)?);
        }
        Some(words)
    }

    async fn take(&self, words: Vec<Message>) -> Stored<()> {
        let (mut keys, mut lost) = (Vec::new(), Vec::new());
        for word in words {
            match word {
                Message::Look(key) => keys.push(key),
                Message::Lost { register, generation, is_revoked } => {
                    lost.push(LostLease { register, generation, is_revoked });
                }
            }
        }
        if !lost.is_empty() {
            self.pass_on(Arrival::Lost(lost)).await;
        }
        if !keys.is_empty() {
            let jobs = self.member.0.store.jobs_by_key(keys).await?;
            self.pass_on(Arrival::Look(jobs)).await;
        }
        Ok(())
    }

    /// Reads a page of what is overdue, and what is taken back.
    async fn look(&mut self) -> Stored<()> {
        let store = &self.member.0.store;
        let page = store.unpushed(self.member.0.clock.now(), self.past, PAGE).await?;
        let is_full = page.len() >= PAGE as usize;
        let last = page.last().filter(|_| is_full).map(|overdue| &overdue.job);
        self.past = last.and_then(|job| Some((job.next_push_at?, job.key)));
        let own = page.into_iter().filter(|overdue| overdue.node == Some(self.node));
        let mut jobs: Vec<Job> = own.map(|overdue| overdue.job).collect();
        jobs.extend(store.cancels_of(self.node, PAGE).await?);
        if !jobs.is_empty() {
            self.pass_on(Arrival::Look(jobs)).await;
        }
        Ok(())
    }

    async fn pass_on(&self, arrival: Arrival) {
        if let Some(arrivals) = self.arrivals.upgrade() {
            // A schedule that has ended needs nothing.
            let _ = arrivals.send(arrival).await;
        }
    }
}

async fn hear(told: &mut Option<Subscription>) -> Heard {
    if let Some(subscription) = told
        && let Some(heard) = subscription.hear().await
    {
        return heard;
    }
    std::future::pending().await
}
