//! The handle: write, read, health, close.

use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rusqlite::{Connection, ffi};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::oneshot;

use crate::checkpoint;
use crate::committer;
use crate::error::{CloseError, OpenError, Refusal, WriteError, failure};
use crate::files;
use crate::health::{Condition, Health};
use crate::open::{self, Opened, Opening};
use crate::options::Options;
use crate::queue::{Haste, NotQueued};
use crate::shared::Shared;
use crate::work::{Pending, Queued, Reply};
use crate::writer::Writer;

/// An open database. Clones are cheap and share it; when the last one goes, it is closed.
#[derive(Clone)]
pub struct Database(Arc<Running>);

/// The shared part and the end of its threads.
struct Running {
    shared: Arc<Shared>,
    ended: Mutex<Option<Receiver<Result<(), CloseError>>>>,
}

impl Database {
    /// Opens or makes the database at `path`, brings it to the newest schema and starts its threads.
    /// A damaged file is set aside and what can be read is rescued; see [`Opening`].
    ///
    /// The caller sees to it that no other process opens the same file.
    ///
    /// # Errors
    /// See [`OpenError`]. Nothing was changed when the schema is newer or an option is wrong.
    pub fn open(path: &Path, options: Options) -> Result<(Self, Opening), OpenError> {
        let Opened { connection, gauge, settled, opening } = open::open(path, &options)?;
        let writer = Writer::new(connection, settled);
        let shared = Arc::new(Shared::new(path.to_owned(), options, writer, gauge));
        let ended = match shared.options.inline {
            true => None,
            false => {
                Some(start_threads(&shared).map_err(OpenError::io("start threads for", path))?)
            }
        };
        Ok((Self(Arc::new(Running { shared, ended: Mutex::new(ended) })), opening))
    }

