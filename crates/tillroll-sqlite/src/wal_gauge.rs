//! How much WAL has gathered, told by the commits, watched by the checkpointing thread.
//!
//! A commit costs three atomics here; it takes the lock only when the thread has to wake.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bytes of a WAL frame beyond its page (SQLite file format, section 4.1).
const FRAME_HEADER: u64 = 24;

/// Why the checkpointing thread woke.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    /// The WAL has grown by the checkpoint size.
    Due,
    /// Nothing was committed for a while and the WAL is not empty.
    Idle,
    /// The database is closing.
    Stop,
}

/// Pages in the WAL and the mark at which the next checkpoint is due.
pub(crate) struct WalGauge {
    step: u32,
    limit: u32,
    /// Pages at which writers must wait for a checkpoint.
    full: AtomicU32,
    pages: AtomicU32,
    due: AtomicU32,
    commits: AtomicU64,
    asleep: AtomicBool,
    stopped: Mutex<bool>,
    wake: Condvar,
}

impl WalGauge {
    /// A gauge in pages of `page_size` bytes.
    pub(crate) fn new(page_size: u64, checkpoint_bytes: u64, limit_bytes: u64) -> Self {
        let pages = |bytes: u64| {
            u32::try_from(bytes / (page_size + FRAME_HEADER)).unwrap_or(u32::MAX).max(1)
        };
        let step = pages(checkpoint_bytes);
        let limit = pages(limit_bytes).max(step);
        Self {
            step,
            limit,
            full: AtomicU32::new(limit),
            pages: AtomicU32::new(0),
            due: AtomicU32::new(step),
            commits: AtomicU64::new(0),
            asleep: AtomicBool::new(false),
            stopped: Mutex::new(false),
            wake: Condvar::new(),
        }
    }

    /// Notes a commit after which the WAL holds `pages`.
    pub(crate) fn committed(&self, pages: u32) {
        if pages < self.pages.swap(pages, SeqCst) {
            self.begin_anew();
        }
        self.commits.fetch_add(1, SeqCst);
        if self.is_due() || self.asleep.load(SeqCst) {
            self.notify();
        }
    }

    /// True when writers must wait for a checkpoint that empties the WAL.
    pub(crate) fn is_full(&self) -> bool {
        self.pages.load(SeqCst) >= self.full.load(SeqCst)
    }

    /// Notes that the WAL was emptied.
    pub(crate) fn emptied(&self) {
        self.pages.store(0, SeqCst);
        self.begin_anew();
    }

    /// Notes that a reader kept the full WAL from being emptied: writers go on for another step.
    pub(crate) fn not_emptied(&self) {
        self.full.store(self.pages.load(SeqCst).saturating_add(self.step), SeqCst);
    }

    /// Notes that a checkpoint was tried: the next is due after another step.
    pub(crate) fn checkpointed(&self) {
        self.due.store(self.pages.load(SeqCst).saturating_add(self.step), SeqCst);
    }

    /// Commits so far.
    pub(crate) fn commits(&self) -> u64 {
        self.commits.load(SeqCst)
    }

    /// Waits for something to do. `settled` is the number of commits at the last idle checkpoint.
    pub(crate) fn wait(&self, settled: u64, idle_after: Duration) -> Wake {
        let mut stopped = self.lock();
        loop {
            if *stopped {
                return Wake::Stop;
            }
            if self.is_due() {
                return Wake::Due;
            }
            // Set before the last look at the counter: a commit after it sees us asleep.
            self.asleep.store(true, SeqCst);
            let seen = self.commits();
            if seen == settled {
                stopped = self.wake.wait(stopped).unwrap_or_else(PoisonError::into_inner);
                self.asleep.store(false, SeqCst);
                continue;
            }
            self.asleep.store(false, SeqCst);
            let (guard, timeout) =
                self.wake.wait_timeout(stopped, idle_after).unwrap_or_else(PoisonError::into_inner);
            stopped = guard;
            if timeout.timed_out() && self.commits() == seen && !*stopped {
                return Wake::Idle;
            }
        }
    }

    /// Ends the waiting for good.
    pub(crate) fn stop(&self) {
        *self.lock() = true;
        self.wake.notify_all();
    }

    /// The log is written from its start again.
    fn begin_anew(&self) {
        self.due.store(self.step, SeqCst);
        self.full.store(self.limit, SeqCst);
    }

    /// True when the WAL has grown by the checkpoint size.
    pub(crate) fn is_due(&self) -> bool {
        self.pages.load(SeqCst) >= self.due.load(SeqCst)
    }

    fn notify(&self) {
        let _held_so_that_no_wait_is_missed = self.lock();
        self.wake.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: u64 = 4096;
    const FRAME: u64 = PAGE + FRAME_HEADER;

    fn gauge() -> WalGauge {
        WalGauge::new(PAGE, 10 * FRAME, 30 * FRAME)
    }

    #[test]
    fn checkpoint_is_due_after_each_step() {
        let gauge = gauge();
        gauge.committed(9);
        assert!(!gauge.is_due());
        gauge.committed(10);
        assert_eq!(gauge.wait(0, Duration::ZERO), Wake::Due);
        gauge.checkpointed();
        gauge.committed(19);
        assert!(!gauge.is_due());
        gauge.committed(20);
        assert!(gauge.is_due());
    }

    #[test]
    fn step_counts_from_zero_when_the_log_begins_anew() {
        let gauge = gauge();
        gauge.committed(25);
        gauge.checkpointed();
        gauge.committed(1);
        gauge.committed(10);
        assert!(gauge.is_due());
    }

    #[test]
    fn full_wal_that_a_reader_holds_gets_another_step() {
        let gauge = gauge();
        gauge.committed(29);
        assert!(!gauge.is_full());
        gauge.committed(30);
        assert!(gauge.is_full());
        gauge.not_emptied();
        gauge.committed(39);
        assert!(!gauge.is_full());
        gauge.committed(40);
        assert!(gauge.is_full());
        gauge.emptied();
        gauge.committed(29);
        assert!(!gauge.is_full());
        gauge.committed(30);
        assert!(gauge.is_full());
    }

    #[test]
    fn wait_reports_idle_once_commits_cease() {
        let gauge = gauge();
        gauge.committed(1);
        assert_eq!(gauge.wait(0, Duration::from_millis(1)), Wake::Idle);
    }

    #[test]
    fn wait_ends_when_stopped() {
        let gauge = gauge();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| gauge.wait(0, Duration::from_secs(60)));
            gauge.stop();
            assert_eq!(waiting.join().unwrap(), Wake::Stop);
        });
    }
}
