//! How a database is opened: limits, durability, migrations. Values are checked once, at open.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use crate::company::Company;
use crate::error::OpenError;
use crate::migration::Migration;

/// How far a commit must have come before it is answered (`PRAGMA synchronous`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// The WAL is synced by every commit: an answered write survives a power cut.
    #[default]
    Full,
    /// Commits are not synced and a power cut loses the latest. Exists as the control that must
    /// fail in power-cut tests; never for a product.
    Normal,
}

impl Synchronous {
    /// The pragma's own number.
    pub(crate) const fn level(self) -> i64 {
        match self {
            Self::Full => 2,
            Self::Normal => 1,
        }
    }
}

/// Everything [`Database::open`](crate::Database::open) can be told.
#[derive(Debug, Clone)]
pub struct Options {
    /// The schema, numbered 1, 2, 3 ... without gaps.
    pub migrations: &'static [Migration],
    /// Most read-only connections open at once, at least 1.
    pub readers: usize,
    /// How long a statement waits for a lock another connection holds, and a read for a free reader.
    pub busy_timeout: Duration,
    /// A read's statements are interrupted once its transaction is this old, so that no reader can
    /// hold back the checkpoints that keep the WAL small.
    pub read_limit: Duration,
    /// Most writes that may wait for the committing thread; the next is refused as overloaded.
    pub queue_limit: usize,
    /// Most writes in one commit, at least 1.
    pub max_batch: usize,
    /// When more than twenty commits have followed each other faster than this, the next begin at most once in this
    /// long and take all that came meanwhile: less work for each write, later answers. Zero commits as often
    /// as the disk can.
    pub pace: Duration,
    /// For what [`Database::write_in_company_async`](crate::Database::write_in_company_async) waits; `None` for
    /// nothing, as all other writes.
    pub company: Option<Company>,
    /// The WAL is copied into the main file each time it has grown by this many bytes.
    pub checkpoint_bytes: u64,
    /// Beyond this many bytes of WAL, writers wait for a checkpoint that empties it.
    pub wal_limit_bytes: u64,
    /// With no commit for this long, the WAL is emptied into the main file.
    pub idle_after: Duration,
    /// How long the check of a database that was not closed properly may take.
    pub check_limit: Duration,
    /// How long [`Database::close`](crate::Database::close) waits for writes and the last checkpoint.
    pub close_limit: Duration,
    /// Reads and writes run on the caller's thread and no other is started, also for async code. For
    /// simulated time, which does not know what another thread does; whoever commits checkpoints too.
    pub inline: bool,
    /// Durability of a commit.
    pub synchronous: Synchronous,
    /// Name of a registered SQLite file layer. It must keep real files under their names, since the files beside
    /// a database are handled without it. `None` is the operating system's.
    pub vfs: Option<&'static str>,
    /// Makes a commit fail in tests.
    #[doc(hidden)]
    pub commit_fault: Option<CommitFault>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            migrations: &[],
            readers: 4,
            busy_timeout: Duration::from_secs(5),
            read_limit: Duration::from_secs(10),
            queue_limit: 4096,
            max_batch: 256,
            pace: Duration::ZERO,
            company: None,
            checkpoint_bytes: 4 << 20,
            // A log that is written over and over stays in the caches; a longer one is slower.
            wal_limit_bytes: 16 << 20,
            idle_after: Duration::from_secs(1),
            check_limit: Duration::from_secs(20),
            close_limit: Duration::from_secs(10),
            inline: false,
            synchronous: Synchronous::Full,
            vfs: None,
            commit_fault: None,
        }
    }
}

impl Options {
    /// Refuses values that cannot work, naming the field.
    pub(crate) fn validate(&self) -> Result<(), OpenError> {
        let refuse = |field, reason| Err(OpenError::InvalidOption { field, reason });
        if self.readers == 0 {
            return refuse("readers", "must be at least 1");
        }
        if self.max_batch == 0 {
            return refuse("max_batch", "must be at least 1");
        }
        if self.queue_limit == 0 {
            return refuse("queue_limit", "must be at least 1");
        }
        if self.checkpoint_bytes == 0 {
            return refuse("checkpoint_bytes", "must be at least 1");
        }
        if self.wal_limit_bytes < self.checkpoint_bytes {
            return refuse("wal_limit_bytes", "must not be below checkpoint_bytes");
        }
        crate::migration::validate(self.migrations)
    }
}

/// Asked just before each `COMMIT`; an error stands for a commit whose sync failed.
#[doc(hidden)]
#[derive(Clone)]
pub struct CommitFault(Arc<dyn Fn() -> io::Result<()> + Send + Sync>);

impl CommitFault {
    /// Wraps the question.
    pub fn new(fault: impl Fn() -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(fault))
    }

    pub(crate) fn check(&self) -> io::Result<()> {
        (self.0)()
    }
}

impl fmt::Debug for CommitFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CommitFault")
    }
}
