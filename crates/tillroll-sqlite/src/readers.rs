//! Read-only connections, lent for one short transaction each.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ffi};

use crate::connection;
use crate::error::failure;
use crate::options::Options;

/// Virtual machine steps between two looks at the clock: well under a millisecond.
const STEPS_PER_LOOK: i32 = 10_000;

/// The lent and the idle readers.
pub(crate) struct Readers {
    path: PathBuf,
    options: Options,
    pool: Mutex<Pool>,
    returned: Condvar,
}

#[derive(Default)]
struct Pool {
    idle: Vec<Reader>,
    lent: usize,
    /// Threads that wait for a return: a call of the system is spared while there is none.
    waiting: usize,
    gate: Gate,
}

/// Whether readers are lent.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Gate {
    #[default]
    Open,
    Suspended,
    Closed,
}

/// A connection and the deadline of its current transaction, in microseconds since `origin`.
struct Reader {
    connection: Connection,
    origin: Instant,
    deadline: Arc<AtomicU64>,
}

impl Readers {
    pub(crate) fn new(path: PathBuf, options: Options) -> Self {
        Self { path, options, pool: Mutex::default(), returned: Condvar::new() }
    }

    /// Runs `work` in a read transaction: it sees one state of the database.
    pub(crate) fn read<T, E>(&self, work: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, E>
    where
        E: From<rusqlite::Error>,
    {
        self.borrow()?.read(work)
    }

    /// As [`Self::read`] on a reader that is idle; gives the work back when none is.
    pub(crate) fn read_at_once<T, E, F>(&self, work: F) -> Result<Result<T, E>, F>
    where
        F: FnOnce(&Connection) -> Result<T, E>,
        E: From<rusqlite::Error>,
    {
        match self.idle() {
            Some(reader) => Ok(reader.read(work)),
            None => Err(work),
        }
    }

    /// A reader that nobody has, without a wait.
    fn idle(&self) -> Option<Lent<'_>> {
        let mut pool = self.lock();
        let reader = pool.idle.pop().filter(|_| pool.gate == Gate::Open)?;
        pool.lent += 1;
        drop(pool);
        let mut lent = Lent { readers: self, reader: Some(reader) };
        lent.start().ok()?;
        Some(lent)
    }

    /// Lends no more readers and waits until all are back and closed; false when time ran out.
    pub(crate) fn suspend(&self, limit: Duration) -> bool {
        self.shut(Gate::Suspended, limit)
    }

    /// Lends readers again.
    pub(crate) fn resume(&self) {
        let mut pool = self.lock();
        if pool.gate == Gate::Suspended {
            pool.gate = Gate::Open;
        }
        drop(pool);
        self.returned.notify_all();
    }

    /// As [`Self::suspend`], for good.
    pub(crate) fn close(&self, limit: Duration) -> bool {
        self.shut(Gate::Closed, limit)
    }

    fn shut(&self, gate: Gate, limit: Duration) -> bool {
        let mut pool = self.lock();
        pool.gate = gate;
        pool.idle.clear();
        self.returned.notify_all();
        let pool = self.wait_while(pool, limit, |pool| pool.lent > 0);
        pool.lent == 0
    }

    fn wait_while<'a>(
        &'a self,
        mut pool: MutexGuard<'a, Pool>,
        limit: Duration,
        condition: impl Fn(&Pool) -> bool,
    ) -> MutexGuard<'a, Pool> {
        pool.waiting += 1;
        let waited = self.returned.wait_timeout_while(pool, limit, |pool| condition(pool));
        let (mut pool, _) = waited.unwrap_or_else(PoisonError::into_inner);
        pool.waiting -= 1;
        pool
    }

    fn borrow(&self) -> rusqlite::Result<Lent<'_>> {
        let mut pool = self.wait_while(self.lock(), self.options.busy_timeout, |pool| {
            pool.gate == Gate::Suspended
                || (pool.gate == Gate::Open && pool.lent >= self.options.readers)
        });
        match pool.gate {
            Gate::Closed => return Err(failure(ffi::SQLITE_MISUSE, "the database is closed")),
            Gate::Suspended => {
                return Err(failure(ffi::SQLITE_BUSY, "the database is being rewritten"));
            }
            Gate::Open if pool.lent >= self.options.readers => {
                return Err(failure(ffi::SQLITE_BUSY, "no reader is free"));
            }
            Gate::Open => pool.lent += 1,
        }
        let idle = pool.idle.pop();
        drop(pool);
        let mut lent = Lent { readers: self, reader: idle };
        lent.start()?;
        Ok(lent)
    }

    fn lock(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reader {
    fn open(readers: &Readers) -> rusqlite::Result<Self> {
        let mut connection = connection::reader(&readers.path, &readers.options)?;
        let origin = Instant::now();
        let deadline = Arc::new(AtomicU64::new(u64::MAX));
        let watched = Arc::clone(&deadline);
        let is_late = move || micros(origin.elapsed()) > watched.load(Relaxed);
        connection.progress_handler(STEPS_PER_LOOK, Some(is_late))?;
        Ok(Self { connection, origin, deadline })
    }
}

/// A reader on loan; goes back when dropped, also by a panic.
struct Lent<'a> {
    readers: &'a Readers,
    reader: Option<Reader>,
}

impl Lent<'_> {
    fn read<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        self.prepare_cached("BEGIN")?.execute([])?;
        let answer = work(self)?;
        self.prepare_cached("COMMIT")?.execute([])?;
        Ok(answer)
    }

    fn start(&mut self) -> rusqlite::Result<()> {
        let reader = match self.reader.take() {
            Some(reader) => reader,
            None => Reader::open(self.readers)?,
        };
        let deadline = reader.origin.elapsed().saturating_add(self.readers.options.read_limit);
        reader.deadline.store(micros(deadline), Relaxed);
        self.reader = Some(reader);
        Ok(())
    }
}

impl Deref for Lent<'_> {
    type Target = Connection;

    #[expect(
        clippy::expect_used,
        reason = "`borrow` hands a `Lent` out only after `start` filled it"
    )]
    fn deref(&self) -> &Connection {
        &self.reader.as_ref().expect("a reader on loan is open").connection
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let reader = self.reader.take().filter(is_reusable);
        let mut pool = self.readers.lock();
        pool.lent -= 1;
        if pool.gate == Gate::Open {
            pool.idle.extend(reader);
        } else {
            // Closed before the count is seen: who waits for it renames the files next.
            drop(reader);
        }
        let is_awaited = pool.waiting > 0;
        drop(pool);
        if is_awaited {
            self.readers.returned.notify_all();
        }
    }
}

/// Leaves the transaction, if the work did not get that far.
fn is_reusable(reader: &Reader) -> bool {
    reader.deadline.store(u64::MAX, Relaxed);
    reader.connection.is_autocommit() || reader.connection.execute_batch("ROLLBACK").is_ok()
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
