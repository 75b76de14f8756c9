//! Forward-only migrations, numbered `NNNN_name.sql`, applied at open.
//!
//! The schema number is `PRAGMA user_version`; what was applied is listed in `schema_migrations`. A
//! text that has landed never changes: its checksum is compared at each open. All pending ones run
//! in one IMMEDIATE transaction, after a copy of the database was made beside it.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, ffi, params};
use sha2::{Digest, Sha256};

use crate::connection;
use crate::error::{OpenError, failure, unreadable_is_damage};
use crate::files;

/// Copies made before a migration that are kept.
const KEPT_COPIES: usize = 3;

/// One step of the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Migration {
    /// Its place: 1, 2, 3 ... without gaps.
    pub number: u32,
    /// The name in `NNNN_name.sql`.
    pub name: &'static str,
    /// The statements.
    pub sql: &'static str,
}

impl Migration {
    fn checksum(&self) -> String {
        Sha256::digest(self.sql).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What the migrations did to a database.
#[derive(Debug, Default)]
pub(crate) struct Migrated {
    /// The schema number before, when it changed.
    pub(crate) from: Option<u32>,
    /// The copy made before.
    pub(crate) copy: Option<PathBuf>,
}

/// Refuses a list that cannot be applied.
pub(crate) fn validate(migrations: &[Migration]) -> Result<(), OpenError> {
    for (expected, migration) in (1..).zip(migrations) {
        let number = migration.number;
        if number != expected || i32::try_from(number).is_err() {
            let reason = "numbers must be 1, 2, 3 ... without gaps";
            return Err(OpenError::InvalidMigration { number, reason });
        }
        // A deferred reference fails at COMMIT and would take down every write of the commit.
        if migration.sql.to_ascii_uppercase().contains("INITIALLY DEFERRED") {
            let reason = "foreign keys must be immediate";
            return Err(OpenError::InvalidMigration { number, reason });
        }
    }
    Ok(())
}

/// The newest schema number of a list.
pub(crate) fn supported(migrations: &[Migration]) -> u32 {
    migrations.last().map_or(0, |migration| migration.number)
}

/// The schema number of a database; refuses a newer one.
pub(crate) fn found(connection: &Connection, migrations: &[Migration]) -> Result<u32, OpenError> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let supported = supported(migrations);
    let found = u32::try_from(version).unwrap_or(u32::MAX);
    if found > supported { Err(OpenError::NewerSchema { found, supported }) } else { Ok(found) }
}

/// Brings the database at `path` to the newest schema.
pub(crate) fn migrate(
    connection: &mut Connection,
    path: &Path,
    migrations: &[Migration],
) -> Result<Migrated, OpenError> {
    let found = found(connection, migrations)?;
    let pending = &migrations[found as usize..];
    let Some(first) = pending.first() else { return Ok(Migrated::default()) };
    let copy = if found > 0 { Some(copy_before(connection, path, first.number)?) } else { None };
    apply(connection, pending)?;
    tracing::info!(schema.from = found, schema.to = supported(migrations), "database migrated");
    Ok(Migrated { from: Some(found), copy })
}

/// Applies `pending` in one transaction.
pub(crate) fn apply(connection: &mut Connection, pending: &[Migration]) -> Result<(), OpenError> {
    // A step that rebuilds a table drops what others refer to; references are checked at the end.
    connection::set(connection, "foreign_keys", 0)?;
    let applied = apply_in_transaction(connection, pending);
    connection::set(connection, "foreign_keys", 1)?;
    applied
}

fn apply_in_transaction(
    connection: &mut Connection,
    pending: &[Migration],
) -> Result<(), OpenError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(
        "CREATE TABLE IF NOT EXISTS schema_migrations(
             number INTEGER PRIMARY KEY,
             name TEXT NOT NULL,
             checksum TEXT NOT NULL,
             applied_at TEXT NOT NULL
         ) STRICT",
    )?;
    for migration in pending {
        apply_one(&transaction, migration)?;
    }
    if let Some(table) = dangling_table(&transaction)? {
        return Err(OpenError::BrokenReference { table });
    }
    transaction.commit()?;
    Ok(())
}

