//! This node among the others: its life, and what it hears from them.

mod life;
mod look;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tillroll_wire::{Code, Problem};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Lease, Message, NodeNo, NodeSettings, Wake, sweep};
use crate::job::{Inserted, JobKey, NewJob, RegisterNo};
use crate::postgres::PostgresStore;
use crate::schedule::SteadyClock;
use crate::store::Stored;

/// This node. Cheap to clone.
#[derive(Clone)]
pub struct Member(Arc<Inner>);

struct Inner {
    store: PostgresStore,
    clock: SteadyClock,
    settings: NodeSettings,
    name: String,
    /// When it joined first, by boot time.
    joined_at: Duration,
    wakes: Arc<dyn Wake>,
    /// Its number; none while it has ended and is not yet another.
    node: watch::Sender<Option<NodeNo>>,
    on_duty: watch::Sender<bool>,
}

impl std::fmt::Debug for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Member").field("node", &self.node()).finish_non_exhaustive()
    }
}

impl Member {
    /// Joins the nodes of a database, under a name for people.
    ///
    /// # Errors
    /// When nothing can be stored.
    pub async fn join(
        store: PostgresStore,
        clock: SteadyClock,
        settings: NodeSettings,
        name: String,
        wakes: Arc<dyn Wake>,
    ) -> Stored<Self> {
        let joined_at = clock.boot();
        let joined = store.join(name.clone(), settings.lease).await?;
        let (node, on_duty) = (watch::Sender::new(Some(joined)), watch::Sender::new(false));
        tracing::info!(node = joined.0, "this node joined the others");
        let inner = Inner { store, clock, settings, name, joined_at, wakes, node, on_duty };
        Ok(Self(Arc::new(inner)))
    }

    /// Its number now.
    #[must_use]
    pub fn node(&self) -> Option<NodeNo> {
        *self.0.node.borrow()
    }

    /// Sees its number change: whatever was held under the one before is no longer its own.
    pub(crate) fn standing(&self) -> watch::Receiver<Option<NodeNo>> {
        self.0.node.subscribe()
    }

    /// Whether it does what one node does for all.
    #[must_use]
    pub fn is_on_duty(&self) -> bool {
        *self.0.on_duty.borrow()
    }

    /// Stores a job; the other node that it belongs to, if one has its register.
    pub(crate) async fn insert(&self, new: NewJob) -> Stored<(Inserted, Option<NodeNo>)> {
        let (inserted, node) = self.0.store.insert_owned(new).await?;
        Ok((inserted, node.filter(|node| self.node() != Some(*node))))
    }

    /// Takes a register that connects over from whoever had it.
    pub(crate) async fn take_lease(&self, register: RegisterNo) -> Result<Lease, Problem> {
        let Some(node) = self.node() else { return Err(cut_off()) };
        let taken = self.0.store.take_lease(register, node).await;
        let (lease, former) = taken.map_err(|error| {
            tracing::warn!(%error, "the lease of a register was not taken");
            cut_off()
        })?;
        if let Some(former) = former {
            let generation = lease.generation;
            self.wake(former, Message::Lost { register, generation, is_revoked: false });
        }
        Ok(lease)
    }

    /// Gives back registers that are away; those that were still this node's.
    pub(crate) async fn give_back(&self, leases: Vec<(RegisterNo, Lease)>) -> BTreeSet<RegisterNo> {
        if leases.is_empty() {
            return BTreeSet::new();
        }
        let given = self.0.store.give_back(leases).await;
        given.map(BTreeSet::from_iter).unwrap_or_else(|error| {
            // Their jobs are found by looking.
            tracing::warn!(%error, "leases were not given back");
            BTreeSet::new()
        })
    }

    /// The other nodes that jobs belong to.
    pub(crate) async fn others_of(&self, keys: Vec<JobKey>) -> Stored<Vec<(JobKey, NodeNo)>> {
        let mut found = self.0.store.nodes_of_jobs(keys).await?;
        let own = self.node();
        found.retain(|(_, node)| own != Some(*node));
        Ok(found)
    }

    /// Tells the node that lost a register because its credential no longer counts.
    pub(crate) async fn tell_loser(&self, register: RegisterNo) {
        if let Ok(Some((node, lost))) = self.0.store.loser(register).await {
            let (generation, is_revoked) = (lost.generation, lost.is_revoked);
            self.wake(node, Message::Lost { register, generation, is_revoked });
        }
    }

    /// Tells a node something, now or never.
    pub(crate) fn wake(&self, node: NodeNo, message: Message) {
        self.0.wakes.wake(node, message);
    }

    /// Does what one node does for all while this one is on duty, until it is stopped.
    pub(crate) async fn sweep(self, stopping: CancellationToken) {
        let Inner { store, clock, settings, .. } = &*self.0;
        let sweep = sweep::Sweep::over(store.clone(), clock.clone(), *settings);
        stopping.run_until_cancelled(sweep.run(self.0.on_duty.subscribe())).await;
    }

    /// Ends the node: what it had is free for the others.
    pub(crate) async fn leave(&self) {
        let Some(node) = self.0.node.send_replace(None) else { return };
        self.0.on_duty.send_replace(false);
        if let Err(error) = self.0.store.leave(node).await {
            tracing::warn!(%error, "the other nodes learn of the end of this one by its silence");
        }
    }
}

/// A node that the database does not know alive can take no register.
fn cut_off() -> Problem {
    let problem = Problem::new(Code::Unavailable, "the node is cut off from its database");
    Problem { retry_after_ms: Some(COME_BACK_MS), ..problem }
}

/// When a register tries again that was not taken.
const COME_BACK_MS: u64 = 2_000;
