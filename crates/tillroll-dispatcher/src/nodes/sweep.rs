//! Jobs that belong to no node: parked ones past their deadline, and what a node that died left behind. One node
//! at a time sweeps for all.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::clock::Clock as _;
use tillroll_wire::job::CloudState;
use tokio::sync::watch;
use tokio::time::sleep;

use super::NodeSettings;
use crate::job::{Job, JobKey};
use crate::postgres::PostgresStore;
use crate::schedule::SteadyClock;
use crate::schedule::transition::{Event, Place, deadline_reason, transition};
use crate::store::{Changed, DispatcherStore as _, Stored};

/// Rows of one transaction.
const ROWS: u32 = 512;
/// Pages of overdue jobs looked through in one round.
const PAGES: usize = 8;

pub(super) struct Sweep {
    store: PostgresStore,
    clock: SteadyClock,
    settings: NodeSettings,
    /// How far overdue jobs were looked through; none when it was to the end.
    past: Option<(Timestamp, JobKey)>,
}

impl Sweep {
    pub fn over(store: PostgresStore, clock: SteadyClock, settings: NodeSettings) -> Self {
        Self { store, clock, settings, past: None }
    }

    /// Sweeps while the node is on duty.
    pub async fn run(mut self, mut on_duty: watch::Receiver<bool>) {
        while on_duty.wait_for(|on_duty| *on_duty).await.is_ok() {
            if let Err(error) = self.round().await {
                tracing::warn!(%error, "what belongs to no node could not be swept");
            }
            sleep(self.pause().await).await;
        }
    }

    async fn round(&mut self) -> Stored<()> {
        while self.time_out().await? {}
        for _ in 0..PAGES {
            if !self.park().await? {
                break;
            }
        }
        Ok(())
    }

    /// Times out a page; whether there may be more.
    async fn time_out(&self) -> Stored<bool> {
        let now = self.clock.now();
        let leftovers = now.saturating_sub(self.settings.grace).unwrap_or(Timestamp::MIN);
        let late = self.store.late_jobs(now, leftovers, ROWS).await?;
        let is_full = late.len() >= ROWS as usize;
        // What a living node had in hand and left so is nobody's either; where its printer is, is not known.
        let passed = |job: &Job| Event::DeadlinePassed(deadline_reason(job, Place::Away));
        Ok(self.apply(&late, passed).await? && is_full)
    }

    /// Parks what waits in a page and belongs to no node; whether there are more pages.
    async fn park(&mut self) -> Stored<bool> {
        let now = self.clock.now();
        let until = now.saturating_sub(self.settings.grace).unwrap_or(Timestamp::MIN);
        let page = self.store.unpushed(until, self.past, ROWS).await?;
        let is_full = page.len() >= ROWS as usize;
        let last = page.last().filter(|_| is_full).map(|overdue| &overdue.job);
        self.past = last.and_then(|job| Some((job.next_push_at?, job.key)));
        let waits = |job: &Job| matches!(job.state, CloudState::Scheduled | CloudState::Pushed);
        let left = page.into_iter().filter(|overdue| overdue.node.is_none());
        let left: Vec<_> = left.map(|overdue| overdue.job).filter(waits).collect();
        self.apply(&left, |_| Event::Parked).await?;
        Ok(is_full)
    }

    /// Lets something happen to jobs, unless somebody was faster; whether it happened to any.
    async fn apply(&self, jobs: &[Job], event: impl Fn(&Job) -> Event) -> Stored<bool> {
        let changes: Vec<_> =
            jobs.iter().filter_map(|job| transition(job, &event(job)).ok()).collect();
        if changes.is_empty() {
            return Ok(false);
        }
        let changed = self.store.change_jobs(changes, self.clock.now()).await?;
        Ok(changed.iter().any(|changed| matches!(changed, Changed::Done(_))))
    }

    /// Until the next deadline, if one comes before the next round.
    async fn pause(&self) -> Duration {
        let (now, most) = (self.clock.now(), self.settings.sweep_every);
        let Ok(until) = now.checked_add(most) else { return most };
        let next = self.store.deadlines(now, None, until, 1).await.unwrap_or_default();
        next.first().map_or(most, |(at, _)| self.clock.until(*at).max(SHORTEST))
    }
}

/// Between two rounds: a deadline of a job that a node has in hand is looked at again only later.
const SHORTEST: Duration = Duration::from_millis(5);
