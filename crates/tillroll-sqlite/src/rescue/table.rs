//! Copying one table from the damaged database into the same-named one of the new.

use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, Statement, params_from_iter};

use super::Tally;
use super::scan::{Scan, Step};

/// The tables that hold rows of the product, in the order they were made.
pub(super) fn names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare(
            "SELECT name FROM sqlite_schema
             WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
               AND name <> 'schema_migrations'
             ORDER BY rowid",
        )?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// A name as SQL identifier.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Copies every row that can be read and that the new table accepts. `highest` is the highest row
/// id ever given, if known: it tells how many rows an unreadable rest, or a table that is gone, may
/// have held.
pub(super) fn copy(
    damaged: &Connection,
    fresh: &Connection,
    table: &str,
    highest: Option<i64>,
) -> rusqlite::Result<Tally> {
    let wanted = columns(fresh, table)?;
    let there = columns(damaged, table).unwrap_or_default();
    let common: Vec<_> = wanted.into_iter().filter(|column| there.contains(column)).collect();
    if common.is_empty() {
        return Ok(Tally { rescued: 0, lost: highest.map_or(1, |id| id.max(1).unsigned_abs()) });
    }
    let mut insert = insert_into(fresh, table, &common)?;
    let mut tally = Tally::default();
    let highest = highest.unwrap_or(0);
    let mut scan = Scan::new(damaged, table, &common, has_rowid(fresh, table)?, highest);
    while let Some(step) = scan.next_step() {
        match step {
            Step::Row(values) => {
                let accepted = accepts(&mut insert, values)?;
                *(if accepted { &mut tally.rescued } else { &mut tally.lost }) += 1;
            }
            Step::Gap(rows) => tally.lost = tally.lost.saturating_add(rows),
        }
    }
    Ok(tally)
}

/// Stored columns; generated ones are computed anew.
fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0")?
        .query_map([table], |row| row.get(0))?
        .collect()
}

fn has_rowid(connection: &Connection, table: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1";
    connection.query_row(sql, [table], |row| row.get(0))
}

fn insert_into<'a>(
    fresh: &'a Connection,
    table: &str,
    columns: &[String],
) -> rusqlite::Result<Statement<'a>> {
    let names: Vec<_> = columns.iter().map(|column| quoted(column)).collect();
    let places = vec!["?"; columns.len()].join(", ");
    fresh.prepare(&format!("INSERT INTO {}({}) VALUES({places})", quoted(table), names.join(", ")))
}

/// Inserts a row; false when the schema refuses it.
fn accepts(insert: &mut Statement<'_>, values: Vec<Value>) -> rusqlite::Result<bool> {
    match insert.execute(params_from_iter(values)) {
        Ok(_) => Ok(true),
        Err(error) => match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) => Ok(false),
            _ => Err(error),
        },
    }
}
