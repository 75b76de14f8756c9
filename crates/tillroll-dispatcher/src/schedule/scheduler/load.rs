//! Reads rows aside: what a register has, and what waits for a printer.

use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tillroll_wire::channel::Down;
use tillroll_wire::job::CloudState;

use super::run::Task;
use crate::job::{Job, JobKey, RegisterNo};
use crate::schedule::board::printer_name;
use crate::schedule::printer::PrinterName;
use crate::schedule::transition::Event;
use crate::store::{DispatcherStore, Stored};

/// Reads under way at once.
const READS: usize = 32;
/// Wait before a read is repeated that the store refused.
const RETRY: Duration = Duration::from_secs(1);

/// Rows to be read for a connection.
#[derive(Debug)]
pub(super) struct Load {
    /// The register and the number of its connection.
    pub of: (RegisterNo, u64),
    /// Which rows.
    pub rows: Rows,
}

/// Which rows.
#[derive(Debug, Clone)]
pub(super) enum Rows {
    /// Jobs it has.
    AtRegister,
    /// Jobs that wait for one of its printers.
    Waiting(PrinterName),
}

/// Rows that were read.
#[derive(Debug)]
pub(super) struct Loaded {
    load: Load,
    jobs: Vec<Job>,
}

impl<S: DispatcherStore> Task<S> {
    /// Begins as many reads as may be under way.
    pub(super) fn start_loads(&mut self) {
        while self.loads.len() < READS
            && let Some(load) = self.wanted.pop_front()
        {
            let (store, limit) = (self.store.clone(), self.rows_at_once());
            self.loads.spawn(read_until_answered(store, load, limit));
        }
    }

    /// Rows of one read: as many as fit into memory, and some that are there already.
    fn rows_at_once(&self) -> u32 {
        u32::try_from(self.settings.window.saturating_mul(2)).unwrap_or(u32::MAX)
    }

    /// Takes rows in. Those of a connection that has ended are dropped.
    pub(super) fn take_loaded(&mut self, loaded: Loaded) {
        let (register, no) = loaded.load.of;
        if self.board.session(register, no).is_none() {
            return;
        }
        match loaded.load.rows {
            Rows::AtRegister => self.take_at_register(register, loaded.jobs),
            Rows::Waiting(name) => self.take_waiting(register, &name, loaded.jobs),
        }
    }

    fn take_at_register(&mut self, register: RegisterNo, jobs: Vec<Job>) {
        for job in jobs {
            if self.board.slots.contains_key(&job.key) {
                continue;
            }
            let key = self.adopt(job);
            if !self.give_back_replaced(key, register) {
                self.resume(key, register);
            }
        }
        let Some(session) = self.board.sessions.get(&register) else { return };
        for name in session.printers.clone() {
            self.want_rows(&PrinterName { store: register.store, name });
        }
    }

    /// What was pushed to another installation goes to this one only held. Says whether it was.
    fn give_back_replaced(&mut self, key: JobKey, register: RegisterNo) -> bool {
        let Some(session) = self.board.sessions.get(&register) else { return false };
        let Some(slot) = self.board.slots.get(&key) else { return false };
        let replaced = slot.was_pushed_elsewhere(&session.incarnation);
        replaced && self.apply(key, &Event::Replaced)
    }

    /// Goes on with a job that was at this register before: the register is asked first.
    pub(super) fn resume(&mut self, key: JobKey, register: RegisterNo) {
        self.lay_at(key, register);
        let Some(slot) = self.board.slots.get(&key) else { return };
        let (id, state) = (slot.job.id.clone(), slot.job.state);
        if state == CloudState::Pushed {
            self.with_printer(key, |printer| printer.pace.still_unanswered(key));
        }
        let canceled = state == CloudState::CancelRequested;
        let question = if canceled { Down::Cancel { id } } else { Down::Status { id } };
        self.ask(key, register, question);
    }

    fn take_waiting(&mut self, register: RegisterNo, name: &PrinterName, jobs: Vec<Job>) {
        let all = jobs.len() < self.rows_at_once() as usize;
        let mut fitted = true;
        for job in jobs {
            if self.board.slots.contains_key(&job.key) || printer_name(&job).as_ref() != Some(name)
            {
                continue;
            }
            if self.is_full(name) {
                fitted = false;
                break;
            }
            let key = self.adopt(job);
            if !self.give_back_replaced(key, register) {
                self.come_back(key);
            }
        }
        if let Some(printer) = self.board.printers.get_mut(name)
            && printer.register == register
        {
            printer.read(all && fitted);
            self.hot.insert(name.clone());
        }
    }

    fn is_full(&self, name: &PrinterName) -> bool {
        let printer = self.board.printers.get(name);
        printer.is_none_or(|printer| printer.recovered.len() >= self.settings.window)
    }

    /// A waiting row takes its place in memory.
    fn come_back(&mut self, key: JobKey) {
        let now = self.clock.now();
        if !self.apply(key, &Event::Returned { now }) {
            self.settle(key);
        }
    }
}

async fn read_until_answered<S: DispatcherStore>(store: S, load: Load, limit: u32) -> Loaded {
    loop {
        match read(&store, &load, limit).await {
            Ok(jobs) => return Loaded { load, jobs },
            Err(error) => tracing::warn!(%error, ?load, "rows could not be read"),
        }
        tokio::time::sleep(RETRY).await;
    }
}

async fn read<S: DispatcherStore>(store: &S, load: &Load, limit: u32) -> Stored<Vec<Job>> {
    match &load.rows {
        Rows::AtRegister => store.jobs_at(load.of.0).await,
        Rows::Waiting(name) => store.waiting_jobs(name.store, name.name.clone(), limit).await,
    }
}
