//! Keys of business systems and the stores each may use.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use super::columns::{all, column, first, get, ms, optional_at, run, run_on_one};
use super::fault::Fault;
use super::{hooks, tenants};
use crate::job::StoreNo;
use crate::store::{ApiKey, Caller, TokenHash};

/// Makes a key; its stores must be its tenant's.
pub(super) async fn add(
    db: &Transaction<'_>,
    key: &ApiKey,
    hash: TokenHash,
) -> Result<ApiKey, Fault> {
    let revoked_at = key.revoked_at.map(ms);
    let params = [&key.tenant as _, &key.name as _, &&hash.0[..] as _, &revoked_at as _];
    let id = first(db, ADD, &params, |row| get::<i64>(row, 0)).await?;
    let id = id.ok_or(Fault::Refused("the key was not made"))?;
    let mut stores = key.stores.clone();
    stores.sort_unstable();
    let numbers = column(&stores, |store| store.0);
    let added = run(db, ADD_STORES, &[&id, &numbers, &key.tenant]).await?;
    if u64::try_from(numbers.len()) != Ok(added) {
        return Err(Fault::Refused("the tenant has no such store"));
    }
    Ok(ApiKey { id, stores, ..key.clone() })
}

const ADD: &str = "INSERT INTO api_keys (tenant, name, hash, revoked_at) VALUES ($1, $2, $3, $4)
    RETURNING id";
const ADD_STORES: &str = "INSERT INTO api_key_stores (api_key, store)
    SELECT $1::bigint, store FROM unnest($2::bigint[]) AS asked (store) JOIN stores USING (store)
    WHERE tenant = $3";

/// Who has a key with this token, unless it was revoked, and the store of a uid if the key is for it too.
pub(super) async fn caller(
    db: &impl GenericClient,
    hash: TokenHash,
    uid: Option<&str>,
) -> Result<Option<Caller>, Fault> {
    let sql = "SELECT id FROM api_keys WHERE hash = $1 AND revoked_at IS NULL";
    let key = first(db, sql, &[&&hash.0[..]], |row| get(row, 0)).await?;
    let Some(key) = key else { return Ok(None) };
    let store = match uid {
        Some(uid) => tenants::store_for(db, key, uid).await?,
        None => None,
    };
    Ok(Some(Caller { key, store }))
}

/// Every key of a tenant, revoked ones too.
pub(super) async fn list(db: &impl GenericClient, tenant: i64) -> Result<Vec<ApiKey>, Fault> {
    all(db, LIST, &[&tenant], read).await
}

const LIST: &str = "SELECT id, tenant, name, revoked_at,
        array(SELECT store FROM api_key_stores WHERE api_key = id ORDER BY store)
    FROM api_keys WHERE tenant = $1 ORDER BY id";

fn read(row: &Row) -> Result<ApiKey, Fault> {
    Ok(ApiKey {
        id: get(row, 0)?,
        tenant: get(row, 1)?,
        name: get(row, 2)?,
        revoked_at: optional_at(row, 3)?,
        stores: get::<Vec<i64>>(row, 4)?.into_iter().map(StoreNo).collect(),
    })
}

/// Revokes a key; its webhooks end with it.
pub(super) async fn revoke(db: &Transaction<'_>, key: i64, now: Timestamp) -> Result<(), Fault> {
    let sql = "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1";
    run_on_one(db, sql, &[&key, &ms(now)], "there is no such key").await?;
    hooks::end(db, key, now).await
}
