//! The writes that wait for the committing thread. Bounded; closed once.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::company::{Company, Gathered};
use crate::work::Request;

/// Why a write was not queued.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotQueued {
    Full,
    Closed,
}

/// How soon a write is to be committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Haste {
    /// As soon as may be.
    Urgent,
    /// With others, if some come.
    InCompany,
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
    urgent: bool,
    /// When the oldest and the newest came; of those left behind by a full commit, when it began.
    came: Option<(Instant, Instant)>,
    /// The committing thread waits, and wants to know of these.
    awaited: Awaited,
    closed: bool,
}

/// What the committing thread waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Awaited {
    /// Nothing: it works.
    #[default]
    Nothing,
    /// Any write.
    Any,
    /// An urgent one, or so many.
    UrgentOr(usize),
}

impl Waiting {
    fn is_awaited(&self) -> bool {
        match self.awaited {
            Awaited::Nothing => false,
            Awaited::Any => true,
            Awaited::UrgentOr(crowd) => self.urgent || self.requests.len() >= crowd,
        }
    }

    fn gathered(&self, now: Instant) -> Gathered {
        let (oldest, newest) = self.came.unwrap_or((now, now));
        Gathered {
            writes: self.requests.len(),
            urgent: self.urgent,
            oldest: now.saturating_duration_since(oldest),
            newest: now.saturating_duration_since(newest),
        }
    }
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
    pub(crate) fn push(&self, request: Box<dyn Request>, haste: Haste) -> Result<(), NotQueued> {
        let mut waiting = self.lock();
        if waiting.closed {
            return Err(NotQueued::Closed);
        }
        if waiting.requests.len() >= self.limit {
            return Err(NotQueued::Full);
        }
        let now = Instant::now();
        let oldest = waiting.came.map_or(now, |(oldest, _)| oldest);
        waiting.came = Some((oldest, now));
        waiting.urgent |= haste == Haste::Urgent;
        waiting.requests.push_back(request);
        self.length.store(waiting.requests.len(), Relaxed);
        let is_awaited = waiting.is_awaited();
        drop(waiting);
        if is_awaited {
            self.changed.notify_one();
        }
        Ok(())
    }

    /// Waits until a write waits; false once the queue is closed and empty.
    pub(crate) fn wait(&self) -> bool {
        let mut waiting = self.lock();
        waiting.awaited = Awaited::Any;
        let mut waiting = self
            .changed
            .wait_while(waiting, |waiting| waiting.requests.is_empty() && !waiting.closed)
            .unwrap_or_else(PoisonError::into_inner);
        waiting.awaited = Awaited::Nothing;
        !waiting.requests.is_empty()
    }

    /// Waits until those that wait have company enough, or the queue is closed.
    pub(crate) fn gather(&self, company: &Company) {
        let mut waiting = self.lock();
        loop {
            let left = company.left(waiting.gathered(Instant::now()));
            if left.is_zero() || waiting.closed {
                waiting.awaited = Awaited::Nothing;
                return;
            }
            waiting.awaited = Awaited::UrgentOr(company.crowd);
            let waited = self.changed.wait_timeout(waiting, left);
            waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes up to `most` writes from the front.
    pub(crate) fn take(&self, most: usize) -> Vec<Box<dyn Request>> {
        let mut waiting = self.lock();
        let count = waiting.requests.len().min(most);
        let taken = waiting.requests.drain(..count).collect();
        let left = waiting.requests.len();
        let now = Instant::now();
        waiting.came = (left > 0).then_some((now, now));
        waiting.urgent &= left > 0;
        self.length.store(left, Relaxed);
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
