//! Promotions of stores.

use deadpool_postgres::GenericClient;

use super::PostgresStore;
use super::columns::{at, first, get_u32, ms, run};
use super::fault::Fault;
use crate::job::StoreNo;
use crate::store::{Promotion, Promotions, Stored};

impl Promotions for PostgresStore {
    async fn promotion(&self, store: StoreNo) -> Stored<Option<Promotion>> {
        self.look_up(async move |db| find(db, store).await).await
    }

    async fn set_promotion(&self, store: StoreNo, promotion: Option<Promotion>) -> Stored<()> {
        self.write_statement(async move |db| set(db, store, promotion).await).await
    }
}

async fn find(db: &impl GenericClient, store: StoreNo) -> Result<Option<Promotion>, Fault> {
    let sql = "SELECT percent, until_at FROM promotions WHERE store = $1";
    let read = |row: &_| Ok(Promotion { percent: get_u32(row, 0)?, until: at(row, 1)? });
    first(db, sql, &[&store.0], read).await
}

async fn set(
    db: &impl GenericClient,
    store: StoreNo,
    promotion: Option<Promotion>,
) -> Result<(), Fault> {
    let Some(Promotion { percent, until }) = promotion else {
        let sql = "DELETE FROM promotions WHERE store = $1";
        return run(db, sql, &[&store.0]).await.map(drop);
    };
    let sql = "INSERT INTO promotions (store, percent, until_at) VALUES ($1, $2, $3)
        ON CONFLICT (store) DO UPDATE SET percent = $2, until_at = $3";
    run(db, sql, &[&store.0, &i64::from(percent), &ms(until)]).await.map(drop)
}
