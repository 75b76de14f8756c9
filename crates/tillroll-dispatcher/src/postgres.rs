//! The dispatcher's store on PostgreSQL, for many nodes that share one database.
//!
//! Invariants:
//! - Every method of [`DispatcherStore`](crate::store::DispatcherStore) is one transaction; a write is
//!   answered after its `COMMIT` returned. Transactions that met each other are run again, a few times.
//! - Whatever takes a number of a store (job, record, register) holds the store's row in
//!   `store_numbers` until it ends: numbers become visible in their order, on every node.
//! - Rows are locked in the order of their keys, and `store_numbers` before anything else.
//! - A connection that fails before `COMMIT` is [`Unavailable`](crate::store::StoreError::Unavailable):
//!   certainly nothing was stored. One that fails in it, or in a write of one statement, is
//!   [`OutcomeUnknown`](crate::store::StoreError::OutcomeUnknown).
//! - Statements never depend on where a store's rows live: each key begins with the store's number.

mod announcements;
mod api_keys;
mod changes;
mod columns;
mod connections;
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
mod kept;
mod leases;
mod migrate;
mod numbers;
mod owners;
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
mod tls;
mod transactions;

use std::time::Duration;

use deadpool_postgres::Pool;

pub(crate) use self::connections::read_address;
pub use self::connections::{OpenError, PostgresOptions};

/// Connections beside those for everybody.
const ASIDE: usize = 2;

/// How long a call on them may take.
const BRISK: Duration = Duration::from_secs(2);

/// The store in one PostgreSQL database. Clones share its connections.
#[derive(Clone)]
pub struct PostgresStore {
    pool: Pool,
    /// For what keeps this node alive, and waits for no crowd at the others.
    aside: Pool,
    options: PostgresOptions,
    migrated_from: Option<i64>,
}

impl PostgresStore {
    /// Connects, and brings the database to the newest schema; nodes that start together wait for
    /// each other.
    ///
    /// `address` is a connection string of libpq, `postgres://user@host/database` say. With `sslmode=require` or
    /// `verify-full` in it TLS is spoken and the server's certificate verified.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub async fn open(address: &str, options: PostgresOptions) -> Result<Self, OpenError> {
        let pool = connections::pool(address, options.connections, &options)?;
        let aside = connections::pool(address, ASIDE, &brisk(&options))?;
        let mut client = pool.get().await?;
        connections::check_durability(&client).await?;
        let migrated_from = migrate::to_newest(&mut client).await?;
        drop(client);
        Ok(Self { pool, aside, options, migrated_from })
    }

    /// The number of the schema before it was opened, if that brought it up; 0 of a new database.
    #[must_use]
    pub fn migrated_from(&self) -> Option<i64> {
        self.migrated_from
    }

    /// Closes the connections that are idle; those at work close when they are done. Other handles
    /// find the store closed.
    pub fn close(&self) {
        self.pool.close();
        self.aside.close();
    }

    /// The same store on connections that are kept for this.
    fn aside(&self) -> Self {
        Self { pool: self.aside.clone(), options: brisk(&self.options), ..self.clone() }
    }
}

/// A connection that hangs is found out while there is time for another one.
fn brisk(options: &PostgresOptions) -> PostgresOptions {
    let (wait, transaction) = (options.wait.min(BRISK), options.transaction.min(BRISK));
    PostgresOptions { wait, transaction, ..options.clone() }
}

/// The address may hold a password, so it is not shown.
impl std::fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresStore").field("options", &self.options).finish_non_exhaustive()
    }
}
