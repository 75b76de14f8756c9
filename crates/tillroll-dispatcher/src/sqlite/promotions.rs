//! Promotions of stores.

use tillroll_sqlite::rusqlite::{Connection, params};

use super::SqliteStore;
use super::columns::{at, first, ms, run};
use super::fault::Fault;
use crate::job::StoreNo;
use crate::store::{Promotion, Promotions, Stored};

impl Promotions for SqliteStore {
    async fn promotion(&self, store: StoreNo) -> Stored<Option<Promotion>> {
        self.look_up(move |db| find(db, store)).await
    }

    async fn set_promotion(&self, store: StoreNo, promotion: Option<Promotion>) -> Stored<()> {
        self.write(move |db| set(db, store, promotion)).await
    }
}

fn find(db: &Connection, store: StoreNo) -> Result<Option<Promotion>, Fault> {
    let sql = "SELECT percent, until_at FROM promotions WHERE store = ?1";
    first(db, sql, [store.0], |row| Ok(Promotion { percent: row.get(0)?, until: at(row, 1)? }))
}

fn set(db: &Connection, store: StoreNo, promotion: Option<Promotion>) -> Result<(), Fault> {
    let Some(Promotion { percent, until }) = promotion else {
        return run(db, "DELETE FROM promotions WHERE store = ?1", [store.0]).map(drop);
    };
    let sql = "INSERT INTO promotions (store, percent, until_at) VALUES (?1, ?2, ?3)
        ON CONFLICT (store) DO UPDATE SET percent = ?2, until_at = ?3";
    run(db, sql, params![store.0, percent, ms(until)]).map(drop)
}
