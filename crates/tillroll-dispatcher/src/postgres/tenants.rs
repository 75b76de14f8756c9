//! Tenants and their stores.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use super::columns::{all, at, first, get, ms, run, word};
use super::fault::Fault;
use crate::job::StoreNo;
use crate::store::{StoreRecord, Tenant};

const NO_STORE: &str = "there is no such store";

/// Makes a tenant.
pub(super) async fn add(
    db: &impl GenericClient,
    name: &str,
    now: Timestamp,
) -> Result<Tenant, Fault> {
    let sql = "INSERT INTO tenants (name, created_at) VALUES ($1, $2) RETURNING id, name";
    let added = first(db, sql, &[&name, &ms(now)], read).await?;
    added.ok_or(Fault::Refused("the tenant was not made"))
}

/// Reads number and name.
fn read(row: &Row) -> Result<Tenant, Fault> {
    Ok(Tenant { id: get(row, 0)?, name: get(row, 1)? })
}

/// Every tenant.
pub(super) async fn list(db: &impl GenericClient) -> Result<Vec<Tenant>, Fault> {
    all(db, "SELECT id, name FROM tenants ORDER BY id", &[], read).await
}

/// Makes a store of a tenant.
pub(super) async fn add_store(
    db: &Transaction<'_>,
    new: &StoreRecord,
) -> Result<StoreRecord, Fault> {
    let sql = "INSERT INTO stores (tenant, uid, code, name, created_at) VALUES ($1, $2, $3, $4, $5)
         RETURNING store, tenant, uid, code, name, created_at";
    let created_at = ms(new.created_at);
    let code = new.code.as_str();
    let params = [&new.tenant as _, &new.uid as _, &code as _, &new.name as _, &created_at as _];
    let added = first(db, sql, &params, read_store).await?;
    let added = added.ok_or(Fault::Refused("the store was not made"))?;
    run(db, "INSERT INTO store_numbers (store) VALUES ($1)", &[&added.no.0]).await?;
    Ok(added)
}

/// Reads number, tenant, uid, code, name and creation.
pub(super) fn read_store(row: &Row) -> Result<StoreRecord, Fault> {
    Ok(StoreRecord {
        no: StoreNo(get(row, 0)?),
        tenant: get(row, 1)?,
        uid: get(row, 2)?,
        code: word(row, 3)?,
        name: get(row, 4)?,
        created_at: at(row, 5)?,
    })
}

/// Every store.
pub(super) async fn stores(db: &impl GenericClient) -> Result<Vec<StoreRecord>, Fault> {
    let sql = "SELECT store, tenant, uid, code, name, created_at FROM stores ORDER BY store";
    all(db, sql, &[], read_store).await
}

/// A store by its uid.
pub(super) async fn store_of(
    db: &impl GenericClient,
    uid: &str,
) -> Result<Option<StoreRecord>, Fault> {
    let sql = "SELECT store, tenant, uid, code, name, created_at FROM stores WHERE uid = $1";
    if cannot_be(uid) {
        return Ok(None);
    }
    first(db, sql, &[&uid], read_store).await
}

/// The store of a uid, if a key is for it too.
pub(super) async fn store_for(
    db: &impl GenericClient,
    key: i64,
    uid: &str,
) -> Result<Option<StoreRecord>, Fault> {
    let sql = "SELECT store, tenant, uid, code, name, created_at
         FROM stores JOIN api_key_stores USING (store) WHERE uid = $1 AND api_key = $2";
    if cannot_be(uid) {
        return Ok(None);
    }
    first(db, sql, &[&uid, &key], read_store).await
}

/// Whether a text can stand in no row: PostgreSQL keeps no zero character, and refuses one in a question.
fn cannot_be(text: &str) -> bool {
    text.contains('\0')
}

/// A store by its number.
pub(super) async fn store(db: &impl GenericClient, no: StoreNo) -> Result<StoreRecord, Fault> {
    let sql = "SELECT store, tenant, uid, code, name, created_at FROM stores WHERE store = $1";
    first(db, sql, &[&no.0], read_store).await?.ok_or(Fault::Refused(NO_STORE))
}

/// Says whether the registers of a store share its orders.
pub(super) async fn set_sharing(
    db: &impl GenericClient,
    no: StoreNo,
    on: bool,
) -> Result<(), Fault> {
    let sql = "UPDATE stores SET shares_orders = $2 WHERE store = $1";
    match run(db, sql, &[&no.0, &on]).await? {
        0 => Err(Fault::Refused(NO_STORE)),
        _ => Ok(()),
    }
}
