//! What one turn changes, and what follows once that is durable.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tillroll_wire::channel::Down;
use tokio::sync::oneshot;

use super::CancelError;
use crate::job::{Job, JobKey, RegisterNo};
use crate::store::JobChange;

/// Changes of one turn, one a job: later ones go on top of earlier ones.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The changes.
    pub changes: BTreeMap<JobKey, JobChange>,
    /// What follows, in order.
    pub effects: Vec<Effect>,
    /// Bodies that came along.
    pub bodies: HashMap<JobKey, String>,
    /// Jobs that may have left the schedule.
    pub touched: BTreeSet<JobKey>,
}

impl Batch {
    /// Whether nothing changes and nothing follows.
    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.effects.is_empty()
    }
}

/// What follows once the changes are durable.
#[derive(Debug)]
pub(super) enum Effect {
    /// A push leaves.
    Push(JobKey, RegisterNo),
    /// A message about a job leaves.
    Send(JobKey, RegisterNo, Down),
    /// A sender hears what became of its wish to take a job back.
    Answer(JobKey, oneshot::Sender<Result<Job, CancelError>>),
}

impl Effect {
    /// The job it is about.
    pub(super) fn key(&self) -> JobKey {
        match self {
            Self::Push(key, _) | Self::Send(key, ..) | Self::Answer(key, _) => *key,
        }
    }
}
