//! The writes that wait for the committing thread. Bounded; closed once.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::work::Request;

/// Why a write was not queued.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotQueued {
    Full,
    Closed,
}

/// The waiting writes, oldest first.
pub(crate) struct Queue {
    limit: usize,
    length: AtomicUsize,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    requests: VecDeque<Box<dyn Request>>,
    closed: bool,
}

impl Queue {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            length: AtomicUsize::new(0),
            waiting: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Adds a write at the end.
    pub(crate) fn push(&self, request: Box<dyn Request>) -> Result<(), NotQueued> {
        let mut waiting = self.lock();
        if waiting.closed {
            return Err(NotQueued::Closed);
        }
        if waiting.requests.len() >= self.limit {
            return Err(NotQueued::Full);
        }
        waiting.requests.push_back(request);
        self.length.store(waiting.requests.len(), Relaxed);
        drop(waiting);
        self.changed.notify_one();
        Ok(())
    }

    /// Waits until a write waits; false once the queue is closed and empty.
    pub(crate) fn wait(&self) -> bool {
        let waiting = self.lock();
        let waiting = self
            .changed
            .wait_while(waiting, |waiting| waiting.requests.is_empty() && !waiting.closed)
            .unwrap_or_else(PoisonError::into_inner);
        !waiting.requests.is_empty()
    }

    /// Takes up to `most` writes from the front.
    pub(crate) fn take(&self, most: usize) -> Vec<Box<dyn Request>> {
        let mut waiting = self.lock();
        let count = waiting.requests.len().min(most);
        let taken = waiting.requests.drain(..count).collect();
        self.length.store(waiting.requests.len(), Relaxed);
        taken
    }

    /// Takes no more writes; those waiting are still committed.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Writes waiting now.
    pub(crate) fn len(&self) -> usize {
        self.length.load(Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
