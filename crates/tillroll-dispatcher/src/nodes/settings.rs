//! How often nodes look after each other.

use std::time::Duration;

/// The figures of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeSettings {
    /// How often a node prolongs its life.
    pub beat_every: Duration,
    /// How long it lives without that.
    pub lease: Duration,
    /// How often it looks for jobs of its registers that others took in, when nobody can tell it.
    pub look_every: Duration,
    /// The same when it is told at once, and a word may only get lost.
    pub look_told_every: Duration,
    /// How often the node on duty looks for jobs that belong to nobody.
    pub sweep_every: Duration,
    /// How long past its deadline, or past the time of its push, a job is left to the node that may have it in
    /// hand.
    pub grace: Duration,
}

impl Default for NodeSettings {
    fn default() -> Self {
        Self {
            beat_every: Duration::from_secs(2),
            lease: Duration::from_secs(6),
            look_every: Duration::from_secs(1),
            look_told_every: Duration::from_secs(5),
            sweep_every: Duration::from_secs(1),
            grace: Duration::from_secs(1),
        }
    }
}
