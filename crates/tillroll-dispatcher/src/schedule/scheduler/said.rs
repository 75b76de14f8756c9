//! What registers say of jobs and printers, and what senders ask.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::JobState;
use tillroll_wire::Code;
use tillroll_wire::channel::{Down, JobResult, PrinterReport, Up};
use tillroll_wire::job::CloudState;
use tokio::sync::oneshot;

use super::CancelError;
use super::batch::Effect;
use super::run::{News, Task};
use crate::job::{Job, JobKey, RegisterNo, StoreNo};
use crate::schedule::board::printer_name;
use crate::schedule::printer::PrinterName;
use crate::schedule::slot::Slot;
use crate::schedule::transition::{Event, Report};
use crate::schedule::wheel::Due;
use crate::store::DispatcherStore;

impl<S: DispatcherStore> Task<S> {
    /// Fetches the rows that the news are about and that are not in memory.
    pub(super) async fn fetch(&mut self, news: &News) {
        for arrival in &news.arrivals {
            if let Some((register, no, id)) = arrival.names_job()
                // What was said on a connection that has ended is said again on the next.
                && self.board.session(register, no).is_some()
                && !self.board.keys.contains_key(&(register.store, id.clone()))
            {
                self.fetch_job(register.store, id.clone()).await;
            }
        }
        let absent = |due: &&Due| !self.board.slots.contains_key(&due.key);
        let keys: Vec<_> = news.deadlines.iter().filter(absent).map(|due| due.key).collect();
        if !keys.is_empty() {
            self.fetch_due(keys).await;
        }
    }

    async fn fetch_job(&mut self, store: StoreNo, id: JobId) {
        match self.store.job(store, id).await {
            Ok(Some(job)) => drop(self.adopt(job)),
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(%error, "a job could not be read");
                self.figures.store_errors += 1;
            }
        }
    }

    /// Rows whose deadline came due while they were not in memory.
    async fn fetch_due(&mut self, keys: Vec<JobKey>) {
        match self.store.jobs_by_key(keys).await {
            Ok(jobs) => {
                for job in jobs {
                    self.adopt(job);
                }
            }
            Err(error) => {
                tracing::error!(%error, "jobs that are due could not be read");
                self.figures.store_errors += 1;
                // The next reload finds every deadline that has passed.
                self.loaded_until = Timestamp::MIN;
                self.reload_at = self.clock.boot() + Duration::from_secs(1);
            }
        }
    }

    /// A job was stored; its body saves a look.
    pub(super) fn take_job(&mut self, job: Job, body: Option<String>) {
        let (key, near) = (job.key, job.deadline_at < self.loaded_until);
        let window = self.settings.window;
        let name = printer_name(&job);
        if let Some(printer) = name.and_then(|name| self.board.printers.get_mut(&name))
            && printer.live.len() >= window
        {
            printer.overflow();
            if near {
                let instant = self.instant(job.deadline_at);
                self.board.deadlines.insert(key, instant);
            }
            return;
        }
        self.adopt(job);
        if near {
            self.arm_deadline(key);
        }
        self.batch.bodies.extend(body.map(|body| (key, body)));
        self.settle(key);
    }

    /// A sender takes a job back.
    pub(super) fn cancel(&mut self, job: Job, reply: oneshot::Sender<Result<Job, CancelError>>) {
        let id = job.id.clone();
        let key = self.adopt(job);
        self.apply(key, &Event::CancelAsked);
        let slot = self.board.slots.get(&key);
        let asked = slot.filter(|slot| slot.job.state == CloudState::CancelRequested);
        if let Some(register) = asked.and_then(|slot| slot.at) {
            self.ask(key, register, Down::Cancel { id });
        }
        self.batch.effects.push(Effect::Answer(key, reply));
    }

    /// A register says something on one of its connections.
    pub(super) fn take_word(&mut self, register: RegisterNo, no: u64, message: Up) {
        if self.board.session(register, no).is_none() {
            return;
        }
        match message {
            Up::Printer(report) => self.take_report(register, &report),
            Up::PrinterRemoved { name } => self.remove_printer(register, &name),
            Up::Accepted { id, fingerprint } => self.take_accepted(register, id, fingerprint),
            Up::Refused { id, code, detail } => {
                tracing::warn!(job = %id, %code, detail, "a register refused a job");
                self.take_answer(register, id, &Event::Refused(code));
            }
            Up::Unknown { id } => {
                let now = self.clock.now();
                self.take_answer(register, id, &Event::Unknown { now });
            }
            Up::Result(result) => self.take_result(register, &result),
            // The connection's own.
            Up::Hello(_) | Up::Routes { .. } => {}
        }
    }

    /// A printer, or its new state. One that another register had has moved here.
    pub(super) fn take_report(&mut self, register: RegisterNo, report: &PrinterReport) {
        let name = PrinterName { store: register.store, name: report.name.clone() };
        let owner = self.board.printers.get(&name).map(|printer| printer.register);
        if let Some(other) = owner.filter(|owner| *owner != register) {
            self.remove_printer(other, &report.name);
        }
        self.board.report(register, report);
        self.hot.insert(name);
    }

    fn take_accepted(&mut self, register: RegisterNo, id: JobId, fingerprint: Fingerprint) {
        let key = self.board.keys.get(&(register.store, id.clone()));
        let slot = key.and_then(|key| self.board.slots.get(key));
        let same = slot.is_some_and(|slot| slot.job.fingerprint == fingerprint);
        let event = if same { Event::Accepted } else { Event::Refused(Code::Conflict) };
        self.take_answer(register, id, &event);
    }

    /// An answer to a push or a question: it counts from the installation that was asked.
    fn take_answer(&mut self, register: RegisterNo, id: JobId, event: &Event) {
        let Some(key) = self.board.keys.get(&(register.store, id)).copied() else { return };
        if self.is_with(key, register) {
            self.apply(key, event);
        }
    }

    fn is_with(&self, key: JobKey, register: RegisterNo) -> bool {
        let Some(session) = self.board.sessions.get(&register) else { return false };
        let is_with = |slot: &Slot| {
            slot.job.register == Some(register) && !slot.was_pushed_elsewhere(&session.incarnation)
        };
        self.board.slots.get(&key).is_some_and(is_with)
    }

    /// A result. Paper counts whoever of the store's registers tells of it; everything else only from
    /// the register that has the job. It is acknowledged when it is stored, or nothing it says is new.
    fn take_result(&mut self, register: RegisterNo, result: &JobResult) {
        let Some(key) = self.board.keys.get(&(register.store, result.id.clone())).copied() else {
            return;
        };
        let Some(slot) = self.board.slots.get(&key) else { return };
        if slot.job.pushes == 0 {
            return;
        }
        if slot.job.register == Some(register) || result.state == JobState::Printed {
            self.apply(key, &Event::Result(Report::from(result)));
        }
        if matches!(result.state, JobState::Pending | JobState::Held | JobState::Printing) {
            // An answer to a question; nobody repeats it.
            return;
        }
        self.figures.results += 1;
        let stored = Down::ResultStored { id: result.id.clone(), row_version: result.row_version };
        self.batch.effects.push(Effect::Send(key, register, stored));
    }
}
