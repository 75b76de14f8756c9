//! Syncs and commits of a number of jobs.

use crate::syncs;

/// Syncs and commits that happened between two moments.
pub struct SyncCount {
    syncs: u64,
    commits: u64,
}

impl SyncCount {
    /// What happened since the counters stood there.
    #[must_use]
    pub fn since(syncs: u64, commits: u64, commits_now: u64) -> Self {
        Self { syncs: syncs::count() - syncs, commits: commits_now - commits }
    }

    /// What each of so many jobs took.
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    pub fn each(&self, jobs: u64) -> Each {
        let each = |n: u64| n as f64 / jobs as f64;
        Each { syncs: each(self.syncs), commits: each(self.commits) }
    }
}

/// What one job took.
pub struct Each {
    /// Syncs, those of checkpoints included.
    pub syncs: f64,
    /// Commits.
    pub commits: f64,
}

impl Each {
    /// Both, for people.
    pub fn told(&self) -> String {
        format!("{:.3} syncs, {:.3} commits", self.syncs, self.commits)
    }
}
