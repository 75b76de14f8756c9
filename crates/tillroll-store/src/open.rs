//! Opening the register's data folder: database, mark and installation, held against each other.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::Connection;
use tillroll_sqlite::{Database, Migration, Options, RescueReport};

use crate::feed::Feed;
use crate::installation::Installation;
use crate::known_printers::KnownPrinters;
use crate::mark::{BLOCK, Mark, Numbers};
use crate::register::{self, RegisterSettings};
use crate::{
    Inner, Store, StoreError, drawer_openings, notices, outbox_batch, preferences, pushed_expiry,
    recovery, sharing, unreadable,
};

const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 1,
        name: "initial",
        sql: include_str!("../../../migrations/register/0001_initial.sql"),
    },
    Migration {
        number: 2,
        name: "window",
        sql: include_str!("../../../migrations/register/0002_window.sql"),
    },
    Migration {
        number: 3,
        name: "refusals",
        sql: include_str!("../../../migrations/register/0003_refusals.sql"),
    },
    Migration {
        number: 4,
        name: "answers_by_itself",
        sql: include_str!("../../../migrations/register/0004_answers_by_itself.sql"),
    },
    Migration {
        number: 5,
        name: "cloud",
        sql: include_str!("../../../migrations/register/0005_cloud.sql"),
    },
    Migration {
        number: 6,
        name: "sharing",
        sql: include_str!("../../../migrations/register/0006_sharing.sql"),
    },
];

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
    /// Makes the register in an empty folder, or in one where an earlier making was cut off.
    ///
    /// # Errors
    /// [`StoreError::AlreadyInitialised`], or why the files could not be made.
    pub fn create(
        folder: &Path,
        settings: &RegisterSettings,
        options: StoreOptions,
    ) -> Result<Self, StoreError> {
        if Installation::load(folder)?.is_some() {
            return Err(StoreError::AlreadyInitialised);
        }
        let installation = Installation::draw(settings.clone())?;
        let mark = Mark::open(&mark_path(folder))?;
        mark.begin(Numbers::default())?;
        let (database, _) = open_database(folder, options)?;
        let first = installation.clone();
        database.write(move |db| register::create(db, &first)).map_err(StoreError::from_write)?;
        // Last: the folder counts as a register only with this file in it.
        installation.save(folder)?;
        Self::assemble(database, mark, &installation)
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
        let known = (installation.id.clone(), installation.epoch);
        let is_same = stored.as_ref() == Some(&known);
        let is_older = mark.is_lost() || numbers.is_behind(mark.floor());
        drop_due_openings(&database)?;
        forget_earlier_run(&database)?;
        set_aside_unreadable(&database, now)?;
        if is_same && rescue.is_none() && !is_older {
            let store = Self::assemble(database, mark, &installation)?;
            // A mark of an earlier version did not know every number.
            store.note(numbers);
            return Ok((store, Opened { rescue, new_epoch: None }));
        }
        let epoch = installation.epoch.max(stored.map_or(0, |(_, epoch)| epoch)) + 1;
        let begun = Installation { epoch, ..installation };
        // The file first: a program killed in between finds the database behind it and begins anew.
        begun.save(folder)?;
        let above = numbers_above(&mark, numbers);
        begin_epoch(&database, begun.clone(), above, rescue.as_ref(), now)?;
        mark.begin(above)?;
        let store = Self::assemble(database, mark, &begun)?;
        Ok((store, Opened { rescue, new_epoch: Some(epoch) }))
    }

    fn assemble(
        database: Database,
        mark: Mark,
        installation: &Installation,
    ) -> Result<Self, StoreError> {
        let preferences = Mutex::new(database.read(preferences::read)?);
        let shares_orders = AtomicBool::new(database.read(sharing::read)?);
        Ok(Self {
            inner: Arc::new(Inner {
                database,
                feed: Feed::new(),
                mark,
                known_printers: KnownPrinters::default(),
                preferences,
                shares_orders,
                installation: installation.id.clone(),
                epoch: installation.epoch,
            }),
        })
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

fn drop_due_openings(database: &Database) -> Result<(), StoreError> {
    if database.read(drawer_openings::is_any_due)? {
        database.write(drawer_openings::drop_due).map_err(StoreError::from_write)?;
    }
    Ok(())
}

fn forget_earlier_run(database: &Database) -> Result<(), StoreError> {
    if database.read(pushed_expiry::is_any_of_earlier_run)? {
        database.write(pushed_expiry::forget_earlier_run).map_err(StoreError::from_write)?;
    }
    Ok(())
}

fn set_aside_unreadable(database: &Database, now: Timestamp) -> Result<(), StoreError> {
    if database.read(unreadable::find)?.is_empty() {
        return Ok(());
    }
    let set_aside = move |db: &Connection| unreadable::set_aside_all(db, now).map(drop);
    database.write(set_aside).map_err(StoreError::from_write)
}

/// Where a new epoch goes on: above everything that was given out. Without a mark that is a block
/// above what the database knows, the best there is.
fn numbers_above(mark: &Mark, stored: Numbers) -> Numbers {
    let unknown = if mark.is_lost() { BLOCK } else { 0 };
    mark.above().max(stored.plus(unknown))
}

fn begin_epoch(
    database: &Database,
    begun: Installation,
    above: Numbers,
    rescue: Option<&RescueReport>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (code, detail) = match rescue {
        Some(rescue) => ("rescued", told(rescue)),
        None => (
            "restored",
            format!(
                "the database is an older copy (epoch {} begins): look at each held job before it prints, \
                 and compare the days since the copy with the POS",
                begun.epoch
            ),
        ),
    };
    database
        .write(move |db: &Connection| {
            outbox_batch::freeze(db)?;
            register::begin_epoch(db, &begun, above)?;
            recovery::hold_restored(db, now)?;
            notices::insert(db, code, &detail, now)
        })
        .map_err(StoreError::from_write)
}

/// What a person must know of a rescue: where the damaged file is, and what could be read.
fn told(rescue: &RescueReport) -> String {
    let rows: u64 = rescue.rescued.iter().map(|(_, rows)| rows).sum();
    let lost = rescue.lost_estimate.map_or("an unknown number".to_owned(), |lost| lost.to_string());
    let aside = rescue.set_aside.display();
    format!(
        "the database was damaged: {rows} rows were rescued, {lost} are lost; compare the day with the POS, \
         and keep {aside} until that is done"
    )
}
