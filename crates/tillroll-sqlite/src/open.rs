//! Opening: finish what was interrupted, look for damage, migrate, mark as open.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, ffi};

use crate::connection;
use crate::error::{OpenError, failure, is_damage};
use crate::files;
use crate::marker;
use crate::migration::{self, Migrated};
use crate::options::Options;
use crate::rescue::{self, RescueReport};
use crate::schema;
use crate::swap::{self, Replacement};
use crate::wal_gauge::WalGauge;
use crate::wal_log;

/// Virtual machine steps between two looks at the clock while a database is checked.
const STEPS_PER_LOOK: i32 = 100_000;

/// What the open found and did.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Opening {
    /// The schema number before the migrations of this open; `Some(0)` for a new database.
    pub migrated_from: Option<u32>,
    /// The copy made before the migrations.
    pub copy: Option<PathBuf>,
    /// The database was damaged: where the old file is and what was saved. The user must be told.
    pub rescue: Option<RescueReport>,
    /// The last close was proper (or the database is new). Otherwise it was checked.
    pub clean: bool,
    /// A rewrite after a failed commit had been interrupted and was finished.
    pub finished_rewrite: bool,
}

/// An open database before its threads run.
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    pub(crate) gauge: Arc<WalGauge>,
    /// False when the database must be rewritten before anything is acknowledged.
    pub(crate) settled: bool,
    pub(crate) opening: Opening,
}

/// What the examination of a sound database led to.
struct Examined {
    migrated: Migrated,
    settled: bool,
}

/// Opens the writing connection, with everything that must come before it.
pub(crate) fn open(path: &Path, options: &Options) -> Result<Opened, OpenError> {
    options.validate()?;
    if path.to_str().is_none() {
        return Err(OpenError::InvalidOption { field: "path", reason: "must be UTF-8" });
    }
    let mut opening = finish_interrupted(path, options)?;
    opening.clean = !marker::is_set(path) && files::size(&files::sibling(path, "-wal")) == 0;
    let wal = files::sibling(path, "-wal");
    let dropped = wal_log::commits_behind_damage(&wal).map_err(OpenError::io("read", &wal))?;
    files::make_private(path).map_err(OpenError::io("make", path))?;
    let examined = match examine_and_migrate(path, options, opening.clean, dropped) {
        Err(error) if is_damaged(&error) => {
            tracing::error!(%error, path = %path.display(), "database is damaged");
            opening.rescue = Some(rescue::rescue(path, options, dropped)?);
            examine_and_migrate(path, options, true, 0)?
        }
        examined => examined?,
    };
    opening.migrated_from = examined.migrated.from;
    opening.copy = examined.migrated.copy;
    marker::set(path).map_err(OpenError::io("mark as open", path))?;
    let gauge = Arc::new(gauge(path, options)?);
    let connection = connect_writer(path, options, &gauge)?;
    Ok(Opened { connection, gauge, settled: examined.settled, opening })
}

/// A writing connection that tells the gauge of each commit.
pub(crate) fn connect_writer(
    path: &Path,
    options: &Options,
    gauge: &Arc<WalGauge>,
) -> Result<Connection, OpenError> {
    let mut connection = connection::writer(path, options)?;
    let gauge = Arc::clone(gauge);
    connection.wal_hook(Some(move |_: &mut _, pages: i32| {
        gauge.committed(pages.unsigned_abs());
        Ok(())
    }))?;
    Ok(connection)
}

fn gauge(path: &Path, options: &Options) -> Result<WalGauge, OpenError> {
    let connection = connection::reader(path, options)?;
    let page_size: u32 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    Ok(WalGauge::new(page_size.into(), options.checkpoint_bytes, options.wal_limit_bytes))
}

fn finish_interrupted(path: &Path, options: &Options) -> Result<Opening, OpenError> {
    swap::remove_drafts(path).map_err(OpenError::io("remove drafts of", path))?;
    let mut opening = Opening::default();
    let Some(replacement) = swap::waiting(path) else { return Ok(opening) };
    let aside = swap::install(path, replacement).map_err(OpenError::io("replace", path))?;
    match replacement {
        Replacement::Rewritten => opening.finished_rewrite = true,
        Replacement::Rescued => opening.rescue = Some(rescue::recount(path, aside, options)?),
    }
    Ok(opening)
}

fn examine_and_migrate(
    path: &Path,
    options: &Options,
    clean: bool,
    dropped: u64,
) -> Result<Examined, OpenError> {
    if marker::is_set(path) && files::size(path) == 0 {
        return Err(failure(ffi::SQLITE_CORRUPT, "the database file is empty or gone").into());
    }
    let mut connection = connection::writer(path, options)?;
    // Damaged files are kept as they are: a last checkpoint would change both main file and log.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Before the damage is looked at: a newer program's file is not ours to rescue.
    let number = migration::found(&connection, options.migrations)?;
    if dropped > 0 {
        return Err(failure(ffi::SQLITE_CORRUPT, "the log is damaged before its end").into());
    }
    migration::compare_landed(&connection, options.migrations, number)?;
    schema::compare(&connection, &options.migrations[..number as usize])?;
    let settled = clean || {
        check(&mut connection, options.check_limit)?;
        settle(&connection)?
    };
    let migrated = migration::migrate(&mut connection, path, options.migrations)?;
    Ok(Examined { migrated, settled })
}

/// Copies what the log holds into the main file and syncs it anew: after a commit whose sync failed
/// it may be in the page cache only, and nothing may be acknowledged on top of that. False when the
/// disk is too full for it.
fn settle(connection: &Connection) -> Result<bool, OpenError> {
    let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
    match busy {
        Ok(0) => Ok(true),
        Ok(_) => Err(OpenError::Locked),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Looks through every page, within `limit`.
fn check(connection: &mut Connection, limit: Duration) -> Result<(), OpenError> {
    let started = Instant::now();
    connection.progress_handler(STEPS_PER_LOOK, Some(move || started.elapsed() > limit))?;
    let found: rusqlite::Result<String> =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
    connection.progress_handler(0, None::<fn() -> bool>)?;
    match found {
        Ok(found) if found == "ok" => Ok(()),
        Ok(found) => Err(failure(ffi::SQLITE_CORRUPT, &found).into()),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
            tracing::warn!(limit_ms = limit.as_millis(), "check of the database was cut short");
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

fn is_damaged(error: &OpenError) -> bool {
    matches!(
        error,
        OpenError::Sqlite(source) | OpenError::Migration { source, .. } if is_damage(source)
    )
}
