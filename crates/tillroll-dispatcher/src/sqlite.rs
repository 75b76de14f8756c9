//! The dispatcher's store on embedded SQLite, for one node: one file, one writer with group commit.
//!
//! Invariants:
//! - Every method of [`DispatcherStore`](crate::store::DispatcherStore) is one transaction; a write is
//!   answered after its `COMMIT` returned.
//! - Counters (hours, days) are kept in the transaction of the record they count.
//! - A full disk, a lock or a closed database is [`StoreError::Unavailable`]: certainly nothing was
//!   stored. Only a commit whose sync failed is [`StoreError::OutcomeUnknown`].

mod announcements;
mod api_keys;
mod changes;
mod columns;
mod counters;
mod day_counts;
mod days;
mod engine;
mod fates;
mod fault;
mod hooks;
mod hours;
mod jobs;
mod judge;
mod papers;
mod pay_tokens;
#[doc(hidden)]
pub mod plans;
mod promotions;
mod receipts;
mod records;
mod registers;
mod rejected;
mod retention;
mod schedule;
mod splits;
mod tenants;

use std::path::Path;

use tillroll_sqlite::rusqlite::Connection;
use tillroll_sqlite::{CloseError, Database, Health, Migration, OpenError, Opening, Options};

use self::fault::Fault;
use crate::store::{StoreError, Stored};

const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 1,
        name: "initial",
        sql: include_str!("../../../migrations/dispatcher/sqlite/0001_initial.sql"),
    },
    // Nodes are the other engine's: numbers mean the same in both.
    Migration { number: 2, name: "nodes", sql: "" },
    Migration {
        number: 3,
        name: "pay_tokens",
        sql: include_str!("../../../migrations/dispatcher/sqlite/0003_pay_tokens.sql"),
    },
    Migration {
        number: 4,
        name: "counters",
        sql: include_str!("../../../migrations/dispatcher/sqlite/0004_counters.sql"),
    },
    Migration {
        number: 5,
        name: "splits",
        sql: include_str!("../../../migrations/dispatcher/sqlite/0005_splits.sql"),
    },
    Migration {
        number: 6,
        name: "sharing",
        sql: include_str!("../../../migrations/dispatcher/sqlite/0006_sharing.sql"),
    },
];

/// On which thread the store works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Calls {
    /// Never holds up a runtime's worker.
    #[default]
    Async,
    /// Blocks the caller: in simulated time on a current-thread runtime nothing else may run
    /// meanwhile, or the clock would go on without the store.
    Inline,
}

/// How the store is opened.
#[derive(Debug, Clone, Default)]
pub struct SqliteOptions {
    /// Options of the database; its migrations are set here.
    pub database: Options,
    /// On which thread it works.
    pub calls: Calls,
}

/// The store in one SQLite file. Clones share it.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    database: Database,
    calls: Calls,
}

impl SqliteStore {
    /// Opens or makes the file and brings it to the newest schema.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(path: &Path, options: SqliteOptions) -> Result<(Self, Opening), OpenError> {
        let SqliteOptions { database, calls } = options;
        let database = Options { migrations: MIGRATIONS, ..database };
        let (database, opening) = Database::open(path, database)?;
        Ok((Self { database, calls }, opening))
    }

    /// Health of the database: condition, commits, size of the WAL.
    #[must_use]
    pub fn health(&self) -> Health {
        self.database.health()
    }

    /// Closes the database; bounded by its close limit. Other handles find it closed.
    ///
    /// # Errors
    /// When the close was not clean; the next start checks the file.
    pub fn close(self) -> Result<(), CloseError> {
        self.database.close()
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Stored<T> {
        match self.calls {
            Calls::Async => self.database.write_async(work).await,
            Calls::Inline => self.database.write(work),
        }
        .map_err(fault::of_write)
    }

    /// A write that may wait a little for others to share its commit.
    async fn write_in_company<T: Send + 'static>(
        &self,
        work: impl Fn(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Stored<T> {
        match self.calls {
            Calls::Async => self.database.write_in_company_async(work).await,
            Calls::Inline => self.database.write(work),
        }
        .map_err(fault::of_write)
    }

    /// A read of a few rows by their keys.
    async fn look_up<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Stored<T> {
        match self.calls {
            Calls::Async => self.database.look_up_async(work).await,
            Calls::Inline => self.database.read(work),
        }
        .map_err(StoreError::from)
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Stored<T> {
        match self.calls {
            Calls::Async => self.database.read_async(work).await,
            Calls::Inline => self.database.read(work),
        }
        .map_err(StoreError::from)
    }
}
