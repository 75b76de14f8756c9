//! Rows that refer to a row that was lost go too: the new database has no dangling reference.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use super::table::quoted;

/// Deletes rows whose parent is missing, then their children, until none is left. Returns how many
/// per table. A table without row ids cannot be sifted and is left alone.
pub(super) fn drop_orphans(connection: &Connection) -> rusqlite::Result<BTreeMap<String, u64>> {
    let mut dropped = BTreeMap::new();
    loop {
        let orphans = orphans(connection)?;
        if orphans.is_empty() {
            return Ok(dropped);
        }
        for (table, rowid) in orphans {
            let delete = format!("DELETE FROM {} WHERE _rowid_ = ?1", quoted(&table));
            connection.prepare_cached(&delete)?.execute([rowid])?;
            *dropped.entry(table).or_default() += 1;
        }
    }
}

/// Each dangling row once, whatever number of its references dangle.
fn orphans(connection: &Connection) -> rusqlite::Result<BTreeSet<(String, i64)>> {
    connection
        .prepare("SELECT \"table\", rowid FROM pragma_foreign_key_check WHERE rowid IS NOT NULL")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}
