//! Opening the register's data folder: database, mark and installation, held against each other.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::Connection;
use tillroll_sqlite::{Database, Migration, Options, RescueReport};

use crate::feed::Feed;
use crate::installation::Installation;
use crate::mark::{Mark, Numbers};
use crate::register::{self, RegisterSettings};
use crate::{Inner, Store, StoreError};

const MIGRATIONS: &[Migration] = &[Migration {
    number: 1,
    name: "initial",
    sql: include_str!("../../../migrations/register/0001_initial.sql"),
}];

/// How the store is opened.
#[derive(Debug, Clone, Default)]
pub struct StoreOptions {
    /// Options of the database; its migrations are set here.
    pub database: Options,
}

/// What was found at the start.
#[derive(Debug)]
pub struct Opened {
    /// A damaged file was set aside and what could be read was rescued.
    pub rescue: Option<RescueReport>,
    /// The database was older than what happened: a new epoch began and its open jobs are held.
    pub new_epoch: Option<u32>,
}

impl Store {
    /// Makes the register in an empty folder.
    ///
    /// # Errors
    /// [`StoreError::AlreadyInitialised`], or why the files could not be made.
    pub fn create(
        folder: &Path,
        settings: &RegisterSettings,
        options: StoreOptions,
    ) -> Result<Self, StoreError> {
        if Installation::load(folder)?.is_some() || database_path(folder).exists() {
            return Err(StoreError::AlreadyInitialised);
        }
        let installation = Installation::draw()?;
        let mark = Mark::open(&mark_path(folder))?;
        let (database, _) = open_database(folder, options)?;
        let (row, first) = (settings.clone(), installation.clone());
        database
            .write(move |db| register::insert(db, &row, &first))
            .map_err(StoreError::from_write)?;
        // Last: the folder counts as a register only with this file in it.
        installation.save(folder)?;
        Ok(Self::assemble(database, mark, installation.epoch))
    }

    /// Opens the register in a folder; begins a new epoch when the database is an older copy.
    ///
    /// # Errors
    /// [`StoreError::NotInitialised`] for a folder without register, [`StoreError::Open`] and others
    /// when a file cannot be used.
    pub fn open(
        folder: &Path,
        options: StoreOptions,
        now: Timestamp,
    ) -> Result<(Self, Opened), StoreError> {
        let Some(installation) = Installation::load(folder)? else {
            return Err(StoreError::NotInitialised);
        };
        let mark = Mark::open(&mark_path(folder))?;
        let (database, rescue) = open_database(folder, options)?;
        let stored = database.read(register::identity)?;
        let numbers = database.read(register::numbers)?;
        let older = numbers.is_behind(mark.floor())
            || stored.as_ref().is_none_or(|stored| *stored != installation);
        let new_epoch = if older || rescue.is_some() {
            let known = stored.map_or(0, |stored| stored.epoch);
            let epoch = installation.epoch.max(known) + 1;
            begin_epoch(&database, folder, &installation, epoch, mark.above(), now)?;
            Some(epoch)
        } else {
            None
        };
        let store = Self::assemble(database, mark, new_epoch.unwrap_or(installation.epoch));
        Ok((store, Opened { rescue, new_epoch }))
    }

    fn assemble(database: Database, mark: Mark, epoch: u32) -> Self {
        Self { inner: Arc::new(Inner { database, feed: Feed::new(), mark, epoch }) }
    }

    /// Notes numbers of a commit that returned. A mark that cannot be written is logged: the commit
    /// stands, and the next note tries again.
    pub(crate) fn note(&self, numbers: Numbers) {
        if let Err(error) = self.inner.mark.note(numbers) {
            tracing::error!(%error, "the high-water mark could not be written");
        }
    }
}

/// The database's name in the data folder.
fn database_path(folder: &Path) -> std::path::PathBuf {
    folder.join("register.db")
}

fn mark_path(folder: &Path) -> std::path::PathBuf {
    folder.join("mark")
}

fn open_database(
    folder: &Path,
    options: StoreOptions,
) -> Result<(Database, Option<RescueReport>), StoreError> {
    let options = Options { migrations: MIGRATIONS, ..options.database };
    let (database, opening) = Database::open(&database_path(folder), options)?;
    Ok((database, opening.rescue))
}

/// The file first: a program killed in between finds the database behind it and begins anew.
fn begin_epoch(
    database: &Database,
    folder: &Path,
    installation: &Installation,
    epoch: u32,
    above: Numbers,
    now: Timestamp,
) -> Result<(), StoreError> {
    let begun = Installation { id: installation.id.clone(), epoch };
    begun.save(folder)?;
    database
        .write(move |db: &Connection| {
            register::begin_epoch(db, &begun, above)?;
            crate::recovery::hold_restored(db, now)
        })
        .map_err(StoreError::from_write)
}
