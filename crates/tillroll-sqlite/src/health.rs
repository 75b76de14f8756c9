//! What the database says about itself: its condition and its counters.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What a write would meet now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Condition {
    /// Writes are stored.
    Healthy,
    /// The last commit found the disk full; the next write tries again.
    DiskFull,
    /// A commit failed with an unknown outcome; the database must be rewritten first.
    Rewriting,
    /// SQLite met damaged content; the next start checks and rescues.
    Damaged,
    /// Closed.
    Closed,
}

impl Condition {
    const ALL: [Self; 5] =
        [Self::Healthy, Self::DiskFull, Self::Rewriting, Self::Damaged, Self::Closed];
}

/// A snapshot of [`Database::health`](crate::Database::health). Counters run since the open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// What a write would meet now.
    pub condition: Condition,
    /// Commits, each with one sync of the WAL.
    pub commits: u64,
    /// Commits that carried more than one write.
    pub batches: u64,
    /// Writes answered with success.
    pub writes: u64,
    /// Most writes in one commit so far.
    pub largest_batch: u64,
    /// Writes that wait now.
    pub waiting: usize,
    /// Size of the WAL file.
    pub wal_bytes: u64,
    /// Checkpoints done.
    pub checkpoints: u64,
    /// Checkpoints that failed.
    pub failed_checkpoints: u64,
    /// Times the database was rewritten after a failed commit.
    pub rewrites: u64,
}

impl Health {
    /// Mean number of writes that shared a commit; 0 before the first.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a mean for people, not for arithmetic")]
    pub fn writes_per_commit(&self) -> f64 {
        if self.commits == 0 { 0.0 } else { self.writes as f64 / self.commits as f64 }
    }
}

/// The live counters behind [`Health`].
#[derive(Debug, Default)]
pub(crate) struct Counters {
    condition: AtomicU8,
    pub(crate) commits: AtomicU64,
    pub(crate) batches: AtomicU64,
    pub(crate) writes: AtomicU64,
    pub(crate) largest_batch: AtomicU64,
    pub(crate) checkpoints: AtomicU64,
    pub(crate) failed_checkpoints: AtomicU64,
    pub(crate) rewrites: AtomicU64,
}

impl Counters {
    pub(crate) fn condition(&self) -> Condition {
        Condition::ALL[usize::from(self.condition.load(Relaxed)) % Condition::ALL.len()]
    }

    /// Notes a new condition and tells the log, once per change.
    pub(crate) fn set_condition(&self, condition: Condition) {
        let before = self.condition();
        if before == condition {
            return;
        }
        self.condition.store(condition as u8, Relaxed);
        match condition {
            Condition::Healthy => tracing::info!(?before, "database is healthy again"),
            Condition::Closed => tracing::debug!("database is closed"),
            Condition::DiskFull | Condition::Rewriting | Condition::Damaged => {
                tracing::error!(?condition, "database cannot take writes");
            }
        }
    }

    /// Notes a commit that stored `kept` writes.
    pub(crate) fn note_commit(&self, kept: u64) {
        self.commits.fetch_add(1, Relaxed);
        self.writes.fetch_add(kept, Relaxed);
        self.largest_batch.fetch_max(kept, Relaxed);
        if kept > 1 {
            self.batches.fetch_add(1, Relaxed);
        }
    }

    pub(crate) fn snapshot(&self, waiting: usize, wal_bytes: u64) -> Health {
        Health {
            condition: self.condition(),
            commits: self.commits.load(Relaxed),
            batches: self.batches.load(Relaxed),
            writes: self.writes.load(Relaxed),
            largest_batch: self.largest_batch.load(Relaxed),
            waiting,
            wal_bytes,
            checkpoints: self.checkpoints.load(Relaxed),
            failed_checkpoints: self.failed_checkpoints.load(Relaxed),
            rewrites: self.rewrites.load(Relaxed),
        }
    }
}
