//! What a printer is doing, for whoever looks: state, since when, next try, the job at the device.

use jiff::Timestamp;
use tillroll_domain::printer::{PrinterState, StopReason};
use tokio::sync::watch;

/// A printer as its worker sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrinterStatus {
    /// What it is doing.
    pub state: PrinterState,
    /// Since when.
    pub since: Timestamp,
    /// When a stopped printer is tried again, where a time is set.
    pub next_try_at: Option<Timestamp>,
    /// The job at the device.
    pub job_id: Option<String>,
    /// A cause the device shows in the middle of that job.
    pub mid_job_cause: Option<StopReason>,
    /// Its paper is near the end.
    pub paper_near_end: bool,
    /// What the device or its port said last, for support.
    pub detail: Option<String>,
}

/// Where the worker writes and others watch.
pub(crate) struct Board {
    sender: watch::Sender<PrinterStatus>,
}

impl Board {
    pub(crate) fn new(now: Timestamp) -> Self {
        let status = PrinterStatus {
            state: PrinterState::Idle,
            since: now,
            next_try_at: None,
            job_id: None,
            mid_job_cause: None,
            paper_near_end: false,
            detail: None,
        };
        Self { sender: watch::Sender::new(status) }
    }

    pub(crate) fn watch(&self) -> watch::Receiver<PrinterStatus> {
        self.sender.subscribe()
    }

    /// Changes what is shown; true when the state itself changed.
    pub(crate) fn show(&self, now: Timestamp, change: impl FnOnce(&mut PrinterStatus)) -> bool {
        let mut moved = false;
        self.sender.send_if_modified(|status| {
            let before = status.clone();
            change(status);
            moved = status.state != before.state;
            if moved {
                status.since = now;
            }
            *status != before
        });
        moved
    }
}
