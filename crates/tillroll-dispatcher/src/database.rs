//! The program's database: opened and brought to the newest schema, administered, closed.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::clock::Clock;
use tillroll_sqlite::{Company, Opening};
use tokio::task::spawn_blocking;

use crate::admin::Admin;
use crate::config::{Config, Database, PostgresAddress};
use crate::engine::Engine;
use crate::folder::{Folder, FolderLock};
use crate::host::StartError;
use crate::nodes::Duty;
use crate::payments::{PaymentParts, channel_of};
use crate::postgres::{PostgresOptions, PostgresStore};
use crate::schedule::SteadyClock;
use crate::sqlite::{SqliteOptions, SqliteStore};

/// Deadlines are told within milliseconds, also hundreds in a second.
const PACE: Duration = Duration::from_millis(3);
/// A job is written four times on its way to paper, each time worth a commit of its own; hundreds of jobs a second
/// share commits instead, and each waits some milliseconds on its way over a network that takes longer.
const COMPANY: Company = Company {
    span: Duration::from_millis(25),
    quiet: Duration::from_millis(5),
    crowd: 24,
    longest: Duration::from_millis(25),
};

/// A database that is open; one that lies in a folder, with the folder's lock.
pub struct OpenDatabase {
    pub(crate) store: Engine,
    pub(crate) lock: Option<FolderLock>,
    migrated: Migrated,
}

/// What the opening did to the schema.
#[derive(Debug, Clone, Default)]
pub struct Migrated {
    /// The number it was at, if it was brought up.
    pub from: Option<i64>,
    /// The copy made before, of a database in a folder.
    pub copy: Option<PathBuf>,
}

impl OpenDatabase {
    /// Opens the database that is configured: that of the folder, or the one that nodes share.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn open(config: &Config, folder: &Folder) -> Result<Self, StartError> {
        match &config.database {
            Database::Sqlite => Self::in_folder(folder).await,
            Database::Postgres(address) => Self::at(address).await,
        }
    }

    /// Makes the folder where it is missing, locks it, and opens its database.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn in_folder(folder: &Folder) -> Result<Self, StartError> {
        let lock = folder.make_and_lock()?;
        let path = folder.database();
        let company = Some(COMPANY);
        let database = tillroll_sqlite::Options { pace: PACE, company, ..Default::default() };
        let options = SqliteOptions { database, ..Default::default() };
        let opened = spawn_blocking(move || SqliteStore::open(&path, options));
        let (store, opening) = opened.await.map_err(|_| StartError::Ending)??;
        let Opening { migrated_from, copy, rescue, .. } = opening;
        if let Some(rescue) = rescue {
            tracing::error!(?rescue, "the database was damaged; what could be read was saved");
        }
        let migrated = Migrated { from: migrated_from.map(i64::from), copy };
        Ok(Self { store: Engine::Sqlite(store), lock: Some(lock), migrated })
    }

    /// Connects to a database that nodes share.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn at(address: &PostgresAddress) -> Result<Self, StartError> {
        let store = PostgresStore::open(address.reveal(), PostgresOptions::default()).await?;
        let migrated = Migrated { from: store.migrated_from(), copy: None };
        Ok(Self { store: Engine::Postgres(store), lock: None, migrated })
    }

    /// What the opening did to the schema.
    #[must_use]
    pub fn migrated(&self) -> &Migrated {
        &self.migrated
    }

    /// Administration on the database itself.
    #[must_use]
    pub fn admin(&self, config: &Config, clock: Arc<dyn Clock>) -> Admin {
        let counts_for = Duration::from_secs(config.pairing_code_s.into());
        let clock = SteadyClock::new(clock);
        let channel = channel_of(&config.splits, &clock).unwrap_or_else(|error| {
            tracing::warn!(%error, "splits cannot be compared");
            None
        });
        let paying = PaymentParts {
            store: self.store.clone(),
            clock: clock.clone(),
            settings: config.splits.settings(),
            figures: Arc::default(),
            duty: Duty::of(None),
            random: || 0,
        };
        let reconciler = channel.map(|channel| paying.reconciler(channel));
        Admin::new(self.store.clone(), clock, None, counts_for).comparing(reconciler)
    }

    /// Closes the database, then frees its folder.
    pub async fn close(self) {
        self.store.close().await;
        drop(self.lock);
    }
}
