//! Every change of a job in memory goes through here: the row's change is noted and the job is put
//! where its new state says.

use jiff::Timestamp;
use tillroll_domain::clock::Clock as _;
use tillroll_wire::job::CloudState;
use tokio::time::Instant;

use super::run::Task;
use crate::job::{Job, JobKey, RegisterNo};
use crate::schedule::board::printer_name;
use crate::schedule::printer::Printer;
use crate::schedule::transition::{Event, transition};
use crate::store::DispatcherStore;

impl<S: DispatcherStore> Task<S> {
    /// Lets something happen to a job in memory. Says whether anything changed.
    pub(super) fn apply(&mut self, key: JobKey, event: &Event) -> bool {
        let Some(slot) = self.board.slots.get_mut(&key) else { return false };
        let (before, held) = (slot.job.state, slot.job.hold_at_return);
        let change = match transition(&slot.job, event) {
            Ok(change) => change,
            Err(unmoved) => {
                tracing::trace!(job = %slot.job.id, %unmoved, "nothing changes");
                self.batch.touched.insert(key);
                return false;
            }
        };
        slot.take(&change);
        tracing::debug!(job = %slot.job.id, from = %before, to = %change.state, reason = change.reason);
        self.note(before, &change.reason, change.state, change.late);
        self.batch.changes.insert(key, change);
        self.settle(key);
        if held && !matches!(event, Event::PushSent { .. }) {
            // It waits for the clerk: recovery does not wait for that.
            self.with_printer(key, |printer| printer.pace.settled(key));
        }
        true
    }

    fn note(&mut self, before: CloudState, reason: &Option<String>, state: CloudState, late: bool) {
        if before == state {
            return;
        }
        if state == CloudState::TimedOut {
            let reason = reason.clone().unwrap_or_default();
            *self.figures.timed_out.entry(reason).or_default() += 1;
        }
        if late {
            self.figures.late += 1;
        }
    }

    /// Puts a job where its state says; what has no place here leaves memory at the end of the turn.
    pub(super) fn settle(&mut self, key: JobKey) {
        self.batch.touched.insert(key);
        let Some(slot) = self.board.slots.get(&key) else { return };
        match slot.job.state {
            CloudState::Scheduled => self.wait_for_printer(key),
            CloudState::TimedOut if slot.job.hold_at_return => {
                if slot.at.is_none() {
                    self.enqueue(key);
                }
            }
            CloudState::Accepted => self.ask_in_time(key),
            CloudState::CancelRequested => {
                self.with_printer(key, |printer| printer.forget(key));
                self.ask_in_time(key);
            }
            CloudState::Pushed => {}
            CloudState::Parked
            | CloudState::Printed
            | CloudState::Failed
            | CloudState::Unconfirmed
            | CloudState::Skipped
            | CloudState::Rejected
            | CloudState::TimedOut
            | CloudState::Canceled => self.leave(key),
        }
    }

    /// Scheduled: queued at its printer, or parked when no connected register has that.
    fn wait_for_printer(&mut self, key: JobKey) {
        self.board.withdraw(key);
        self.disarm(key);
        if !self.enqueue(key) {
            self.apply(key, &Event::Parked);
        }
    }

    fn enqueue(&mut self, key: JobKey) -> bool {
        let Some(slot) = self.board.slots.get_mut(&key) else { return false };
        let Some(name) = printer_name(&slot.job) else { return false };
        let Some(printer) = self.board.printers.get_mut(&name) else { return false };
        slot.tries = 0;
        let recovers = slot.job.recovering || slot.job.hold_at_return;
        let queue = if recovers { &mut printer.recovered } else { &mut printer.live };
        queue.insert(key);
        self.hot.insert(name);
        true
    }

    /// At its register: it is asked about, soon and then more rarely.
    fn ask_in_time(&mut self, key: JobKey) {
        self.with_printer(key, |printer| {
            printer.dequeue(key);
            printer.pace.accepted(key);
        });
        let Some(slot) = self.board.slots.get_mut(&key) else { return };
        slot.tries = 0;
        if slot.at.is_some() {
            self.arm_next(key);
        }
    }

    fn leave(&mut self, key: JobKey) {
        self.with_printer(key, |printer| printer.forget(key));
        self.board.withdraw(key);
        self.disarm(key);
    }

