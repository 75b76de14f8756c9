//! The short way of a job to an idle printer: its worker offers "I am ready, these are my counters",
//! the job is recorded already claimed, and goes to the worker in one commit.
//!
//! Whoever takes the offer must hand a job over or drop it; meanwhile the worker claims nothing.

use std::sync::{Arc, Mutex, PoisonError};

use tillroll_store::{Claimed, JobRow};
use tokio::sync::{Notify, oneshot};

use crate::render::{Rendered, Renderer};
use crate::session::Counters;

/// A job that was recorded and claimed in one commit.
pub(crate) struct Handed {
    pub job: JobRow,
    pub claimed: Claimed,
    pub rendered: Rendered,
}

/// An idle worker's offer.
pub(crate) struct Offer {
    pub renderer: Renderer,
    pub counters: Option<Counters>,
    hand: oneshot::Sender<Box<Handed>>,
    bell: Arc<Notify>,
}

impl Offer {
    /// Gives the worker its job. When it has gone meanwhile, whoever serves the printer now is woken to find
    /// the claim that nobody works on.
    pub(crate) fn hand(self, handed: Handed) {
        if let Err(handed) = self.hand.send(Box::new(handed)) {
            tracing::warn!(job.id = %handed.job.job_id, "the worker went before its job came");
            self.bell.notify_one();
        }
    }
}

/// Where a worker puts its offer and a recording takes it.
#[derive(Clone, Default)]
pub(crate) struct Reception(Arc<Mutex<Option<Offer>>>);

impl Reception {
    /// Offers; what is handed over arrives at the receiver, which ends when the offer is dropped.
    pub(crate) fn offer(
        &self,
        renderer: Renderer,
        counters: Option<Counters>,
        bell: Arc<Notify>,
    ) -> oneshot::Receiver<Box<Handed>> {
        let (hand, handed) = oneshot::channel();
        *self.slot() = Some(Offer { renderer, counters, hand, bell });
        handed
    }

    /// Takes the offer, if there is one and its worker still listens.
    pub(crate) fn take(&self) -> Option<Offer> {
        self.slot().take().filter(|offer| !offer.hand.is_closed())
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Offer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
