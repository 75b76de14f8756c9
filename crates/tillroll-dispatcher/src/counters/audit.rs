//! The task that compares counters with their ledger, every hour, for the days that may still change. Of several
//! nodes the one on duty does it for all.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan as _};
use tillroll_domain::clock::Clock;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::Counters;
use crate::job::StoreNo;
use crate::nodes::Duty;
use crate::schedule::SteadyClock;
use crate::store::Stored;

/// How often is compared.
const EVERY: Duration = Duration::from_secs(3_600);
/// How often is looked whether it is time, and whose duty it is.
const LOOK: Duration = Duration::from_secs(60);
/// Stores of one question.
const STORES: u32 = 500;

/// What the last whole comparison found, of all stores together.
#[derive(Debug, Default)]
pub struct AuditFigures {
    flow_gap: AtomicI64,
    stock_differences: AtomicU64,
    differences: AtomicU64,
    rounds: AtomicU64,
}

/// The figures at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditCounts {
    /// Flow numbers that are missing.
    pub flow_gap: i64,
    /// Skus whose stock is not what moved.
    pub stock_differences: u64,
    /// All differences.
    pub differences: u64,
    /// Whole comparisons since the start.
    pub rounds: u64,
}

impl AuditFigures {
    /// The figures now.
    #[must_use]
    pub fn counts(&self) -> AuditCounts {
        AuditCounts {
            flow_gap: self.flow_gap.load(Relaxed),
            stock_differences: self.stock_differences.load(Relaxed),
            differences: self.differences.load(Relaxed),
            rounds: self.rounds.load(Relaxed),
        }
    }

    fn set(&self, found: AuditCounts) {
        self.flow_gap.store(found.flow_gap, Relaxed);
        self.stock_differences.store(found.stock_differences, Relaxed);
        self.differences.store(found.differences, Relaxed);
        self.rounds.fetch_add(found.rounds, Relaxed);
    }
}

/// Compares until it is stopped.
pub(crate) struct Audit<S> {
    pub store: S,
    pub clock: SteadyClock,
    pub figures: Arc<AuditFigures>,
    pub duty: Duty,
}

impl<S: Counters> Audit<S> {
    pub async fn run(self, stopping: CancellationToken) {
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last = None;
        loop {
            tokio::select! {
                () = stopping.cancelled() => return,
                _ = looks.tick() => {}
            }
            tokio::select! {
                () = stopping.cancelled() => return,
                () = self.look(&mut last) => {}
            }
        }
    }

    /// Compares when it is time. What this node found is not told on when the duty is another's.
    async fn look(&self, last: &mut Option<Duration>) {
        if !self.duty.is_ours() {
            *last = None;
            return self.figures.set(AuditCounts::default());
        }
        let now = self.clock.boot();
        if last.is_some_and(|last| now.saturating_sub(last) < EVERY) {
            return;
        }
        match self.compare_all().await {
            Ok(found) => {
                self.figures.set(AuditCounts { rounds: 1, ..found });
                *last = Some(now);
            }
            Err(error) => tracing::warn!(%error, "counters could not be compared"),
        }
    }

    async fn compare_all(&self) -> Stored<AuditCounts> {
        let days = days_around(TimeZone::UTC.to_datetime(self.clock.now()).date());
        let mut found = AuditCounts::default();
        let mut last = StoreNo(0);
        loop {
            let stores = self.store.counted_stores(last, STORES).await?;
            for store in &stores {
                for day in &days {
                    self.compare(*store, *day, &mut found).await?;
                }
            }
            let Some(store) = stores.last() else { return Ok(found) };
            last = *store;
        }
    }

    async fn compare(&self, store: StoreNo, day: Date, found: &mut AuditCounts) -> Stored<()> {
        let check = self.store.check_counters(store, day).await?;
        if check.found > 0 {
            let (store, count) = (store.0, check.found);
            tracing::error!(store, %day, count, "counters differ from their ledger");
        }
        // Gaps and stock stand in the comparison of each day they touch.
        found.flow_gap = found.flow_gap.max(check.flow_gap);
        found.stock_differences = found.stock_differences.max(check.stock_differences);
        found.differences += check.found;
        Ok(())
    }
}

/// Yesterday, today and tomorrow, in UTC: business days under way anywhere.
fn days_around(today: Date) -> Vec<Date> {
    let by: [Span; 3] = [(-1).days(), 0.days(), 1.days()];
    by.into_iter().filter_map(|by| today.checked_add(by).ok()).collect()
}
