//! Requests of one store that come at the same time share a transaction: while one is under way the next ones
//! gather, and go together.
//!
//! Invariants:
//! - One batch of a store at a time on this node; different stores do not wait for each other.
//! - Who is answered was counted, or is told why not; a batch that fails tells all of its callers.
//! - A batch and a store's line are bounded: who finds it full is told to come again.

use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::{Counters, Outcome, Request};
use crate::job::StoreNo;
use crate::store::{StoreError, Stored};

/// Bounds of lanes.
#[derive(Debug, Clone, Copy)]
pub struct LaneSettings {
    /// Requests of one transaction, at most.
    pub batch: usize,
    /// Requests of one store that wait, at most.
    pub waiting: usize,
}

impl Default for LaneSettings {
    fn default() -> Self {
        Self { batch: 256, waiting: 8_192 }
    }
}

/// The lanes of every store. Clones share them.
#[derive(Debug, Clone)]
pub struct Lanes<S> {
    store: S,
    settings: LaneSettings,
    /// A store is among them while a task works for it.
    lines: Arc<Mutex<HashMap<StoreNo, Line>>>,
}

type Line = VecDeque<Waiting>;

#[derive(Debug)]
struct Waiting {
    request: Request,
    answer: oneshot::Sender<Stored<Outcome>>,
}

/// Too many wait.
#[derive(Debug, thiserror::Error)]
#[error("too many requests of this store wait")]
struct Full;

/// The task ended before it answered.
#[derive(Debug, thiserror::Error)]
#[error("the task that counts ended")]
struct Ended;

impl<S: Counters> Lanes<S> {
    /// Lanes before a store.
    pub fn new(store: S, settings: LaneSettings) -> Self {
        Self { store, settings, lines: Arc::default() }
    }

    /// Counts a request, together with those that come at the same time. It is counted whether or not the
    /// caller still waits.
    ///
    /// # Errors
    /// Those of the store; [`StoreError::Unavailable`] when too many wait.
    pub async fn count(&self, store: StoreNo, request: Request) -> Stored<Outcome> {
        let (answer, answered) = oneshot::channel();
        self.join(store, Waiting { request, answer })?;
        answered.await.unwrap_or_else(|_| Err(StoreError::OutcomeUnknown(Box::new(Ended))))
    }

    fn join(&self, store: StoreNo, waiting: Waiting) -> Stored<()> {
        match self.lines().entry(store) {
            Slot::Occupied(mut line) if line.get().len() < self.settings.waiting => {
                line.get_mut().push_back(waiting);
            }
            Slot::Occupied(_) => return Err(StoreError::Unavailable(Box::new(Full))),
            Slot::Vacant(line) => {
                line.insert(VecDeque::from([waiting]));
                tokio::spawn(Task { lanes: self.clone(), store, is_done: false }.run());
            }
        }
        Ok(())
    }

    fn lines(&self) -> MutexGuard<'_, HashMap<StoreNo, Line>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Works for one store until nobody waits.
struct Task<S: Counters> {
    lanes: Lanes<S>,
    store: StoreNo,
    is_done: bool,
}

impl<S: Counters> Task<S> {
    async fn run(mut self) {
        while let Some(batch) = self.next() {
            self.count(batch).await;
            // Those who were answered, and have more to ask, come into the next batch.
            tokio::task::yield_now().await;
        }
    }

    fn next(&mut self) -> Option<Vec<Waiting>> {
        let mut lines = self.lanes.lines();
        let line = lines.get_mut(&self.store).filter(|line| !line.is_empty());
        let Some(line) = line else {
            lines.remove(&self.store);
            self.is_done = true;
            return None;
        };
        let most = line.len().min(self.lanes.settings.batch);
        Some(line.drain(..most).collect())
    }

    async fn count(&self, batch: Vec<Waiting>) {
        let requests = batch.iter().map(|waiting| waiting.request.clone()).collect();
        match self.lanes.store.count(self.store, requests).await {
            Ok(outcomes) => {
                for (waiting, outcome) in batch.into_iter().zip(outcomes) {
                    tell(waiting, Ok(outcome));
                }
            }
            Err(StoreError::Refused(_) | StoreError::Unreadable(_)) if batch.len() > 1 => {
                self.count_each(batch).await;
            }
            Err(error) => {
                let error = Arc::new(error);
                batch.into_iter().for_each(|waiting| tell(waiting, Err(shared(&error))));
            }
        }
    }

    /// One that spoils a batch of many spoils only its own.
    async fn count_each(&self, batch: Vec<Waiting>) {
        for waiting in batch {
            let counted = self.lanes.store.count(self.store, vec![waiting.request.clone()]).await;
            let outcome = counted.and_then(|outcomes| {
                let unanswered = || StoreError::OutcomeUnknown(Box::new(Ended));
                outcomes.into_iter().next().ok_or_else(unanswered)
            });
            tell(waiting, outcome);
        }
    }
}

/// A task that panicked leaves nobody waiting.
impl<S: Counters> Drop for Task<S> {
    fn drop(&mut self) {
        if !self.is_done {
            self.lanes.lines().remove(&self.store);
        }
    }
}

/// The caller may have gone.
fn tell(waiting: Waiting, outcome: Stored<Outcome>) {
    let _ = waiting.answer.send(outcome);
}

/// The error of a batch, for each of its callers.
fn shared(error: &Arc<StoreError>) -> StoreError {
    let source = Box::new(Arc::clone(error));
    match &**error {
        StoreError::Unavailable(_) => StoreError::Unavailable(source),
        StoreError::OutcomeUnknown(_) => StoreError::OutcomeUnknown(source),
        StoreError::Refused(why) => StoreError::Refused(why),
        StoreError::Unreadable(what) => StoreError::Unreadable(what.clone()),
    }
}

#[cfg(test)]
mod tests;
