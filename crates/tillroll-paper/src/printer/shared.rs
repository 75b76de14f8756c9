//! One printer's state, shared by its handle, its connections and its clock.
//!
//! Every change goes through [`Shared::update`]: it sends the answers that came of it, wakes who
//! waits for a change, and starts the clock of a motion.

use std::{
    any::Any,
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use tokio::{
    runtime::Handle,
    sync::{Notify, mpsc, watch},
};

use super::{
    behaviour::Behaviour,
    machine::Answer,
    state::{Door, Due, State},
};

/// Silently dead connections held open.
const MAX_DEAD: usize = 256;

#[derive(Debug)]
pub(crate) struct Shared {
    state: Mutex<State>,
    revision: watch::Sender<u64>,
    motion: Arc<Notify>,
    dead: Mutex<VecDeque<Box<dyn Any + Send>>>,
}

impl Shared {
    pub(crate) fn new(behaviour: Behaviour) -> Arc<Self> {
        let (revision, _) = watch::channel(0);
        Arc::new(Self {
            state: Mutex::new(State::new(behaviour)),
            revision,
            motion: Arc::new(Notify::new()),
            dead: Mutex::new(VecDeque::new()),
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.revision.subscribe()
    }

    pub(crate) fn update<T>(self: &Arc<Self>, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let result = change(&mut state);
        let late = state.send_answers();
        let moving = state.machine.motion_time().is_some();
        let runtime = state.clock.as_ref().map(|(runtime, _)| runtime.clone());
        drop(state);
        if let (Some(runtime), false) = (runtime, late.is_empty()) {
            late.into_iter().for_each(|(delay, answer)| self.send_later(&runtime, delay, answer));
        }
        if moving {
            self.motion.notify_one();
        }
        self.revision.send_modify(|revision| *revision += 1);
        result
    }

    /// Admits a connection: its number and the answers to send to it. One over a network has to find
    /// the door open. Must be called in a runtime.
    pub(crate) fn open_link(
        self: &Arc<Self>,
        network: bool,
    ) -> Result<(u64, mpsc::Receiver<Due>), Door> {
        self.start_clock();
        let mut state = self.lock();
        let door = state.door();
        if network && door != Door::Open {
            return Err(door);
        }
        let admitted = state.admit(network);
        drop(state);
        self.update(|_| ());
        Ok(admitted)
    }

    /// Keeps what is left of a silently dead connection, so that the host sees no end.
    pub(crate) fn hold_dead(&self, connection: Box<dyn Any + Send>) {
        let mut dead = self.dead.lock().unwrap_or_else(PoisonError::into_inner);
        if dead.len() == MAX_DEAD {
            dead.pop_front();
        }
        dead.push_back(connection);
    }

    /// Forgets a connection.
    pub(crate) fn close_link(self: &Arc<Self>, link: u64) {
        let linger = self.update(|state| state.forget(link));
        if let Some(linger) = linger {
            let shared = Arc::clone(self);
            tokio::spawn(async move {
                tokio::time::sleep(linger).await;
                shared.update(|_| ());
            });
        }
    }

    /// Runs the clock of the print head on the current runtime, once.
    fn start_clock(self: &Arc<Self>) {
        let mut state = self.lock();
        if state.clock.as_ref().is_none_or(|(_, task)| task.is_finished()) {
            let task = tokio::spawn(keep_time(Arc::downgrade(self), Arc::clone(&self.motion)));
            state.clock = Some((Handle::current(), task));
        }
    }

    fn send_later(self: &Arc<Self>, runtime: &Handle, delay: Duration, answer: Answer) {
        let shared = Arc::downgrade(self);
        runtime.spawn(async move {
            tokio::time::sleep(delay).await;
            if let Some(shared) = shared.upgrade() {
                shared.lock().send(answer);
            }
        });
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.motion.notify_one();
    }
}

/// Waits out each motion of the print head. Ends with the printer.
async fn keep_time(shared: Weak<Shared>, motion: Arc<Notify>) {
    loop {
        motion.notified().await;
        while let Some(time) = motion_time(&shared) {
            tokio::time::sleep(time).await;
            let Some(shared) = shared.upgrade() else { return };
            shared.update(|state| state.machine.end_motion());
        }
        if shared.strong_count() == 0 {
            return;
        }
    }
}

fn motion_time(shared: &Weak<Shared>) -> Option<Duration> {
    shared.upgrade()?.lock().machine.motion_time()
}
