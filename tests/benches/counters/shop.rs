//! A store with a register and more in stock than a bench sells.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_dispatcher::counters::{
    Change, Counters, LaneSettings, Lanes, Outcome, Request, StockChange, Trade, TradeKind,
};
use tillroll_dispatcher::job::StoreNo;
use tillroll_dispatcher::store::{DispatcherStore, NewPairing, StoreRecord, TokenHash};
use tillroll_domain::ids::Part;

/// Skus that sales take in turn, as a shop sells some of them all the time.
const SKUS: u64 = 100;

/// The store, and the way to its counters.
#[derive(Clone)]
pub struct Shop<S> {
    lanes: Lanes<S>,
    store: StoreNo,
    register: Part,
    day: Date,
    at: Timestamp,
}

impl<S: Counters + DispatcherStore> Shop<S> {
    /// Makes it, in an empty database.
    pub async fn open(engine: S) -> Result<Self> {
        let at: Timestamp = "2026-12-01T12:00:00Z".parse()?;
        let tenant = engine.add_tenant("bench".to_owned(), at).await?.id;
        let record = StoreRecord {
            no: StoreNo(0),
            tenant,
            uid: "st_bench".to_owned(),
            code: "S1".parse()?,
            name: "Bench".to_owned(),
            created_at: at,
        };
        let store = engine.add_store(record).await?.no;
        let register: Part = "R1".parse()?;
        let code = TokenHash([0; 32]);
        let pairing = NewPairing { store, register: register.clone(), code, until: at };
        engine.new_pairing(pairing).await?;
        let lanes = Lanes::new(engine, LaneSettings::default());
        let shop = Self { lanes, store, register, day: "2026-12-01".parse()?, at };
        shop.fill().await?;
        Ok(shop)
    }

    async fn fill(&self) -> Result<()> {
        for n in 0..SKUS {
            let change = Change::Stock { sku: sku(n)?, change: StockChange::Set(999_999_999) };
            let request = Request::new(format!("fill {n}"), self.day, change, self.at)?;
            self.lanes.count(self.store, request).await?;
        }
        Ok(())
    }

    /// Counts sale `n`: its ids grow with time, as those of registers do.
    pub async fn sell(&self, n: u64) -> Result<()> {
        let items = BTreeMap::from([(sku(n)?, 1)]);
        let register = self.register.clone();
        let trade = Trade { kind: TradeKind::Sale, register, items, amount_minor: 2_800 };
        let id = format!("S1:20261201-{n:09}:receipt:v1");
        let request = Request::new(id, self.day, Change::Trade(trade), self.at)?;
        let outcome = self.lanes.count(self.store, request).await?;
        ensure!(matches!(outcome, Outcome::Counted(_) | Outcome::Replayed(_)), "{outcome:?}");
        Ok(())
    }
}

fn sku(n: u64) -> Result<Part> {
    Ok(format!("sku-{:03}", n % SKUS).parse()?)
}