    /// Lets a job's printer, if it is connected, take something in; it may have a turn after that.
    pub(super) fn with_printer(&mut self, key: JobKey, change: impl FnOnce(&mut Printer)) {
        let name = self.board.slots.get(&key).and_then(|slot| printer_name(&slot.job));
        let Some(name) = name else { return };
        if let Some(printer) = self.board.printers.get_mut(&name) {
            change(printer);
            self.hot.insert(name);
        }
    }

    /// The printer of a job, if a connected register has it.
    pub(super) fn printer_of(&self, job: &Job) -> Option<&Printer> {
        self.board.printers.get(&printer_name(job)?)
    }

    /// Notes that a job is at a connected register.
    pub(super) fn lay_at(&mut self, key: JobKey, register: RegisterNo) {
        if let Some(session) = self.board.sessions.get_mut(&register)
            && let Some(slot) = self.board.slots.get_mut(&key)
        {
            session.jobs.insert(key);
            slot.at = Some(register);
        }
    }

    /// Whether a job has a place in memory.
    pub(super) fn belongs(&self, key: JobKey) -> bool {
        let Some(slot) = self.board.slots.get(&key) else { return false };
        let waits = || {
            let printer = printer_name(&slot.job).and_then(|name| self.board.printers.get(&name));
            printer.is_some_and(|printer| printer.holds(key))
        };
        match slot.job.state {
            CloudState::Scheduled => waits(),
            CloudState::Pushed | CloudState::Accepted | CloudState::CancelRequested => {
                slot.at.is_some()
            }
            CloudState::TimedOut => slot.job.hold_at_return && (slot.at.is_some() || waits()),
            CloudState::Parked
            | CloudState::Printed
            | CloudState::Failed
            | CloudState::Unconfirmed
            | CloudState::Skipped
            | CloudState::Rejected
            | CloudState::Canceled => false,
        }
    }

    /// Arms the job's push timer one wait after its last try.
    pub(super) fn arm_next(&mut self, key: JobKey) {
        let Some(slot) = self.board.slots.get(&key) else { return };
        let wait = self.settings.wait_after(slot.tries.saturating_add(1));
        if let Ok(at) = self.clock.now().checked_add(wait) {
            self.arm(key, at);
        }
    }

    /// Arms the job's push timer.
    pub(super) fn arm(&mut self, key: JobKey, at: Timestamp) {
        self.disarm(key);
        let instant = self.instant(at);
        if let Some(slot) = self.board.slots.get_mut(&key) {
            slot.push = Some((self.board.pushes.insert(key, instant), at));
        }
    }

    fn disarm(&mut self, key: JobKey) {
        let timer = self.board.slots.get_mut(&key).and_then(|slot| slot.push.take());
        if let Some((timer, _)) = timer {
            self.board.pushes.cancel(&timer);
        }
    }

    /// Arms the entry for the deadline of a job in memory.
    pub(super) fn arm_deadline(&mut self, key: JobKey) {
        let Some(slot) = self.board.slots.get(&key) else { return };
        let instant = self.instant(slot.job.deadline_at);
        let timer = self.board.deadlines.insert(key, instant);
        if let Some(slot) = self.board.slots.get_mut(&key)
            && let Some(old) = slot.deadline.replace(timer)
        {
            self.board.deadlines.cancel(&old);
        }
    }

    /// Nobody else sees to the deadline of a job that is in memory here.
    fn arm_deadline_once(&mut self, key: JobKey) {
        let slot = self.board.slots.get(&key);
        if slot.is_some_and(|slot| slot.deadline.is_none() && !slot.job.state.is_final()) {
            self.arm_deadline(key);
        }
    }

    /// The timer's instant of a stored time.
    pub(super) fn instant(&self, at: Timestamp) -> Instant {
        let now = Instant::now();
        now.checked_add(self.clock.until(at)).unwrap_or(now)
    }

    /// Takes a row in and gives its key.
    pub(super) fn adopt(&mut self, job: Job) -> JobKey {
        let key = self.board.adopt(job);
        self.batch.touched.insert(key);
        if self.board.is_one_of_many {
            self.arm_deadline_once(key);
        }
        key
    }
}