    /// Runs `work` in a transaction and answers once its `COMMIT` returned.
    ///
    /// Callers that arrive during a commit share the next one: one that refuses or panics does not
    /// touch its neighbours, all of whom are undone with it and run again. A caller who is alone
    /// commits on its own thread. Blocks for at least a disk sync, at most for the syncs of what the
    /// queue limit lets wait before it; not for async code.
    ///
    /// `work` must not begin, commit or roll back: the outcome would be unknown to all. It changes rows,
    /// never the schema. Changes it sees may be a neighbour's of the same commit; if that fails, both
    /// are told so.
    ///
    /// # Errors
    /// See [`WriteError`]; only [`WriteError::OutcomeUnknown`] leaves open whether it was stored.
    pub fn write<T, E>(
        &self,
        work: impl Fn(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, WriteError<E>>
    where
        T: Send + 'static,
        E: Refusal,
    {
        let work = match self.write_alone(work, Haste::Urgent, |commit| commit()) {
            Ok(answer) => return answer,
            Err(work) => work,
        };
        let (reply, answer) = sync_channel(1);
        self.enqueue(work, Haste::Urgent, reply)?;
        answer.recv().unwrap_or(Err(WriteError::OutcomeUnknown))
    }

    /// As [`Self::write`], for async code: never holds up a runtime's worker.
    ///
    /// On a multi-thread runtime a lone caller commits on its own thread by
    /// [`tokio::task::block_in_place`] (so not inside a `LocalSet`); else the committing thread does
    /// it. Dropping the future does not take the write back.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub async fn write_async<T, E>(
        &self,
        work: impl Fn(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, WriteError<E>>
    where
        T: Send + 'static,
        E: Refusal,
    {
        self.write_with_haste(work, Haste::Urgent).await
    }

    /// As [`Self::write_async`], for a write that may wait a little for others to share its commit: see
    /// [`Options::company`].
    ///
    /// # Errors
    /// As [`Self::write`].
    pub async fn write_in_company_async<T, E>(
        &self,
        work: impl Fn(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, WriteError<E>>
    where
        T: Send + 'static,
        E: Refusal,
    {
        self.write_with_haste(work, Haste::InCompany).await
    }

    /// Runs `work` in a short read transaction on a read-only connection: it sees one state of the
    /// database, every acknowledged write included. Waits for a free reader up to the busy timeout
    /// and is interrupted past the read limit. Blocks; not for async code.
    ///
    /// # Errors
    /// Those of `work`; `SQLITE_BUSY` when no reader is free or the database is being rewritten;
    /// `SQLITE_INTERRUPT` past the limit.
    pub fn read<T, E>(&self, work: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, E>
    where
        E: From<rusqlite::Error>,
    {
        self.0.shared.readers.read(work)
    }

    /// As [`Self::read`], for async code.
    ///
    /// # Errors
    /// As [`Self::read`]; also `SQLITE_INTERRUPT` when the runtime is shutting down.
    ///
    /// # Panics
    /// Passes a panic of `work` on.
    pub async fn read_async<T, E>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<rusqlite::Error> + Send + 'static,
    {
        if self.0.shared.options.inline {
            return self.read(work);
        }
        if may_block_in_place() {
            return tokio::task::block_in_place(|| self.read(work));
        }
        let database = self.clone();
        match tokio::task::spawn_blocking(move || database.read(work)).await {
            Ok(answer) => answer,
            Err(ended) => match ended.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(failure(ffi::SQLITE_INTERRUPT, "the runtime is stopping").into()),
            },
        }
    }

    /// As [`Self::read_async`], for a few rows by their keys: on the caller's thread when a reader is idle, since
    /// handing the thread's other tasks over takes longer than such a read.
    ///
    /// # Errors
    /// As [`Self::read_async`].
    ///
    /// # Panics
    /// As [`Self::read_async`].
    pub async fn look_up_async<T, E>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<rusqlite::Error> + Send + 'static,
    {
        match self.0.shared.readers.read_at_once(work) {
            Ok(answer) => answer,
            Err(work) => self.read_async(work).await,
        }
    }

    /// The condition and the counters. Takes no lock a commit holds.
    #[must_use]
    pub fn health(&self) -> Health {
        let shared = &self.0.shared;
        let wal_bytes = files::size(&files::sibling(&shared.path, "-wal"));
        shared.counters.snapshot(shared.queue.len(), wal_bytes)
    }

    /// Commits what waits, empties the WAL, marks the database as properly closed. Other handles
    /// find it closed. Blocks up to the close limit.
    ///
    /// # Errors
    /// See [`CloseError`]; closing a second time is not an error.
    pub fn close(self) -> Result<(), CloseError> {
        self.0.stop()
    }

    async fn write_with_haste<T, E>(
        &self,
        work: impl Fn(&Connection) -> Result<T, E> + Send + 'static,
        haste: Haste,
    ) -> Result<T, WriteError<E>>
    where
        T: Send + 'static,
        E: Refusal,
    {
        let alone = if self.0.shared.options.inline {
            self.write_alone(work, haste, |commit| commit())
        } else if may_block_in_place() {
            self.write_alone(work, haste, |commit| tokio::task::block_in_place(commit))
        } else {
            Err(work)
        };
        let work = match alone {
            Ok(answer) => return answer,
            Err(work) => work,
        };
        let (reply, answer) = oneshot::channel();
        self.enqueue(work, haste, reply)?;
        answer.await.unwrap_or(Err(WriteError::OutcomeUnknown))
    }

    /// Commits on this thread if nobody waits; gives the work back otherwise.
    fn write_alone<T, E, F>(
        &self,
        work: F,
        haste: Haste,
        block: impl FnOnce(&mut dyn FnMut()),
    ) -> Result<Result<T, WriteError<E>>, F>
    where
        F: Fn(&Connection) -> Result<T, E>,
        E: Refusal,
    {
        let shared = &self.0.shared;
        let Some(mut writer) = shared.writer_for_one(haste) else { return Err(work) };
        let mut pending = Pending::new(work);
        let mut verdict = crate::verdict::Verdict::Unavailable;
        block(&mut || verdict = shared.commit_one(&mut writer, &mut pending));
        drop(writer);
        Ok(pending.settle(&verdict))
    }

    fn enqueue<T, E, F, R>(&self, work: F, haste: Haste, reply: R) -> Result<(), WriteError<E>>
    where
        F: Fn(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: Refusal,
        R: Reply<Result<T, WriteError<E>>> + 'static,
    {
        let request = Queued { pending: Pending::new(work), reply };
        self.0.shared.queue.push(Box::new(request), haste).map_err(|refused| match refused {
            NotQueued::Full => WriteError::Overloaded,
            NotQueued::Closed => WriteError::Closed,
        })
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Database").field(&self.0.shared.path).finish()
    }
}

impl Running {
    fn stop(&self) -> Result<(), CloseError> {
        self.shared.queue.close();
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(ended) = ended else { return self.stop_inline() };
        ended.recv_timeout(self.shared.options.close_limit).unwrap_or(Err(CloseError::Timeout))
    }
}

impl Running {
    /// The end of a database without threads; nothing to do for one that has ended.
    fn stop_inline(&self) -> Result<(), CloseError> {
        let closed = self.shared.counters.condition() == Condition::Closed;
        if closed || !self.shared.options.inline {
            return Ok(());
        }
        committer::close(&self.shared)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            tracing::warn!(%error, path = %self.shared.path.display(), "database not closed cleanly");
        }
    }
}

/// True on a worker that may hand its other tasks away.
fn may_block_in_place() -> bool {
    Handle::try_current().is_ok_and(|handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread)
}

/// Starts the checkpointing and the committing thread; the receiver hears how the latter closed.
fn start_threads(shared: &Arc<Shared>) -> std::io::Result<Receiver<Result<(), CloseError>>> {
    let (end, ended) = sync_channel(1);
    let side = Arc::clone(shared);
    let checkpointer = thread::Builder::new()
        .name("sqlite-checkpoint".to_owned())
        .spawn(move || checkpoint::run(&side))?;
    let main = Arc::clone(shared);
    let committer = thread::Builder::new().name("sqlite-commit".to_owned()).spawn(move || {
        committer::run(&main, checkpointer, |closed| drop(end.try_send(closed)));
    });
    if committer.is_err() {
        shared.gauge.stop();
    }
    committer.map(|_| ended)
}
