//! A printer of a connected register: what waits for it and what it was sent.

use std::collections::BTreeSet;
use std::time::Duration;

use tillroll_domain::ids::Part;
use tillroll_domain::printer::StopReason;
use tillroll_wire::channel::PrinterReport;

use super::pace::{Pace, Turn, Waiting};
use super::settings::ScheduleSettings;
use super::transition::Place;
use crate::job::{JobKey, RegisterNo, StoreNo};

/// A printer's name in its store.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PrinterName {
    /// The store.
    pub store: StoreNo,
    /// The name, unique there.
    pub name: Part,
}

/// Whether it can take a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readiness {
    /// It can; it may be busy.
    Ready,
    /// It cannot, and why, where the device says so.
    Stopped(Option<StopReason>),
}

impl From<&PrinterReport> for Readiness {
    fn from(report: &PrinterReport) -> Self {
        if report.ready { Self::Ready } else { Self::Stopped(report.reason) }
    }
}

impl From<Readiness> for Place {
    fn from(readiness: Readiness) -> Self {
        match readiness {
            Readiness::Ready => Self::Ready,
            Readiness::Stopped(reason) => Self::Stopped(reason),
        }
    }
}

/// Rows that wait for it beyond those in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backlog {
    /// None.
    Empty,
    /// There may be some.
    Rows,
    /// They are being read; `more` came in the meantime.
    Reading {
        /// More came in the meantime.
        more: bool,
    },
}

/// A printer that a connected register announced.
#[derive(Debug)]
pub(super) struct Printer {
    /// Its register.
    pub register: RegisterNo,
    /// Whether it can take a job.
    pub readiness: Readiness,
    /// What it was sent.
    pub pace: Pace,
    /// Jobs that wait and were never parked, oldest first.
    pub live: BTreeSet<JobKey>,
    /// Jobs that were parked, or go held, oldest first.
    pub recovered: BTreeSet<JobKey>,
    /// Rows beyond these.
    pub backlog: Backlog,
    /// When it is looked at again for the ceiling of recovery.
    pub wake: Option<Duration>,
    /// It waits for the rate over all printers.
    pub queued: bool,
}

impl Printer {
    /// A printer just announced: what waits for it has to be read.
    pub(super) fn new(register: RegisterNo, readiness: Readiness) -> Self {
        Self {
            register,
            readiness,
            pace: Pace::default(),
            live: BTreeSet::new(),
            recovered: BTreeSet::new(),
            backlog: Backlog::Rows,
            wake: None,
            queued: false,
        }
    }

    /// Whose turn it is now.
    pub(super) fn turn(&self, now: Duration, settings: &ScheduleSettings) -> Turn {
        if self.readiness != Readiness::Ready {
            return Turn::Nobody;
        }
        let (live, recovered) = (!self.live.is_empty(), !self.recovered.is_empty());
        self.pace.turn(Waiting { live, recovered }, now, settings)
    }

    /// Whether rows should be read now.
    pub(super) fn wants_rows(&self, settings: &ScheduleSettings) -> bool {
        let waiting = self.live.len() + self.recovered.len();
        self.backlog == Backlog::Rows && waiting <= settings.window / 2
    }

    /// A job waits that does not fit into memory.
    pub(super) fn overflow(&mut self) {
        self.backlog = match self.backlog {
            Backlog::Empty | Backlog::Rows => Backlog::Rows,
            Backlog::Reading { .. } => Backlog::Reading { more: true },
        };
    }

    /// The rows were read; `all` of them fitted into memory.
    pub(super) fn read(&mut self, all: bool) {
        let more = !all || self.backlog == Backlog::Reading { more: true };
        self.backlog = if more { Backlog::Rows } else { Backlog::Empty };
    }

    /// A job no longer waits, and owes nothing.
    pub(super) fn forget(&mut self, key: JobKey) {
        self.dequeue(key);
        self.pace.settled(key);
    }

    /// A job no longer waits.
    pub(super) fn dequeue(&mut self, key: JobKey) {
        self.live.remove(&key);
        self.recovered.remove(&key);
    }

    /// Whether a job waits.
    pub(super) fn holds(&self, key: JobKey) -> bool {
        self.live.contains(&key) || self.recovered.contains(&key)
    }

    /// Whether it cannot take a job.
    pub(super) fn is_stopped(&self) -> bool {
        self.readiness != Readiness::Ready
    }

    /// Jobs that wait.
    pub(super) fn waiting(&self) -> usize {
        self.live.len() + self.recovered.len()
    }
}
