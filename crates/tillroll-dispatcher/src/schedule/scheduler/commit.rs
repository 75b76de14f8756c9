//! The end of a turn: one write, then everything that follows from it.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::print_job::HoldReason;
use tillroll_wire::channel::{Down, Push};
use tillroll_wire::job::CloudState;
use tokio::sync::oneshot;

use super::CancelError;
use super::batch::{Batch, Effect};
use super::run::Task;
use crate::job::{Job, JobKey, RegisterNo};
use crate::store::{Changed, DispatcherStore, JobChange};

/// Rows of one transaction.
const ROWS: usize = 512;
/// Waits before a write is repeated that the store refused.
const RETRY: [Duration; 3] =
    [Duration::from_millis(200), Duration::from_millis(500), Duration::from_secs(2)];

impl<S: DispatcherStore> Task<S> {
    /// Writes the turn's changes and lets what follows from them happen. While the store refuses,
    /// nothing goes on: nothing may be said that is not durable.
    pub(super) async fn commit(&mut self) {
        let mut batch = std::mem::take(&mut self.batch);
        let changes: Vec<_> = std::mem::take(&mut batch.changes).into_values().collect();
        let mut stale = BTreeSet::new();
        for rows in changes.chunks(ROWS) {
            let Some(changed) = self.write(rows).await else { return };
            for (row, change) in changed.into_iter().zip(rows) {
                self.take_changed(row, change, &mut stale);
            }
        }
        batch.effects.retain(|effect| !stale.contains(&effect.key()) || effect.is_answer());
        self.read_bodies(&mut batch).await;
        for effect in std::mem::take(&mut batch.effects) {
            self.follow(effect, &mut batch);
        }
        let mut left = Vec::new();
        for key in batch.touched {
            if !self.belongs(key) {
                left.extend(self.board.release(key));
            }
        }
        self.tell_others(left).await;
    }

    /// Writes until the store takes it; `None` when the program ends first.
    async fn write(&mut self, rows: &[JobChange]) -> Option<Vec<Changed>> {
        let mut waits = RETRY.into_iter().chain(std::iter::repeat(RETRY[RETRY.len() - 1]));
        loop {
            match self.store.change_jobs(rows.to_vec(), self.clock.now()).await {
                Ok(changed) => return Some(changed),
                Err(error) => tracing::error!(%error, rows = rows.len(), "nothing can be written"),
            }
            self.figures.store_errors += 1;
            let wait = waits.next().unwrap_or(RETRY[0]);
            tokio::select! {
                () = self.stopping.cancelled() => return None,
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    fn take_changed(&mut self, row: Changed, change: &JobChange, stale: &mut BTreeSet<JobKey>) {
        match row {
            Changed::Done(job) => self.take_written(job),
            // An earlier write whose outcome was not known has done it.
            Changed::Stale(job) if is_done_by(&job, change) => self.take_written(job),
            Changed::Stale(job) => {
                tracing::debug!(job = %job.id, state = %job.state, "the row had changed before");
                stale.insert(job.key);
                self.take_fresh(job);
            }
            Changed::Gone(key) => {
                stale.insert(key);
                drop(self.board.release(key));
            }
        }
    }

    fn take_written(&mut self, job: Job) {
        if let Some(slot) = self.board.slots.get_mut(&job.key) {
            slot.job = job;
        }
    }

    /// Memory was behind the row: the row counts.
    pub(super) fn take_fresh(&mut self, job: Job) {
        let key = job.key;
        self.board.withdraw(key);
        self.take_written(job);
        self.settle(key);
        self.take_up(key);
    }

    async fn read_bodies(&mut self, batch: &mut Batch) {
        let pushed = batch.effects.iter().filter_map(|effect| match effect {
            Effect::Push(key, _) if !batch.bodies.contains_key(key) => Some(*key),
            Effect::Push(..) | Effect::Send(..) | Effect::Answer(..) => None,
        });
        let keys: Vec<_> = pushed.collect();
        if keys.is_empty() {
            return;
        }
        match self.store.bodies(keys).await {
            Ok(bodies) => batch.bodies.extend(bodies),
            Err(error) => {
                // The pushes are repeated.
                tracing::warn!(%error, "bodies could not be read");
                self.figures.store_errors += 1;
            }
        }
    }

    fn follow(&mut self, effect: Effect, batch: &mut Batch) {
        match effect {
            Effect::Push(key, register) => self.send_push(key, register, batch.bodies.get(&key)),
            Effect::Send(_, register, message) => self.send(register, message),
            Effect::Answer(key, reply) => self.answer(key, reply),
        }
    }

    fn send_push(&mut self, key: JobKey, register: RegisterNo, body: Option<&String>) {
        let Some(slot) = self.board.slots.get(&key) else { return };
        let Some(printer) = slot.job.printer.clone() else { return };
        let body = body.and_then(|body| serde_json::from_str(body).ok());
        let Some(body) = body else {
            tracing::error!(job = %slot.job.id, "a job has no readable body");
            return;
        };
        let held = held(&slot.job);
        let remaining_ms =
            if held.is_some() { None } else { remaining(&slot.job, self.clock.now()) };
        let (id, fingerprint) = (slot.job.id.clone(), slot.job.fingerprint);
        self.send(
            register,
            Down::Push(Push { id, fingerprint, body, printer, remaining_ms, held }),
        );
    }

    fn send(&mut self, register: RegisterNo, message: Down) {
        if !self.board.send(register, message) {
            self.figures.dropped += 1;
        }
    }

    fn answer(&self, key: JobKey, reply: oneshot::Sender<Result<Job, CancelError>>) {
        let answer = match self.board.slots.get(&key).map(|slot| &slot.job) {
            None => Err(CancelError::NotFound),
            Some(job)
                if matches!(job.state, CloudState::Canceled | CloudState::CancelRequested) =>
            {
                Ok(job.clone())
            }
            Some(job) => Err(CancelError::NotAllowed(job.state)),
        };
        // The caller may have gone.
        let _ = reply.send(answer);
    }
}

impl Effect {
    fn is_answer(&self) -> bool {
        matches!(self, Self::Answer(..))
    }
}

/// Whether a row is what a change would have made of it.
fn is_done_by(job: &Job, change: &JobChange) -> bool {
    let wanted = JobChange { row_version: change.row_version + 1, ..change.clone() };
    JobChange::of(job) == wanted
}

/// Why a job may print only after a person's answer: it is too late, or another installation may have
/// printed it.
fn held(job: &Job) -> Option<HoldReason> {
    let timed_out = job.state == CloudState::TimedOut;
    let why = if timed_out { HoldReason::Expired } else { HoldReason::Restored };
    job.hold_at_return.then_some(why)
}

fn remaining(job: &Job, now: Timestamp) -> Option<u64> {
    let left = job.deadline_at.duration_since(now);
    Some(u64::try_from(left.as_millis()).unwrap_or(0))
}
