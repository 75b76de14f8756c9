//! What is due: pushes and questions to repeat, deadlines that passed, the next stretch of deadlines.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::clock::Clock as _;
use tillroll_wire::channel::Down;
use tillroll_wire::job::CloudState;
use tokio::time::Instant;

use super::batch::Effect;
use super::run::{FIGURES, Task};
use crate::job::{Job, JobKey, RegisterNo};
use crate::schedule::board::printer_name;
use crate::schedule::transition::{Event, Place, deadline_reason};
use crate::schedule::wheel::Due;
use crate::store::{DispatcherStore, Stored};

/// The longest wait: what the machine slept is noticed by then.
const BOUNDED: Duration = Duration::from_secs(5);
/// How far the boot clock may be ahead of the timers before the wheels are set anew.
const SLEPT: Duration = Duration::from_millis(50);
/// Rows of one read.
const PAGE: u32 = 10_000;
/// Wait before a read is repeated that the store refused.
const RETRY: Duration = Duration::from_secs(1);

impl<S: DispatcherStore> Task<S> {
    /// When to look even if nothing happens.
    pub(super) fn next_look(&self) -> Instant {
        let (now, instant) = (self.clock.boot(), Instant::now());
        if !self.hot.is_empty() || !self.batch.is_empty() {
            return instant;
        }
        let later = self.later.first().map(|(at, _)| at.saturating_sub(now));
        let rate = self.queue.front().map(|_| self.bucket.ready_at().saturating_sub(now));
        let reload = Some(self.reload_at.saturating_sub(now));
        let figures = self.published_at.filter(|_| self.figures_due);
        let figures = figures.map(|at| (at + FIGURES).saturating_sub(now));
        let wait = [later, rate, reload, figures].into_iter().flatten().min();
        instant + wait.map_or(BOUNDED, |wait| wait.min(BOUNDED))
    }

    /// A push timer came due: the same push again, or a question.
    pub(super) fn push_due(&mut self, due: Due) {
        let Some(slot) = self.board.slots.get_mut(&due.key) else { return };
        let Some((_, at)) = slot.push.take_if(|(timer, _)| *timer == due.timer) else { return };
        if self.clock.now() < at {
            return self.arm(due.key, at);
        }
        let Some(register) = slot.at else { return };
        let id = slot.job.id.clone();
        match slot.job.state {
            CloudState::Pushed | CloudState::TimedOut => self.push_again(due.key),
            CloudState::Accepted => self.ask(due.key, register, Down::Status { id }),
            CloudState::CancelRequested => self.ask(due.key, register, Down::Cancel { id }),
            CloudState::Scheduled
            | CloudState::Parked
            | CloudState::Printed
            | CloudState::Failed
            | CloudState::Unconfirmed
            | CloudState::Skipped
            | CloudState::Rejected
            | CloudState::Canceled => {}
        }
    }

    /// Due does not mean push: a stopped printer's push waits one more round.
    fn push_again(&mut self, key: JobKey) {
        let ready = self
            .board
            .slots
            .get(&key)
            .is_some_and(|slot| self.board.place(&slot.job) == Place::Ready);
        if !ready || !self.push_once(key) {
            self.arm_next(key);
        }
    }

    /// Asks a register about a job, and again later.
    pub(super) fn ask(&mut self, key: JobKey, register: RegisterNo, question: Down) {
        if let Some(slot) = self.board.slots.get_mut(&key) {
            slot.tries = slot.tries.saturating_add(1);
        }
        self.arm_next(key);
        self.batch.effects.push(Effect::Send(key, register, question));
    }

    /// An entry of the deadline wheel came due; its row, if it was not in memory, has been fetched.
    pub(super) fn deadline_due(&mut self, due: Due) {
        let Some(slot) = self.board.slots.get_mut(&due.key) else { return };
        slot.deadline.take_if(|timer| *timer == due.timer);
        if slot.job.state.is_final() {
            self.batch.touched.insert(due.key);
            return;
        }
        if slot.job.deadline_at > self.clock.now() {
            self.batch.touched.insert(due.key);
            return self.arm_deadline(due.key);
        }
        let Some(slot) = self.board.slots.get(&due.key) else { return };
        let reason = deadline_reason(&slot.job, self.board.place(&slot.job));
        self.apply(due.key, &Event::DeadlinePassed(reason));
    }

