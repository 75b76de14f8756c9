//! Stores and paired registers, made through the store's own interface: nobody types ten thousand codes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::folder::Folder;
use tillroll_dispatcher::job::StoreNo;
use tillroll_dispatcher::secret::hash_of;
use tillroll_dispatcher::sqlite::{SqliteOptions, SqliteStore};
use tillroll_dispatcher::store::{
    ApiKey, DispatcherStore, NewPairing, Pairing, PairingOutcome, StoreRecord,
};
use tillroll_domain::clock::Clock as _;
use tillroll_domain::ids::Part;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Pairings under way at once: they share commits.
const AT_ONCE: usize = 256;

/// A tenant's stores.
pub struct Chain {
    /// The data folder.
    pub data: PathBuf,
    /// In the order of their numbers, from 1.
    pub shops: Vec<Shop>,
    /// A business system's key to all of them.
    pub token: String,
    /// Its number.
    pub api_key: i64,
}

/// A store.
#[derive(Debug, Clone)]
pub struct Shop {
    /// Its number.
    pub no: StoreNo,
    /// Its uid.
    pub uid: String,
    /// Its code.
    pub code: Part,
    /// Its registers.
    pub tills: Vec<Till>,
}

/// A paired register with one printer.
#[derive(Debug, Clone)]
pub struct Till {
    /// Its name.
    pub name: Part,
    /// What it connects with.
    pub credential: String,
    /// The printer's name, unique in the store.
    pub printer: Part,
}

impl Till {
    fn of(shop: &str, number: usize) -> Result<Self> {
        Ok(Self {
            name: format!("R{number}").parse()?,
            credential: format!("credential of {shop} R{number}"),
            printer: format!("front-{number}").parse()?,
        })
    }
}

/// The installation of every register.
pub const INSTALLATION: &str = "00112233445566778899aabbccddeeff";

impl Chain {
    /// Makes so many stores with so many registers each, in a folder of that name.
    pub async fn make(folder: &Path, name: &str, stores: usize, registers: usize) -> Result<Self> {
        let data = folder.join(name);
        let place = Folder::at(&data);
        place.make()?;
        let (store, _) = SqliteStore::open(&place.database(), SqliteOptions::default())?;
        let chain = Self::fill(&store, data, stores, registers).await?;
        tokio::task::spawn_blocking(|| store.close()).await??;
        Ok(chain)
    }

    /// The same in a store that is there.
    pub async fn fill(
        store: &impl DispatcherStore,
        data: PathBuf,
        stores: usize,
        registers: usize,
    ) -> Result<Self> {
        let tenant = store.add_tenant("Old Wang".to_owned(), SystemClock.now()).await?.id;
        let mut shops = Vec::new();
        for number in 1..=stores {
            shops.push(shop(store, tenant, number, registers).await?);
        }
        pair_all(store, &shops).await?;
        let token = "the platform's token".to_owned();
        let stores = shops.iter().map(|shop| shop.no).collect();
        let key = ApiKey { id: 0, tenant, name: "platform".to_owned(), stores, revoked_at: None };
        let api_key = store.add_api_key(key, hash_of(&token)).await?.id;
        Ok(Self { data, shops, token, api_key })
    }

    /// The database's file.
    pub fn database(&self) -> PathBuf {
        Folder::at(&self.data).database()
    }
}

async fn shop(
    store: &impl DispatcherStore,
    tenant: i64,
    number: usize,
    registers: usize,
) -> Result<Shop> {
    let (code, uid): (Part, _) = (format!("S{number}").parse()?, format!("st_{number:032x}"));
    let record = StoreRecord {
        no: StoreNo(0),
        tenant,
        uid: uid.clone(),
        code: code.clone(),
        name: format!("Old Wang {number}"),
        created_at: SystemClock.now(),
    };
    let no = store.add_store(record).await?.no;
    let tills = (1..=registers).map(|number| Till::of(&uid, number)).collect::<Result<_>>()?;
    Ok(Shop { no, uid, code, tills })
}

async fn pair_all(store: &impl DispatcherStore, shops: &[Shop]) -> Result<()> {
    let (mut pairing, places) = (JoinSet::new(), Arc::new(Semaphore::new(AT_ONCE)));
    for shop in shops {
        for till in shop.tills.clone() {
            let place = Arc::clone(&places).acquire_owned().await?;
            let (store, no, code) = (store.clone(), shop.no, shop.code.clone());
            pairing.spawn(async move {
                let paired = pair(&store, no, code, &till).await;
                drop(place);
                paired
            });
        }
    }
    pairing.join_all().await.into_iter().collect()
}

async fn pair(store: &impl DispatcherStore, no: StoreNo, shop: Part, till: &Till) -> Result<()> {
    let (now, code) = (SystemClock.now(), hash_of(&format!("code for {}", till.credential)));
    let until = now + jiff::SignedDuration::from_mins(10);
    store.new_pairing(NewPairing { store: no, register: till.name.clone(), code, until }).await?;
    let pairing = Pairing {
        code,
        store: shop,
        register: till.name.clone(),
        installation: INSTALLATION.to_owned(),
        credential: hash_of(&till.credential),
        now,
    };
    match store.pair(pairing).await? {
        PairingOutcome::Paired(..) => Ok(()),
        PairingOutcome::Refused => bail!("the pairing of {} was refused", till.credential),
    }
}
