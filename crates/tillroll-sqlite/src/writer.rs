//! The writing connection and what it may do: commit, be rewritten after a doubtful commit, close.

use rusqlite::Connection;

use crate::checkpoint;
use crate::error::CloseError;
use crate::files;
use crate::health::Condition;
use crate::rewrite;
use crate::shared::Shared;
use crate::transaction::{self, Ended};
use crate::verdict::Verdict;
use crate::work::Work;

/// Holder of the one connection that writes.
pub(crate) struct Writer {
    connection: Option<Connection>,
    trust: Trust,
    /// The disk was full. A log that grows now can fill it to where the main file has no room left for what the log
    /// holds, and then nothing helps but more room.
    cramped: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Sound,
    /// A commit failed: rewrite the files before the next one.
    Suspect,
    Closed,
}

impl Writer {
    /// A writer that first rewrites the database unless its files are `settled`.
    pub(crate) fn new(connection: Connection, settled: bool) -> Self {
        let trust = if settled { Trust::Sound } else { Trust::Suspect };
        Self { connection: Some(connection), trust, cramped: false }
    }

    /// True when commits may be acknowledged and checkpoints made.
    pub(crate) fn is_sound(&self) -> bool {
        self.trust == Trust::Sound
    }

    /// Runs a batch in one transaction. Rewrites the database first if it is suspect.
    pub(crate) fn commit(&mut self, shared: &Shared, batch: &mut [&mut dyn Work]) -> Verdict {
        if let Err(verdict) = self.make_sound(shared) {
            return verdict;
        }
        if self.cramped {
            self.make_room(shared);
        } else if shared.gauge.is_full() {
            checkpoint::empty_full_wal(shared);
        }
        let Some(connection) = &self.connection else { return Verdict::Unavailable };
        let ended = transaction::run(connection, batch, shared.options.commit_fault.as_ref());
        if !ended.sound || !connection.is_autocommit() {
            self.trust = Trust::Suspect;
        }
        self.note(shared, &ended);
        ended.verdict
    }

    /// Copies the log away before each commit until the disk has room for a log again.
    fn make_room(&mut self, shared: &Shared) {
        let is_cut = checkpoint::cut_wal(shared);
        self.cramped = !is_cut || files::room(&shared.path) < shared.options.checkpoint_bytes;
    }

    fn make_sound(&mut self, shared: &Shared) -> Result<(), Verdict> {
        // Left open by a panic between two writes: what it holds was answered to nobody.
        if self.connection.as_ref().is_some_and(|connection| !connection.is_autocommit()) {
            self.trust = Trust::Suspect;
        }
        match self.trust {
            Trust::Sound => Ok(()),
            Trust::Closed => Err(Verdict::Closed),
            Trust::Suspect => self.rewrite(shared),
        }
    }

    fn rewrite(&mut self, shared: &Shared) -> Result<(), Verdict> {
        match rewrite::rewrite(shared, &mut self.connection) {
            Ok(()) => {
                self.trust = Trust::Sound;
                shared.counters.set_condition(Condition::Healthy);
                Ok(())
            }
            Err(error) => {
                tracing::error!(%error, "database could not be rewritten");
                Err(Verdict::Unavailable)
            }
        }
    }

    fn note(&mut self, shared: &Shared, ended: &Ended) {
        let counters = &shared.counters;
        if ended.kept > 0 {
            counters.note_commit(ended.kept);
        }
        if self.trust == Trust::Suspect {
            return counters.set_condition(Condition::Rewriting);
        }
        if ended.damage {
            return counters.set_condition(Condition::Damaged);
        }
        if matches!(ended.verdict, Verdict::DiskFull) {
            self.cramped = true;
            counters.set_condition(Condition::DiskFull);
        } else if ended.kept > 0 && counters.condition() == Condition::DiskFull {
            counters.set_condition(Condition::Healthy);
        }
    }

    /// Empties the WAL and gives the connection up.
    pub(crate) fn close(&mut self, shared: &Shared) -> Result<(), CloseError> {
        let sound = self.is_sound() && shared.counters.condition() != Condition::Damaged;
        self.trust = Trust::Closed;
        let connection = self.connection.take();
        shared.counters.set_condition(Condition::Closed);
        let Some(connection) = connection.filter(|_| sound) else {
            return Err(CloseError::Suspect);
        };
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        connection.close().map_err(|(_, error)| CloseError::Sqlite(error))
    }
}
