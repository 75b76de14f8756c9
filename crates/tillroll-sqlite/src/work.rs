//! One write: the caller's closure, what came of it, and the answer once the commit is known.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::{Refusal, WriteError, breaks_transaction, duplicate};
use crate::verdict::Verdict;

/// What a write left in the open transaction.
#[derive(Debug)]
pub(crate) enum Ran {
    /// Its changes are to be kept.
    Kept,
    /// It refused or panicked: its changes must be undone.
    Undone,
    /// It met an error that ends the whole transaction.
    Broke(rusqlite::Error),
}

/// A write the transaction can run.
pub(crate) trait Work {
    /// Runs the closure; the outcome stays inside. Once more after a rollback, when a neighbour failed.
    fn run(&mut self, connection: &Connection) -> Ran;
}

/// A write that waits in the queue, its caller elsewhere.
pub(crate) trait Request: Work + Send {
    /// Tells the caller.
    fn answer(self: Box<Self>, verdict: &Verdict);

    /// The part the transaction needs.
    fn as_work(&mut self) -> &mut dyn Work;
}

enum Outcome<T, E> {
    NotRun,
    Value(T),
    Refused(E),
    Panicked,
}

/// A write and, after it ran, its outcome.
pub(crate) struct Pending<F, T, E> {
    work: F,
    outcome: Outcome<T, E>,
}

impl<F, T, E> Pending<F, T, E> {
    pub(crate) fn new(work: F) -> Self {
        Self { work, outcome: Outcome::NotRun }
    }

    /// The caller's answer. A refusal counts only if the commit succeeded: the work may have seen
    /// rows of a neighbour that were rolled back with it.
    pub(crate) fn settle(self, verdict: &Verdict) -> Result<T, WriteError<E>> {
        match (verdict, self.outcome) {
            (_, Outcome::Panicked) => Err(WriteError::Panicked),
            (Verdict::Committed, Outcome::Value(value)) => Ok(value),
            (Verdict::Committed, Outcome::Refused(refusal)) => Err(WriteError::Refused(refusal)),
            (Verdict::DiskFull, _) => Err(WriteError::DiskFull),
            (Verdict::Unknown, _) => Err(WriteError::OutcomeUnknown),
            (Verdict::Failed(error), _) => Err(WriteError::Sqlite(duplicate(error))),
            (Verdict::Closed, _) => Err(WriteError::Closed),
            (Verdict::Unavailable, _) | (Verdict::Committed, Outcome::NotRun) => {
                Err(WriteError::Unavailable)
            }
        }
    }
}

impl<F, T, E> Work for Pending<F, T, E>
where
    F: Fn(&Connection) -> Result<T, E>,
    E: Refusal,
{
    fn run(&mut self, connection: &Connection) -> Ran {
        let (outcome, ran) = match catch_unwind(AssertUnwindSafe(|| (self.work)(connection))) {
            Ok(Ok(value)) => (Outcome::Value(value), Ran::Kept),
            Ok(Err(refusal)) => {
                let broke = refusal.sqlite().filter(|e| breaks_transaction(e)).map(duplicate);
                (Outcome::Refused(refusal), broke.map_or(Ran::Undone, Ran::Broke))
            }
            Err(_) => (Outcome::Panicked, Ran::Undone),
        };
        self.outcome = outcome;
        ran
    }
}

/// Where a queued write's answer goes. A caller who left is not an error.
pub(crate) trait Reply<A>: Send {
    fn send(self, answer: A);
}

impl<A: Send> Reply<A> for SyncSender<A> {
    fn send(self, answer: A) {
        let _caller_left = Self::try_send(&self, answer);
    }
}

impl<A: Send> Reply<A> for oneshot::Sender<A> {
    fn send(self, answer: A) {
        let _caller_left = Self::send(self, answer);
    }
}

/// A write in the queue with the way back to its caller.
pub(crate) struct Queued<F, T, E, R> {
    pub(crate) pending: Pending<F, T, E>,
    pub(crate) reply: R,
}

impl<F, T, E, R> Work for Queued<F, T, E, R>
where
    F: Fn(&Connection) -> Result<T, E>,
    E: Refusal,
{
    fn run(&mut self, connection: &Connection) -> Ran {
        self.pending.run(connection)
    }
}

impl<F, T, E, R> Request for Queued<F, T, E, R>
where
    F: Fn(&Connection) -> Result<T, E> + Send,
    T: Send,
    E: Refusal,
    R: Reply<Result<T, WriteError<E>>>,
{
    fn answer(self: Box<Self>, verdict: &Verdict) {
        let Self { pending, reply } = *self;
        reply.send(pending.settle(verdict));
    }

    fn as_work(&mut self) -> &mut dyn Work {
        self
    }
}
