//! What the handles and the two threads of one open database share.
//!
//! Lock order: writer, then checkpointer, then readers.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use crate::checkpoint::{self, Checkpointer};
use crate::health::{Condition, Counters};
use crate::options::Options;
use crate::pace::Pace;
use crate::queue::{Haste, Queue};
use crate::readers::Readers;
use crate::verdict::Verdict;
use crate::wal_gauge::WalGauge;
use crate::work::Work;
use crate::writer::Writer;

pub(crate) struct Shared {
    pub(crate) path: PathBuf,
    pub(crate) options: Options,
    pub(crate) queue: Queue,
    pub(crate) readers: Readers,
    pub(crate) checkpointer: Checkpointer,
    pub(crate) gauge: Arc<WalGauge>,
    pub(crate) counters: Counters,
    writer: Mutex<Writer>,
    /// The committing thread's last batch had more than one write: group commit pays.
    crowded: AtomicBool,
    pace: Pace,
    /// Over it, writes that can wait for company do.
    company: Pace,
}

impl Shared {
    pub(crate) fn new(
        path: PathBuf,
        options: Options,
        writer: Writer,
        gauge: Arc<WalGauge>,
    ) -> Self {
        let counters = Counters::default();
        if !writer.is_sound() {
            counters.set_condition(Condition::Rewriting);
        }
        Self {
            queue: Queue::new(options.queue_limit),
            readers: Readers::new(path.clone(), options.clone()),
            checkpointer: Checkpointer::default(),
            gauge,
            counters,
            writer: Mutex::new(writer),
            crowded: AtomicBool::new(false),
            pace: Pace::new(options.pace),
            company: Pace::new(options.company.map_or(Duration::ZERO, |company| company.span)),
            path,
            options,
        }
    }

    /// The writer, once whoever has it is done.
    pub(crate) fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The writer if it is free now.
    pub(crate) fn free_writer(&self) -> Option<MutexGuard<'_, Writer>> {
        match self.writer.try_lock() {
            Ok(writer) => Some(writer),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The writer for a caller on its own thread: only while nobody waits. Under a crowd the
    /// committing thread is left to it, or every second commit would carry one write. Always where
    /// there is no such thread.
    pub(crate) fn writer_for_one(&self, haste: Haste) -> Option<MutexGuard<'_, Writer>> {
        if self.options.inline {
            return Some(self.writer());
        }
        if haste == Haste::InCompany && self.company.is_over() {
            return None;
        }
        if self.queue.len() > 0 || self.is_crowded() || !self.until_next_commit().is_zero() {
            return None;
        }
        self.free_writer()
    }

    /// Waits for company for those that wait for it.
    pub(crate) fn wait_for_company(&self) {
        if let Some(company) = &self.options.company
            && self.company.is_over()
        {
            self.queue.gather(company);
        }
    }

    /// How long the next commit is to wait yet.
    pub(crate) fn until_next_commit(&self) -> Duration {
        self.pace.left()
    }

    /// Whether several writes waited for the last commit of the committing thread.
    pub(crate) fn is_crowded(&self) -> bool {
        self.crowded.load(Relaxed)
    }

    /// Notes that a commit begins, and how many writes the committing thread found waiting.
    pub(crate) fn note_crowd(&self, waiting: usize) {
        self.note_commit();
        self.crowded.store(waiting > 1, Relaxed);
    }

    fn note_commit(&self) {
        self.pace.note();
        self.company.note();
    }

    /// Commits one write on this thread.
    pub(crate) fn commit_one(&self, writer: &mut Writer, work: &mut dyn Work) -> Verdict {
        self.note_commit();
        let verdict = writer.commit(self, &mut [work]);
        if self.options.inline && self.gauge.is_due() {
            checkpoint::by_size(self);
        }
        verdict
    }
}