fn apply_one(connection: &Connection, migration: &Migration) -> Result<(), OpenError> {
    let Migration { number, name, sql } = *migration;
    let failed = |source| OpenError::Migration { number, name, source };
    connection.execute_batch(sql).map_err(failed)?;
    if connection.is_autocommit() {
        let reason = "it must not end the transaction it runs in";
        return Err(OpenError::InvalidMigration { number, reason });
    }
    connection
        .execute(
            "INSERT INTO schema_migrations(number, name, checksum, applied_at)
             VALUES(?1, ?2, ?3, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
            params![number, name, migration.checksum()],
        )
        .map_err(failed)?;
    connection.pragma_update(None, "user_version", number).map_err(failed)
}

fn dangling_table(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut check = connection.prepare("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1")?;
    let mut rows = check.query([])?;
    rows.next()?.map(|row| row.get(0)).transpose()
}

/// Refuses migrations of which another text was applied. `number` is what the database says of itself: that other ones
/// are listed in it is damage.
pub(crate) fn compare_landed(
    connection: &Connection,
    migrations: &[Migration],
    number: u32,
) -> Result<(), OpenError> {
    let (landed, pending) = migrations.split_at(number as usize);
    for migration in landed {
        let Migration { number, name, .. } = *migration;
        let Some(applied) = listed(connection, number).map_err(unreadable_is_damage)? else {
            let message = format!("migration {number} is not listed");
            return Err(failure(ffi::SQLITE_CORRUPT, &message).into());
        };
        if applied != migration.checksum() {
            return Err(OpenError::ChangedMigration { number, name });
        }
    }
    if last_listed(connection, pending) > 0 {
        let message = format!("the schema number is {number}, and more migrations are listed");
        return Err(failure(ffi::SQLITE_CORRUPT, &message).into());
    }
    Ok(())
}

/// The checksum a migration is listed with.
fn listed(connection: &Connection, number: u32) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT checksum FROM schema_migrations WHERE number = ?1";
    connection.query_row(sql, [number], |row| row.get(0)).optional()
}

/// The last of these migrations that a database, damaged or not, lists with the checksum it has; 0 for none.
pub(crate) fn last_listed(connection: &Connection, migrations: &[Migration]) -> u32 {
    let is_listed = |migration: &&Migration| {
        let checksum = listed(connection, migration.number).ok().flatten();
        checksum.is_some_and(|checksum| checksum == migration.checksum())
    };
    migrations.iter().rev().find(is_listed).map_or(0, |migration| migration.number)
}

/// Copies the database to `<db>.before-NNNN` and drops the oldest copies.
fn copy_before(connection: &Connection, path: &Path, number: u32) -> Result<PathBuf, OpenError> {
    let copy = files::sibling(path, &format!(".before-{number:04}"));
    let partial = files::sibling(path, ".copying");
    files::remove(&partial).map_err(OpenError::io("remove", &partial))?;
    files::make_private(&partial).map_err(OpenError::io("make", &partial))?;
    copy_into(connection, &partial)?;
    files::sync(&partial).map_err(OpenError::io("sync", &partial))?;
    fs::rename(&partial, &copy).map_err(OpenError::io("name", &copy))?;
    files::sync_folder(path).map_err(OpenError::io("sync the folder of", path))?;
    drop_old_copies(path).map_err(OpenError::io("drop old copies of", path))?;
    Ok(copy)
}

/// Writes a complete copy of the database, as it is now, to a file that must not exist, or be empty.
pub(crate) fn copy_into(connection: &Connection, target: &Path) -> rusqlite::Result<()> {
    let name = target.to_str().ok_or_else(|| rusqlite::Error::InvalidPath(target.to_owned()))?;
    connection.execute("VACUUM INTO ?1", [name]).map(drop)
}

fn drop_old_copies(path: &Path) -> std::io::Result<()> {
    let numbers = files::numbered(path, ".before-")?;
    let surplus = numbers.len().saturating_sub(KEPT_COPIES);
    numbers[..surplus].iter().try_for_each(|number| {
        files::remove(&files::sibling(path, &format!(".before-{number:04}")))
    })
}