    /// Sets the wheels anew when the machine slept: the timers did not count that, the deadlines do.
    pub(super) fn keep_in_step(&mut self) {
        let (boot, instant) = (self.clock.boot(), Instant::now());
        let (boot_then, instant_then) = self.in_step;
        let passed = boot.saturating_sub(boot_then);
        let slept = passed.saturating_sub(instant.saturating_duration_since(instant_then));
        self.in_step = (boot, instant);
        if slept < SLEPT {
            return;
        }
        tracing::info!(?slept, "the machine slept; the wheels are set anew");
        self.board.pushes.clear();
        self.board.deadlines.clear();
        let mut waiting = Vec::new();
        for (key, slot) in &mut self.board.slots {
            slot.deadline = None;
            waiting.extend(slot.push.take().map(|(_, at)| (*key, at)));
        }
        waiting.sort_unstable();
        for (key, at) in waiting {
            self.arm(key, at);
        }
        if self.board.is_one_of_many {
            return self.arm_all_deadlines();
        }
        self.loaded_until = Timestamp::MIN;
        self.reload_at = boot;
    }

    fn arm_all_deadlines(&mut self) {
        for key in self.board.slots.keys().copied().collect::<Vec<_>>() {
            self.arm_deadline(key);
        }
    }

    /// Whether the next stretch of deadlines is to be read.
    pub(super) fn reload_is_due(&self) -> bool {
        self.reload_at <= self.clock.boot()
    }

    /// Reads the next stretch of deadlines, half a horizon before the last one ends so that a slow
    /// read is in time, and parks some of what a crash left due.
    pub(super) async fn reload(&mut self) {
        let Ok(until) = self.clock.now().checked_add(self.settings.horizon) else { return };
        self.reload_at = self.clock.boot() + self.settings.horizon / 2;
        if self.board.is_one_of_many {
            return;
        }
        let read = async {
            self.read_deadlines(until).await?;
            self.loaded_until = until;
            self.park_left().await
        };
        if let Err(error) = read.await {
            tracing::error!(%error, "what is due could not be read");
            self.figures.store_errors += 1;
            self.reload_at = self.clock.boot() + RETRY;
        }
    }

    async fn read_deadlines(&mut self, until: Timestamp) -> Stored<()> {
        let (mut from, mut past) = (self.loaded_until, None);
        loop {
            let page = self.store.deadlines(from, past, until, PAGE).await?;
            for (at, key) in &page {
                if self.board.slots.contains_key(key) {
                    self.arm_deadline(*key);
                } else {
                    let instant = self.instant(*at);
                    self.board.deadlines.insert(*key, instant);
                }
            }
            match page.last() {
                Some((at, key)) if page.len() >= PAGE as usize => (from, past) = (*at, Some(*key)),
                Some(_) | None => return Ok(()),
            }
        }
    }

    /// Jobs whose push is long due and that nobody is working on, one page a turn: a crash may have left
    /// very many, and connections and deadlines do not wait for all of them.
    async fn park_left(&mut self) -> Stored<()> {
        let until = self.clock.now().saturating_sub(self.settings.push_step);
        let Ok(until) = until else { return Ok(()) };
        let rows = self.store.due_jobs(until, self.left_after, PAGE).await?;
        let is_last = rows.len() < PAGE as usize;
        self.left_after = rows.last().filter(|_| !is_last).map(|job| job.key);
        for job in rows {
            if self.was_left_due(&job) {
                self.take_left(job);
            }
        }
        self.commit().await;
        if !is_last {
            self.reload_at = self.clock.boot();
        }
        Ok(())
    }

    fn was_left_due(&self, job: &Job) -> bool {
        let waits = matches!(job.state, CloudState::Scheduled | CloudState::Pushed);
        let in_time = self.clock.now() < job.deadline_at;
        waits && in_time && !self.board.slots.contains_key(&job.key)
    }

    /// A job nobody is working on: its rows are read anew, or it is parked.
    fn take_left(&mut self, job: Job) {
        let connected = |register| self.board.sessions.contains_key(&register);
        if job.state == CloudState::Pushed && job.register.is_some_and(connected) {
            return;
        }
        let scheduled = job.state == CloudState::Scheduled;
        let printer = printer_name(&job).and_then(|name| self.board.printers.get_mut(&name));
        let waits = printer.is_some();
        if let Some(printer) = printer {
            printer.overflow();
        }
        if !(waits && scheduled) {
            let key = self.adopt(job);
            self.apply(key, &Event::Parked);
        }
    }
}
