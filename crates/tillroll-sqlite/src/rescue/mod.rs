//! Saving what can be read from a damaged database into a new one with the same schema.
//!
//! The damaged files are only read. The new file is built beside them and takes their place at one
//! moment (see [`crate::swap`]); they are kept as `<db>.damaged-N`. A row counts as rescued when the
//! new schema accepts it: constraints and references sift out what damage made up.

mod references;
mod scan;
mod table;

use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction};

use crate::connection;
use crate::error::OpenError;
use crate::files;
use crate::migration::{self, Migration};
use crate::options::Options;
use crate::schema;
use crate::swap::{self, Replacement};

/// What was saved from a damaged database.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RescueReport {
    /// The damaged main file; its WAL lies beside it with `-wal`.
    pub set_aside: PathBuf,
    /// Rows saved, per table.
    pub rescued: Vec<(String, u64)>,
    /// Rows known to be missing: gaps in the row ids where the file could not be read, rows the
    /// schema refused, rows that lost what they refer to, and at least one for each commit that lay
    /// behind damage in the log. `None` when nothing is known of it.
    pub lost_estimate: Option<u64>,
}

/// What became of one table's rows.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    rescued: u64,
    lost: u64,
}

/// Builds a new database from the damaged one at `path` and puts it in its place. `dropped` commits
/// are known to lie behind damage in the log.
pub(crate) fn rescue(
    path: &Path,
    options: &Options,
    dropped: u64,
) -> Result<RescueReport, OpenError> {
    let draft = Replacement::Rescued.draft(path);
    swap::remove_drafts(path).map_err(OpenError::io("remove drafts of", path))?;
    files::make_private(&draft).map_err(OpenError::io("make", &draft))?;
    let mut fresh = connection::plain(&draft, options)?;
    fresh.execute_batch("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF")?;
    let damaged = open_damaged(path, options);
    let version = version_of(damaged.as_ref(), options.migrations)?;
    migration::apply(&mut fresh, &options.migrations[..version.number as usize])?;
    if let Some(damaged) = &damaged {
        if version.is_proven
            && let Err(error) = schema::read_as(damaged, &fresh)
        {
            tracing::warn!(%error, "the damaged schema is read as it is");
        }
        connection::set(damaged, "query_only", 1)?;
    }
    let tallies = copy_tables(damaged.as_ref(), &mut fresh)?;
    let lost = damaged
        .is_some()
        .then(|| dropped + tallies.iter().map(|(_, tally)| tally.lost).sum::<u64>());
    drop(damaged);
    fresh.close().map_err(|(_, error)| error)?;
    let set_aside = put_in_place(path)?;
    let rescued: Vec<_> = tallies.into_iter().map(|(name, tally)| (name, tally.rescued)).collect();
    let rows: u64 = rescued.iter().map(|(_, rows)| rows).sum();
    tracing::error!(rows, lost, set_aside = %set_aside.display(), "damaged database was rescued");
    Ok(RescueReport { set_aside, rescued, lost_estimate: lost })
}

/// The report of a rescue that was interrupted after its new file was complete.
pub(crate) fn recount(
    path: &Path,
    set_aside: PathBuf,
    options: &Options,
) -> Result<RescueReport, OpenError> {
    let connection = connection::plain(path, options)?;
    let mut rescued = Vec::new();
    for table in table::names(&connection)? {
        let count = format!("SELECT count(*) FROM {}", table::quoted(&table));
        let rows: i64 = connection.query_row(&count, [], |row| row.get(0))?;
        rescued.push((table, rows.unsigned_abs()));
    }
    Ok(RescueReport { set_aside, rescued, lost_estimate: None })
}

fn put_in_place(path: &Path) -> Result<PathBuf, OpenError> {
    swap::publish(path, Replacement::Rescued).map_err(OpenError::io("publish rescue of", path))?;
    swap::install(path, Replacement::Rescued).map_err(OpenError::io("set aside", path))
}

