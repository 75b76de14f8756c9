//! Tenants and their stores.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use super::columns::{all, at, first, ms, run, run_on_one, word};
use super::fault::Fault;
use crate::job::StoreNo;
use crate::store::{StoreRecord, Tenant};

const NO_STORE: &str = "there is no such store";

/// Makes a tenant.
pub(super) fn add(db: &Connection, name: &str, now: Timestamp) -> Result<Tenant, Fault> {
    run(db, "INSERT INTO tenants (name, created_at) VALUES (?1, ?2)", params![name, ms(now)])?;
    Ok(Tenant { id: db.last_insert_rowid(), name: name.to_owned() })
}

/// Every tenant.
pub(super) fn list(db: &Connection) -> Result<Vec<Tenant>, Fault> {
    all(db, "SELECT id, name FROM tenants ORDER BY id", [], |row| {
        Ok(Tenant { id: row.get(0)?, name: row.get(1)? })
    })
}

/// Makes a store of a tenant.
pub(super) fn add_store(db: &Connection, new: &StoreRecord) -> Result<StoreRecord, Fault> {
    let added = first(
        db,
        "INSERT INTO stores (tenant, uid, code, name, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
         RETURNING store, tenant, uid, code, name, created_at",
        params![new.tenant, new.uid, new.code.as_str(), new.name, ms(new.created_at)],
        read_store,
    )?;
    added.ok_or(Fault::Refused("the store was not made"))
}

/// Reads number, tenant, uid, code, name and creation.
fn read_store(row: &Row<'_>) -> Result<StoreRecord, Fault> {
    Ok(StoreRecord {
        no: StoreNo(row.get(0)?),
        tenant: row.get(1)?,
        uid: row.get(2)?,
        code: word(row, 3)?,
        name: row.get(4)?,
        created_at: at(row, 5)?,
    })
}

/// Every store.
pub(super) fn stores(db: &Connection) -> Result<Vec<StoreRecord>, Fault> {
    let sql = "SELECT store, tenant, uid, code, name, created_at FROM stores ORDER BY store";
    all(db, sql, [], read_store)
}

/// A store by its uid.
pub(super) fn store_of(db: &Connection, uid: &str) -> Result<Option<StoreRecord>, Fault> {
    let sql = "SELECT store, tenant, uid, code, name, created_at FROM stores WHERE uid = ?1";
    first(db, sql, [uid], read_store)
}

/// The store of a uid, if a key is for it too.
pub(super) fn store_for(
    db: &Connection,
    key: i64,
    uid: &str,
) -> Result<Option<StoreRecord>, Fault> {
    first(db, STORE_FOR, params![uid, key], read_store)
}

pub(super) const STORE_FOR: &str = "SELECT store, tenant, uid, code, name, created_at
     FROM stores CROSS JOIN api_key_stores USING (store) WHERE uid = ?1 AND api_key = ?2";

/// A store by its number.
pub(super) fn store(db: &Connection, no: StoreNo) -> Result<StoreRecord, Fault> {
    let sql = "SELECT store, tenant, uid, code, name, created_at FROM stores WHERE store = ?1";
    first(db, sql, [no.0], read_store)?.ok_or(Fault::Refused(NO_STORE))
}

/// Whether the registers of a store share its orders.
pub(super) fn shares_orders(db: &Connection, no: StoreNo) -> Result<bool, Fault> {
    let sql = "SELECT shares_orders FROM stores WHERE store = ?1";
    let shares = first(db, sql, [no.0], |row| Ok(row.get(0)?))?;
    shares.ok_or(Fault::Refused(NO_STORE))
}

/// Says whether they do.
pub(super) fn set_sharing(db: &Connection, no: StoreNo, on: bool) -> Result<(), Fault> {
    let sql = "UPDATE stores SET shares_orders = ?2 WHERE store = ?1";
    run_on_one(db, sql, params![no.0, on], NO_STORE)
}
