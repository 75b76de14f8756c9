//! The numbers of a store: jobs, records and registers count up, each under the store's row.

use deadpool_postgres::Transaction;

use super::columns::{first, get, run};
use super::fault::Fault;
use crate::job::StoreNo;

const NO_STORE: &str = "there is no such store";

/// The last number of a record. Nobody else takes numbers of this store until the transaction ends.
pub(super) async fn last_record(db: &Transaction<'_>, store: StoreNo) -> Result<i64, Fault> {
    let sql = "SELECT record FROM store_numbers WHERE store = $1 FOR NO KEY UPDATE";
    let last = first(db, sql, &[&store.0], |row| get(row, 0)).await?;
    last.ok_or(Fault::Refused(NO_STORE))
}

/// Notes the last number of a record.
pub(super) async fn set_last_record(
    db: &Transaction<'_>,
    store: StoreNo,
    last: i64,
) -> Result<(), Fault> {
    let sql = "UPDATE store_numbers SET record = $2 WHERE store = $1";
    run(db, sql, &[&store.0, &last]).await.map(drop)
}

/// Takes the number of a register. Nobody else takes numbers of this store until the transaction ends.
pub(super) async fn next_register(db: &Transaction<'_>, store: StoreNo) -> Result<i64, Fault> {
    let sql =
        "UPDATE store_numbers SET register = register + 1 WHERE store = $1 RETURNING register";
    let next = first(db, sql, &[&store.0], |row| get(row, 0)).await?;
    next.ok_or(Fault::Refused(NO_STORE))
}
