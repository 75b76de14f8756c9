//! Stores with a paired register each, made in the database itself: nobody types the codes.

use anyhow::{Result, ensure};
use jiff::{SignedDuration, Timestamp};
use tillroll_dispatcher::job::StoreNo;
use tillroll_dispatcher::postgres::{PostgresOptions, PostgresStore};
use tillroll_dispatcher::secret::hash_of;
use tillroll_dispatcher::store::{
    ApiKey, DispatcherStore as _, NewPairing, Pairing, PairingOutcome, StoreRecord,
};
use tillroll_domain::ids::Part;

use crate::shop;

/// What the business system's key is.
pub const TOKEN: &str = "the token of the storm's business system";

/// A store's uid.
pub fn uid(no: usize) -> String {
    format!("st_{no:032x}")
}

/// What the register of a store connects with.
pub fn credential(no: usize) -> String {
    format!("the credential of register {no}")
}

/// Makes a store for each installation, with a register that is paired with it, and a key to all of them.
pub async fn make(database: &str, installations: &[String], now: Timestamp) -> Result<()> {
    let store = PostgresStore::open(database, PostgresOptions::default()).await?;
    let tenant = store.add_tenant("Lao Wang".to_owned(), now).await?.id;
    let mut stores = Vec::new();
    for (no, installation) in installations.iter().enumerate() {
        let record = StoreRecord {
            no: StoreNo(0),
            tenant,
            uid: uid(no),
            code: shop::code(no),
            name: shop::code(no).to_string(),
            created_at: now,
        };
        let place = store.add_store(record).await?.no;
        pair(&store, place, no, installation, now).await?;
        stores.push(place);
    }
    let key = ApiKey { id: 0, tenant, name: "platform".to_owned(), stores, revoked_at: None };
    store.add_api_key(key, hash_of(TOKEN)).await?;
    store.close();
    Ok(())
}

async fn pair(
    store: &PostgresStore,
    place: StoreNo,
    no: usize,
    installation: &str,
    now: Timestamp,
) -> Result<()> {
    let register: Part = "R1".parse()?;
    let (code, until) = (hash_of(&format!("code {no}")), now + SignedDuration::from_mins(10));
    let new = NewPairing { store: place, register: register.clone(), code, until };
    store.new_pairing(new).await?;
    let pairing = Pairing {
        code,
        store: shop::code(no),
        register,
        installation: installation.to_owned(),
        credential: hash_of(&credential(no)),
        now,
    };
    let outcome = store.pair(pairing).await?;
    ensure!(matches!(outcome, PairingOutcome::Paired(..)), "{outcome:?}");
    Ok(())
}
