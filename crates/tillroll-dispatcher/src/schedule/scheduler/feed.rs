//! Gives printers their turns.

use std::time::Duration;

use tillroll_domain::clock::Clock as _;

use super::batch::Effect;
use super::load::{Load, Rows};
use super::run::Task;
use crate::job::JobKey;
use crate::schedule::pace::Turn;
use crate::schedule::printer::{Backlog, PrinterName};
use crate::schedule::transition::Event;
use crate::store::DispatcherStore;

impl<S: DispatcherStore> Task<S> {
    /// Pushes what may be pushed now. Recovery takes from the rate over all printers in the order in
    /// which printers came to need it.
    pub(super) fn feed(&mut self) {
        let now = self.clock.boot();
        while self.bucket.ready_at() <= now
            && let Some(name) = self.queue.pop_front()
        {
            if let Some(printer) = self.board.printers.get_mut(&name) {
                printer.queued = false;
                self.feed_printer(&name, now, true);
            }
        }
        while self.later.first().is_some_and(|(at, _)| *at <= now)
            && let Some((_, name)) = self.later.pop_first()
        {
            if let Some(printer) = self.board.printers.get_mut(&name) {
                printer.wake = None;
            }
            self.hot.insert(name);
        }
        while let Some(name) = self.hot.pop_first() {
            let first_in_line = self.queue.is_empty();
            self.feed_printer(&name, now, first_in_line);
        }
    }

    fn feed_printer(&mut self, name: &PrinterName, now: Duration, may_recover: bool) {
        let mut may_recover = may_recover;
        while let Some((key, recovered)) = self.next_job(name, now, may_recover) {
            self.push(key, recovered);
            // One at a time from the line: the next printer in it comes first.
            may_recover &= self.queue.is_empty();
        }
        self.want_rows(name);
    }

    /// The job whose turn it is, and whether it is a recovered one.
    fn next_job(
        &mut self,
        name: &PrinterName,
        now: Duration,
        may_recover: bool,
    ) -> Option<(JobKey, bool)> {
        let printer = self.board.printers.get(name)?;
        match printer.turn(now, &self.settings) {
            Turn::Live => Some((*printer.live.first()?, false)),
            Turn::Recovered if may_recover && self.bucket.take(now) => {
                Some((*printer.recovered.first()?, true))
            }
            Turn::Recovered => {
                // The rate is used up; a live job does not wait for it.
                let live = printer.live.first().copied();
                self.stand_in_line(name);
                live.map(|key| (key, false))
            }
            Turn::At(at) => {
                self.look_later(name, at);
                None
            }
            Turn::Nobody => None,
        }
    }

    fn stand_in_line(&mut self, name: &PrinterName) {
        if let Some(printer) = self.board.printers.get_mut(name)
            && !std::mem::replace(&mut printer.queued, true)
        {
            self.queue.push_back(name.clone());
        }
    }

    fn look_later(&mut self, name: &PrinterName, at: Duration) {
        if let Some(printer) = self.board.printers.get_mut(name) {
            if let Some(before) = printer.wake.replace(at) {
                self.later.remove(&(before, name.clone()));
            }
            self.later.insert((at, name.clone()));
        }
    }

    /// Asks for rows when few wait in memory and more may be stored.
    pub(super) fn want_rows(&mut self, name: &PrinterName) {
        if let Some(printer) = self.board.printers.get_mut(name)
            && printer.wants_rows(&self.settings)
            && let Some(session) = self.board.sessions.get(&printer.register)
        {
            printer.backlog = Backlog::Reading { more: false };
            let of = (printer.register, session.no);
            self.wanted.push_back(Load { of, rows: Rows::Waiting(name.clone()) });
        }
    }

    /// The first push of a job on this connection.
    fn push(&mut self, key: JobKey, recovered: bool) {
        let now = self.clock.boot();
        let settings = self.settings;
        if !self.push_once(key) {
            return self.with_printer(key, |printer| printer.forget(key));
        }
        self.figures.recovered += u64::from(recovered);
        self.with_printer(key, |printer| {
            printer.dequeue(key);
            printer.pace.pushed(key, now, recovered.then_some(&settings));
        });
    }

    /// Notes a push, or one more of the same; it leaves when the row is durable.
    pub(super) fn push_once(&mut self, key: JobKey) -> bool {
        let Some(slot) = self.board.slots.get(&key) else { return false };
        let Some(printer) = self.printer_of(&slot.job) else { return false };
        let register = printer.register;
        let Some(session) = self.board.sessions.get(&register) else { return false };
        let incarnation = session.incarnation.clone();
        let tries = slot.tries.saturating_add(1);
        let now = self.clock.now();
        let next = self.settings.next_push(tries, now, slot.job.deadline_at);
        if !self.apply(key, &Event::PushSent { register, incarnation, next }) {
            return false;
        }
        self.lay_at(key, register);
        if let Some(slot) = self.board.slots.get_mut(&key) {
            slot.tries = tries;
        }
        let again = now.checked_add(self.settings.wait_after(tries));
        if let Some(at) = next.or(again.ok()) {
            self.arm(key, at);
        }
        self.figures.pushes += 1;
        self.batch.effects.push(Effect::Push(key, register));
        true
    }
}
