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
mod migrate;
mod numbers;
mod papers;
#[doc(hidden)]
pub mod plans;
mod receipts;
mod records;
mod registers;
mod rejected;
mod retention;
mod schedule;
mod tenants;
mod transactions;

use deadpool_postgres::Pool;

pub use self::connections::{OpenError, PostgresOptions};

/// The store in one PostgreSQL database. Clones share its connections.
#[derive(Clone)]
pub struct PostgresStore {
    pool: Pool,
    options: PostgresOptions,
}

impl PostgresStore {
    /// Connects, and brings the database to the newest schema; nodes that start together wait for
    /// each other.
    ///
    /// `address` is a connection string of libpq, `postgres://user@host/database` say. No TLS is spoken:
    /// the database is on this machine or on a network of its own.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub async fn open(address: &str, options: PostgresOptions) -> Result<Self, OpenError> {
        let pool = connections::pool(address, &options)?;
        let mut client = pool.get().await?;
        connections::check_durability(&client).await?;
        migrate::to_newest(&mut client).await?;
        drop(client);
        Ok(Self { pool, options })
    }

    /// Closes the connections that are idle; those at work close when they are done. Other handles
    /// find the store closed.
    pub fn close(&self) {
        self.pool.close();
    }
}

/// The address may hold a password, so it is not shown.
impl std::fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresStore").field("options", &self.options).finish_non_exhaustive()
    }
}
