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

    /// Prints both for each job, and tells them.
    #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
    pub fn print(&self, what: &str, jobs: u64) -> Each {
        let each = |n: u64| n as f64 / jobs as f64;
        let (syncs, commits) = (each(self.syncs), each(self.commits));
        println!("syncs a job, {what}: {syncs:.3} ({commits:.3} commits)");
        Each { syncs, commits }
    }
}

/// What one job took.
pub struct Each {
    /// Syncs, those of checkpoints included.
    pub syncs: f64,
    /// Commits.
    pub commits: f64,
}
