//! What the schedule holds in memory: connected registers, their printers, and the jobs under way
//! there. Everything here is rebuilt from rows.
//!
//! Maps that are walked are ordered, so that one course of events has one outcome.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tillroll_domain::ids::{JobId, Part};
use tillroll_wire::channel::{Down, PrinterReport};
use tokio::sync::mpsc;

use super::printer::{Printer, PrinterName, Readiness};
use super::slot::Slot;
use super::transition::Place;
use super::wheel::Wheel;
use crate::job::{Job, JobKey, RegisterNo, StoreNo};
use crate::nodes::Lease;

/// One connection of a register.
#[derive(Debug)]
pub(super) struct Session {
    /// Its number: a later connection of the same register has a higher one.
    pub no: u64,
    /// Installation and epoch.
    pub incarnation: String,
    /// Where messages to it go.
    pub down: mpsc::Sender<Down>,
    /// Its printers.
    pub printers: BTreeSet<Part>,
    /// Jobs pushed to it that are not settled.
    pub jobs: BTreeSet<JobKey>,
    /// This node's hold on it, where there are other nodes.
    pub lease: Option<Lease>,
}

/// Everything in memory.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// Connected registers.
    pub sessions: BTreeMap<RegisterNo, Session>,
    /// Their printers.
    pub printers: BTreeMap<PrinterName, Printer>,
    /// Jobs under way.
    pub slots: HashMap<JobKey, Slot>,
    /// Their keys by id.
    pub keys: HashMap<(StoreNo, JobId), JobKey>,
    /// When pushes are repeated and questions asked.
    pub pushes: Wheel,
    /// When it is too late; where there is no other node, also for jobs that are not in memory.
    pub deadlines: Wheel,
    /// There are other nodes: the deadlines of jobs that are not in memory are not this one's.
    pub is_one_of_many: bool,
}

impl Board {
    /// Takes a row in, unless it is in already: what is in memory is newer.
    pub(super) fn adopt(&mut self, job: Job) -> JobKey {
        let key = job.key;
        self.keys.entry((key.store, job.id.clone())).or_insert(key);
        self.slots.entry(key).or_insert_with(|| Slot::new(job));
        key
    }

    /// Lets a job go, and gives its row. The entry for its deadline stays behind unless the job is done, or others see to it.
    pub(super) fn release(&mut self, key: JobKey) -> Option<Job> {
        self.withdraw(key);
        let slot = self.slots.remove(&key)?;
        self.keys.remove(&(key.store, slot.job.id.clone()));
        if let Some((timer, _)) = &slot.push {
            self.pushes.cancel(timer);
        }
        let is_seen_to = self.is_one_of_many || slot.is_done();
        if let Some(timer) = slot.deadline.as_ref().filter(|_| is_seen_to) {
            self.deadlines.cancel(timer);
        }
        Some(slot.job)
    }

    /// Takes a job off its printer's and its register's lists.
    pub(super) fn withdraw(&mut self, key: JobKey) {
        let Some(slot) = self.slots.get_mut(&key) else { return };
        if let Some(register) = slot.at.take()
            && let Some(session) = self.sessions.get_mut(&register)
        {
            session.jobs.remove(&key);
        }
        if let Some(name) = printer_name(&slot.job)
            && let Some(printer) = self.printers.get_mut(&name)
        {
            printer.forget(key);
        }
    }

    /// Where a job's printer is.
    pub(super) fn place(&self, job: &Job) -> Place {
        let printer = printer_name(job).and_then(|name| self.printers.get(&name));
        printer.map_or(Place::Away, |printer| printer.readiness.into())
    }

    /// The session of a register, if it is this connection.
    pub(super) fn session(&self, register: RegisterNo, no: u64) -> Option<&Session> {
        self.sessions.get(&register).filter(|session| session.no == no)
    }

    /// Takes in a register's printer, or its new state.
    pub(super) fn report(&mut self, register: RegisterNo, report: &PrinterReport) {
        let Some(session) = self.sessions.get_mut(&register) else { return };
        let readiness = Readiness::from(report);
        let name = PrinterName { store: register.store, name: report.name.clone() };
        session.printers.insert(report.name.clone());
        let printer =
            self.printers.entry(name).or_insert_with(|| Printer::new(register, readiness));
        printer.readiness = readiness;
    }

    /// Takes a printer out and gives back the jobs that waited for it.
    pub(super) fn remove_printer(&mut self, register: RegisterNo, name: &Part) -> Vec<JobKey> {
        let name = PrinterName { store: register.store, name: name.clone() };
        if self.printers.get(&name).is_none_or(|printer| printer.register != register) {
            return Vec::new();
        }
        let Some(printer) = self.printers.remove(&name) else { return Vec::new() };
        if let Some(session) = self.sessions.get_mut(&register) {
            session.printers.remove(&name.name);
        }
        printer.live.into_iter().chain(printer.recovered).collect()
    }

    /// Sends to a register. What does not fit is dropped: it is repeated until it is answered.
    pub(super) fn send(&self, register: RegisterNo, message: Down) -> bool {
        let session = self.sessions.get(&register);
        session.is_some_and(|session| session.down.try_send(message).is_ok())
    }
}

/// The name of a job's printer.
pub(super) fn printer_name(job: &Job) -> Option<PrinterName> {
    let name = job.printer.clone()?;
    Some(PrinterName { store: job.key.store, name })
}
