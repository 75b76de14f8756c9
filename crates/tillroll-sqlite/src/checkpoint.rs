//! Checkpoints aside: a second connection copies the WAL into the main file, so that no commit pays
//! for it.
//!
//! By size, PASSIVE: writers and readers go on. Past the WAL's limit, RESTART between two commits:
//! the WAL is bounded. In idle time, RESTART too: the next commit overwrites the log from its start,
//! which syncs faster than a growing file, and for the same reason the file is not cut short, but where
//! the disk was full.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use crate::connection;
use crate::error::OpenError;
use crate::health::Condition;
use crate::shared::Shared;
use crate::wal_gauge::Wake;

/// The side connection, opened when first needed.
#[derive(Default)]
pub(crate) struct Checkpointer(Mutex<Option<Connection>>);

impl Checkpointer {
    /// Closes the side connection; the next checkpoint opens it again.
    pub(crate) fn disconnect(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Runs a checkpoint; false when readers or a writer were in its way.
    fn run(&self, shared: &Shared, mode: &str) -> Result<bool, OpenError> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = match slot.take() {
            Some(connection) => connection,
            None => connection::checkpointer(&shared.path, &shared.options)?,
        };
        let busy: i64 = slot.insert(connection).query_row(
            &format!("PRAGMA wal_checkpoint({mode})"),
            [],
            |row| row.get(0),
        )?;
        Ok(busy == 0)
    }
}

/// The checkpointing thread.
pub(crate) fn run(shared: &Arc<Shared>) {
    let gauge = &shared.gauge;
    let mut settled = gauge.commits();
    loop {
        match gauge.wait(settled, shared.options.idle_after) {
            Wake::Stop => return,
            Wake::Due => by_size(shared),
            Wake::Idle => {
                let seen = gauge.commits();
                if checkpoint_in_idle_time(shared) {
                    settled = seen;
                }
            }
        }
    }
}

/// Copies what the WAL holds; writers go on meanwhile.
pub(crate) fn by_size(shared: &Shared) {
    if shared.counters.condition() != Condition::Rewriting {
        note(shared, &shared.checkpointer.run(shared, "PASSIVE"));
    }
    shared.gauge.checkpointed();
}

/// Empties a full WAL; for the holder of the writer, between two commits. The writer does it itself
/// because a lock that is always in demand might never come to this thread.
pub(crate) fn empty_full_wal(shared: &Shared) {
    empty(shared, "RESTART");
}

/// As [`empty_full_wal`], and gives the room of the WAL back to the disk; whether that was done.
pub(crate) fn cut_wal(shared: &Shared) -> bool {
    empty(shared, "TRUNCATE")
}

fn empty(shared: &Shared, mode: &str) -> bool {
    let done = shared.checkpointer.run(shared, mode);
    note(shared, &done);
    let is_empty = matches!(done, Ok(true));
    if is_empty {
        shared.gauge.emptied();
    } else {
        shared.gauge.not_emptied();
    }
    is_empty
}

/// False when somebody was in the way and it is worth another try.
fn checkpoint_in_idle_time(shared: &Shared) -> bool {
    let Some(writer) = shared.free_writer() else { return false };
    if !writer.is_sound() {
        return true;
    }
    let done = shared.checkpointer.run(shared, "RESTART");
    drop(writer);
    note(shared, &done);
    !matches!(done, Ok(false))
}

fn note(shared: &Shared, done: &Result<bool, OpenError>) {
    let count = |counter: &AtomicU64| counter.fetch_add(1, Relaxed);
    match done {
        Ok(true) => drop(count(&shared.counters.checkpoints)),
        Ok(false) => tracing::debug!("checkpoint was held up by a reader"),
        // The log keeps every page until a checkpoint has synced it, so another try is enough.
        Err(error) => {
            count(&shared.counters.failed_checkpoints);
            tracing::warn!(%error, "checkpoint failed; the log keeps the pages");
        }
    }
}
