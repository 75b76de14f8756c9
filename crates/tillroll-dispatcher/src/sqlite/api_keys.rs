//! Keys of business systems and the stores each may use.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use super::columns::{all, first, ms, optional_at, run, run_on_one};
use super::fault::Fault;
use super::{hooks, tenants};
use crate::job::StoreNo;
use crate::store::{ApiKey, Caller, TokenHash};

/// Makes a key; its stores must be its tenant's.
pub(super) fn add(db: &Connection, key: &ApiKey, hash: TokenHash) -> Result<ApiKey, Fault> {
    let sql = "INSERT INTO api_keys (tenant, name, hash, revoked_at) VALUES (?1, ?2, ?3, ?4)";
    run(db, sql, params![key.tenant, key.name, hash.0, key.revoked_at.map(ms)])?;
    let id = db.last_insert_rowid();
    for store in &key.stores {
        let sql = "INSERT INTO api_key_stores (api_key, store)
             SELECT ?1, store FROM stores WHERE store = ?2 AND tenant = ?3";
        run_on_one(db, sql, params![id, store.0, key.tenant], "the tenant has no such store")?;
    }
    let mut stores = key.stores.clone();
    stores.sort_unstable();
    Ok(ApiKey { id, stores, ..key.clone() })
}

/// Who has a key with this token, unless it was revoked, and the store of a uid if the key is for it too.
pub(super) fn caller(
    db: &Connection,
    hash: TokenHash,
    uid: Option<&str>,
) -> Result<Option<Caller>, Fault> {
    let key = first(db, BY_HASH, params![hash.0], |row| Ok(row.get(0)?))?;
    let Some(key) = key else { return Ok(None) };
    let store = match uid {
        Some(uid) => tenants::store_for(db, key, uid)?,
        None => None,
    };
    Ok(Some(Caller { key, store }))
}

pub(super) const BY_HASH: &str = "SELECT id FROM api_keys WHERE hash = ?1 AND revoked_at IS NULL";

/// Every key of a tenant, revoked ones too.
pub(super) fn list(db: &Connection, tenant: i64) -> Result<Vec<ApiKey>, Fault> {
    let sql = "SELECT id, tenant, name, revoked_at FROM api_keys WHERE tenant = ?1 ORDER BY id";
    let keys = all(db, sql, [tenant], read)?;
    keys.into_iter().map(|key| with_stores(db, key)).collect()
}

fn read(row: &Row<'_>) -> Result<ApiKey, Fault> {
    Ok(ApiKey {
        id: row.get(0)?,
        tenant: row.get(1)?,
        name: row.get(2)?,
        stores: Vec::new(),
        revoked_at: optional_at(row, 3)?,
    })
}

fn with_stores(db: &Connection, key: ApiKey) -> Result<ApiKey, Fault> {
    let sql = "SELECT store FROM api_key_stores WHERE api_key = ?1 ORDER BY store";
    let stores = all(db, sql, [key.id], |row| Ok(StoreNo(row.get(0)?)))?;
    Ok(ApiKey { stores, ..key })
}

/// Revokes a key; its webhooks end with it.
pub(super) fn revoke(db: &Connection, key: i64, now: Timestamp) -> Result<(), Fault> {
    let sql = "UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1";
    run_on_one(db, sql, params![key, ms(now)], "there is no such key")?;
    hooks::end(db, key, now)
}
