//! Share tables.

use jiff::Timestamp;
use tillroll_domain::splits::ShareTable;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::job::StoreNo;
use crate::sqlite::columns::{all, at, ms, optional_at, run};
use crate::sqlite::fault::Fault;
use crate::store::TableSet;

pub(super) fn list(db: &Connection, store: StoreNo) -> Result<Vec<ShareTable>, Fault> {
    let sql = "SELECT version, valid_from, valid_until, shares FROM share_tables WHERE store = ?1
        ORDER BY version";
    all(db, sql, params![store.0], |row| {
        Ok(ShareTable {
            version: row.get(0)?,
            valid_from: at(row, 1)?,
            valid_until: optional_at(row, 2)?,
            shares: serde_json::from_str(&row.get::<_, String>(3)?).map_err(Fault::unreadable)?,
        })
    })
}

pub(super) fn set(
    db: &Connection,
    store: StoreNo,
    table: &ShareTable,
    now: Timestamp,
) -> Result<TableSet, Fault> {
    if let Some(met) = TableSet::met(&list(db, store)?, table) {
        return Ok(met);
    }
    let sql =
        "INSERT INTO share_tables (store, version, valid_from, valid_until, shares, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let shares = serde_json::to_string(&table.shares).map_err(Fault::unreadable)?;
    let (from, until) = (ms(table.valid_from), table.valid_until.map(ms));
    run(db, sql, params![store.0, table.version, from, until, shares, ms(now)])?;
    Ok(TableSet::New)
}
