//! The schema a database has, beside the one its migrations make.
//!
//! SQLite keeps a schema as text and believes what it reads: no check of its pages finds a byte that
//! renames a column or changes a rule. An index or a table that was added by hand is no damage.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rusqlite::{Connection, ffi, params};

use crate::error::{OpenError, failure, unreadable_is_damage};
use crate::migration::{self, Migration};

/// A table, index, view or trigger.
struct Part {
    kind: String,
    name: String,
    table: String,
    sql: String,
}

impl Part {
    /// Spaces and quotes are as the SQLite wrote them that applied the migration; an end of a line also ends a comment.
    fn is(&self, other: &Self) -> bool {
        let bare = |text: &str| -> Vec<char> {
            text.chars().filter(|c| !matches!(c, ' ' | '\t' | '"')).collect()
        };
        (&self.kind, &self.name, &self.table) == (&other.kind, &other.name, &other.table)
            && (self.sql == other.sql || bare(&self.sql) == bare(&other.sql))
    }
}

/// Refuses as damaged a database in which something is missing, or other, that `landed` made.
pub(crate) fn compare(connection: &Connection, landed: &[Migration]) -> Result<(), OpenError> {
    if landed.is_empty() {
        return Ok(());
    }
    let found = parts(connection).map_err(unreadable_is_damage)?;
    match made_by(landed)?.iter().find(|part| !found.iter().any(|found| part.is(found))) {
        None => Ok(()),
        Some(Part { kind, name, .. }) => {
            let message = format!("the {kind} {name} is not as its migrations made it");
            Err(failure(ffi::SQLITE_CORRUPT, &message).into())
        }
    }
}

/// Schemas by the migrations that make them.
type Made = HashMap<Vec<Migration>, Arc<[Part]>>;

/// What migrations make. A program has few lists of them, and each is made once: it takes longer than the rest of an
/// open.
fn made_by(landed: &[Migration]) -> Result<Arc<[Part]>, OpenError> {
    static MADE: LazyLock<Mutex<Made>> = LazyLock::new(Mutex::default);
    let mut known = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(made) = known.get(landed) {
        return Ok(Arc::clone(made));
    }
    let mut connection = Connection::open_in_memory()?;
    migration::apply(&mut connection, landed)?;
    let made: Arc<[Part]> = parts(&connection)?.into();
    known.insert(landed.to_vec(), Arc::clone(&made));
    Ok(made)
}

/// Lets this connection read the tables of a damaged database as `sound`, of the same schema number,
/// has them. Nothing is written: the change is part of a transaction that ends with the connection.
pub(crate) fn read_as(damaged: &Connection, sound: &Connection) -> rusqlite::Result<()> {
    let tables = parts(sound)?.into_iter().filter(|part| part.kind == "table");
    damaged.execute_batch("BEGIN IMMEDIATE")?;
    let mended = mend(damaged, tables);
    if mended.is_err() {
        damaged.execute_batch("ROLLBACK")?;
    }
    // The schema is read anew, and SQLite reads on past what is bad in the rest of it.
    damaged.execute_batch("PRAGMA writable_schema=RESET; PRAGMA writable_schema=ON")?;
    mended
}

fn mend(damaged: &Connection, tables: impl Iterator<Item = Part>) -> rusqlite::Result<()> {
    let mut update = damaged.prepare(
        "UPDATE sqlite_schema SET type = ?1, name = ?2, tbl_name = ?3, sql = ?4
         WHERE type = ?1 AND name = ?2 OR sql = ?4",
    )?;
    for Part { kind, name, table, sql } in tables {
        update.execute(params![kind, name, table, sql])?;
    }
    Ok(())
}

/// All that was made by a statement; the indexes SQLite made by itself follow from those.
fn parts(connection: &Connection) -> rusqlite::Result<Vec<Part>> {
    connection
        .prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL")?
        .query_map([], |row| {
            Ok(Part { kind: row.get(0)?, name: row.get(1)?, table: row.get(2)?, sql: row.get(3)? })
        })?
        .collect()
}
