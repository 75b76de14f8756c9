//! Share tables.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tillroll_domain::splits::ShareTable;

use crate::job::StoreNo;
use crate::postgres::columns::{all, at, get, get_u32, ms, optional_at, run};
use crate::postgres::fault::Fault;
use crate::store::TableSet;

pub(super) async fn list(
    db: &impl GenericClient,
    store: StoreNo,
) -> Result<Vec<ShareTable>, Fault> {
    let sql = "SELECT version, valid_from, valid_until, shares FROM share_tables WHERE store = $1
        ORDER BY version";
    all(db, sql, &[&store.0], |row| {
        Ok(ShareTable {
            version: get_u32(row, 0)?,
            valid_from: at(row, 1)?,
            valid_until: optional_at(row, 2)?,
            shares: serde_json::from_str(get(row, 3)?).map_err(Fault::unreadable)?,
        })
    })
    .await
}

/// Of two that set the same version at once one meets the other's row, and is refused.
pub(super) async fn set(
    db: &Transaction<'_>,
    store: StoreNo,
    table: &ShareTable,
    now: Timestamp,
) -> Result<TableSet, Fault> {
    if let Some(met) = TableSet::met(&list(db, store).await?, table) {
        return Ok(met);
    }
    let sql =
        "INSERT INTO share_tables (store, version, valid_from, valid_until, shares, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)";
    let shares = serde_json::to_string(&table.shares).map_err(Fault::unreadable)?;
    let params = [
        &store.0 as _,
        &i64::from(table.version) as _,
        &ms(table.valid_from) as _,
        &table.valid_until.map(ms) as _,
        &shares as _,
        &ms(now) as _,
    ];
    run(db, sql, &params).await?;
    Ok(TableSet::New)
}
