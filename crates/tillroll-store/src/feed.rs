//! What changed: hints for whoever shows it, wake-ups for whoever prints it.
//!
//! Rows are the queue and the truth; a lost hint or a spurious wake-up costs nothing.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use tokio::sync::{Notify, broadcast, watch};

use crate::PrinterId;

/// Something changed; whoever shows it reads again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "changed", rename_all = "snake_case")]
pub enum Hint {
    /// A job, by its id.
    Job {
        /// The job's id.
        id: String,
    },
    /// A printer's state or settings.
    Printer {
        /// The printer's name.
        name: String,
    },
    /// The figures or sessions of a day.
    Day,
    /// A list of what was refused: receipts here, records at the head office.
    Rejected,
    /// How the register stands with the head office.
    Cloud,
}

/// Hints kept for a slow listener before it misses some and reads everything again.
const BACKLOG: usize = 1024;

/// Sends hints to any number of listeners and wakes the printers' workers.
pub struct Feed {
    hints: broadcast::Sender<Hint>,
    wakes: Mutex<BTreeMap<PrinterId, Arc<Notify>>>,
    changes: watch::Sender<()>,
}

impl Feed {
    pub(crate) fn new() -> Self {
        Self {
            hints: broadcast::Sender::new(BACKLOG),
            wakes: Mutex::default(),
            changes: watch::Sender::new(()),
        }
    }

    /// Listens from now on.
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<Hint> {
        self.hints.subscribe()
    }

    /// Tells listeners, if there are any.
    pub fn hint(&self, hint: Hint) {
        // No listener is no fault: hints are for whoever looks.
        let _ = self.hints.send(hint);
        self.changed();
    }

    /// The bell of whoever tells others: it rings at each commit that may have made a record or a result, or
    /// changed what waits.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    pub(crate) fn changed(&self) {
        self.changes.send_replace(());
    }

    /// The bell of a printer's worker.
    #[must_use]
    pub fn bell(&self, printer: PrinterId) -> Arc<Notify> {
        let mut wakes = self.wakes.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(wakes.entry(printer).or_default())
    }

    /// Wakes a printer's worker; kept for it if it is not asleep.
    pub fn wake(&self, printer: PrinterId) {
        self.bell(printer).notify_one();
    }

    /// A job has work or news for its printer.
    pub(crate) fn job_changed(&self, job_id: &str, printer: PrinterId) {
        self.wake(printer);
        self.job_hint(job_id);
    }

    /// A job's row changed.
    pub(crate) fn job_hint(&self, job_id: impl Display) {
        if self.hints.receiver_count() > 0 {
            self.hint(Hint::Job { id: job_id.to_string() });
        } else {
            self.changed();
        }
    }
}