/// Opens the damaged file as tolerantly as SQLite can; `None` when it is no database at all.
fn open_damaged(path: &Path, options: &Options) -> Option<Connection> {
    let connection = connection::plain(path, options).ok()?;
    // With writable_schema SQLite reads on past a file that is too short and a bad schema row. Without
    // spilling, pages changed in memory alone never go to the files to make room.
    let settings = "PRAGMA writable_schema=ON; PRAGMA cell_size_check=ON; PRAGMA cache_spill=OFF";
    connection.execute_batch(settings).ok()?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).ok()?;
    (tables > 0).then_some(connection)
}

/// The schema number a damaged database had.
struct Version {
    number: u32,
    /// Its last migration is listed with the checksum it has.
    is_proven: bool,
}

/// The newest when it cannot be read; the higher one where header and list of migrations differ.
fn version_of(
    damaged: Option<&Connection>,
    migrations: &[Migration],
) -> Result<Version, OpenError> {
    let newest = Version { number: migration::supported(migrations), is_proven: false };
    let Some(damaged) = damaged else { return Ok(newest) };
    let said = match migration::found(damaged, migrations) {
        Err(error @ OpenError::NewerSchema { .. }) => return Err(error),
        Err(_) => 0,
        Ok(found) => found,
    };
    let listed = migration::last_listed(damaged, migrations);
    match said.max(listed) {
        0 => Ok(newest),
        number => Ok(Version { number, is_proven: number == listed }),
    }
}

fn copy_tables(
    damaged: Option<&Connection>,
    fresh: &mut Connection,
) -> Result<Vec<(String, Tally)>, OpenError> {
    connection::set(fresh, "foreign_keys", 0)?;
    // What triggers would write is among the rows already.
    fresh.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    let mut transaction = fresh.transaction()?;
    let mut tallies = Vec::new();
    for name in table::names(&transaction)? {
        let tally = match damaged {
            Some(damaged) => copy_table(damaged, &mut transaction, &name)?,
            None => Tally::default(),
        };
        tallies.push((name, tally));
    }
    for (table, orphans) in references::drop_orphans(&transaction)? {
        if let Some((_, tally)) = tallies.iter_mut().find(|(name, _)| *name == table) {
            tally.rescued = tally.rescued.saturating_sub(orphans);
            tally.lost += orphans;
        }
    }
    transaction.commit()?;
    Ok(tallies)
}

/// Copies a table in place of the rows its migrations put there; those stay if none can be read.
fn copy_table(
    damaged: &Connection,
    fresh: &mut Transaction<'_>,
    name: &str,
) -> rusqlite::Result<Tally> {
    let highest = sequence_of(damaged, name);
    let mut copied = fresh.savepoint()?;
    copied.execute(&format!("DELETE FROM {}", table::quoted(name)), [])?;
    let tally = table::copy(damaged, &copied, name, highest)?;
    if tally.rescued == 0 && tally.lost > 0 {
        copied.rollback()?;
    }
    copied.commit()?;
    keep_sequence(fresh, name, highest)?;
    Ok(tally)
}

/// The highest id an AUTOINCREMENT table ever gave, if that can be read.
fn sequence_of(damaged: &Connection, table: &str) -> Option<i64> {
    damaged
        .query_row("SELECT seq FROM sqlite_sequence WHERE name = ?1", [table], |row| row.get(0))
        .ok()
}

/// No id is given twice, also none of a row that was lost.
fn keep_sequence(fresh: &Connection, table: &str, sequence: Option<i64>) -> rusqlite::Result<()> {
    let Some(sequence) = sequence else { return Ok(()) };
    let changed = fresh.execute(
        "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1",
        rusqlite::params![table, sequence],
    )?;
    if changed == 0 {
        fresh.execute(
            "INSERT INTO sqlite_sequence(name, seq) VALUES(?1, ?2)",
            rusqlite::params![table, sequence],
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
