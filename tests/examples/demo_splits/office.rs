//! A dispatcher with a store, its share table, and a bank to pay to.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use tempfile::TempDir;
use tillroll_dispatcher::bank_sim::LedgerSums;
use tillroll_dispatcher::config::Config;
use tillroll_dispatcher::job::StoreNo;
use tillroll_dispatcher::payments::PaymentSettings;
use tillroll_dispatcher::splits::{Cause, NewSplit, Prepared, SplitTotals, confirm};
use tillroll_dispatcher::store::{DispatcherStore as _, Splits as _};
use tillroll_dispatcher::{Dispatcher, DispatcherOptions, Engine};
use tillroll_domain::clock::Clock;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::money::Minor;
use tillroll_domain::splits::{Pace, Share, ShareTable};

/// Shared with the bank.
pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const DAY: &str = "2026-11-30";

pub struct Office {
    _folder: TempDir,
    pub dispatcher: Dispatcher,
    shop: StoreNo,
    clock: Arc<dyn Clock>,
}

impl Office {
    /// A dispatcher that pays to a bank at an address.
    pub async fn open(bank: &str, clock: Arc<dyn Clock>) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
        config.splits.channel = format!("http://{bank}");
        config.splits.secret = SECRET.to_owned().try_into()?;
        let payments =
            PaymentSettings { compare_after: Duration::ZERO, ..PaymentSettings::default() };
        let options = DispatcherOptions::new(folder.path().join("cloud"), config);
        let options =
            DispatcherOptions { clock: Arc::clone(&clock), payments: Some(payments), ..options };
        let dispatcher = Dispatcher::start(options).await?;
        let admin = dispatcher.admin();
        let refused = |problem: tillroll_wire::Problem| anyhow::anyhow!(problem.detail);
        admin.add_tenant("Old Wang").await.map_err(refused)?;
        let uid = admin.add_store("Old Wang", "S1", "Shop").await.map_err(refused)?.uid;
        let shop = dispatcher.store().store_of(uid).await?.context("no store")?.no;
        dispatcher.store().set_share_table(shop, table()?, clock.now()).await?;
        Ok(Self { _folder: folder, dispatcher, shop, clock })
    }

    pub fn till(&self) -> Till {
        let (store, shop) = (self.dispatcher.store().clone(), self.shop);
        Till { store, shop, clock: Arc::clone(&self.clock) }
    }

    pub async fn totals(&self) -> Result<SplitTotals> {
        Ok(self.dispatcher.store().split_day(self.shop, DAY.parse()?).await?.shares)
    }

    /// Waits until nothing is pending.
    pub async fn until_all_rest(&self, within: Duration) -> Result<SplitTotals> {
        let until = self.clock.boot() + within;
        while self.clock.boot() < until {
            let totals = self.totals().await?;
            if totals.pending.count == 0 {
                return Ok(totals);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("not all came to an end: {:?}", self.totals().await?)
    }
}

/// Where sales are made.
#[derive(Clone)]
pub struct Till {
    store: Engine,
    shop: StoreNo,
    clock: Arc<dyn Clock>,
}

impl Till {
    /// Prepares and confirms split `n`; how long the preparation took.
    pub async fn pay(self, n: u32) -> Result<Duration> {
        let begun = self.clock.boot();
        let id = format!("S1:{n:06}:receipt:v1");
        let amount = 100 + i64::from(n % 9_973);
        let new = NewSplit {
            store: self.shop,
            id: id.clone(),
            fingerprint: Fingerprint::of(amount.to_string().as_bytes()),
            of: None,
            day: DAY.parse()?,
            amount: Minor(amount),
            currency: "CNY".parse()?,
            paid_at: "2026-11-30T12:00:00Z".parse()?,
            pace: Pace::Till,
            now: self.clock.now(),
        };
        let prepared = self.store.prepare_split(new).await?;
        ensure!(matches!(prepared, Prepared::New(_)), "{prepared:?}");
        let took = self.clock.boot().saturating_sub(begun);
        confirm(&self.store, self.shop, &id, &Cause::itself(self.clock.now(), 0)).await?;
        Ok(took)
    }
}

/// Prints both ledgers, and fails unless they are equal.
pub fn compare(totals: SplitTotals, sums: LedgerSums) -> Result<()> {
    let here = totals.succeeded;
    println!("dispatcher  {:>8} paid  {:>12} minor units", here.count, here.amount_minor);
    println!("bank        {:>8} paid  {:>12} minor units", sums.paid, sums.amount_minor);
    println!(
        "twice {}  missing {}  pending {}  with a person {}",
        sums.twice,
        here.count.abs_diff(sums.paid),
        totals.pending.count,
        totals.manual.count
    );
    let equal = (here.count, here.amount_minor) == (sums.paid, sums.amount_minor);
    ensure!(equal && sums.twice == 0 && sums.queued == 0, "the ledgers differ: {sums:?}");
    Ok(())
}

fn table() -> Result<ShareTable> {
    let share = |party: &str, rate_bp| -> Result<Share> {
        let party = party.parse()?;
        Ok(Share { party, rate_bp, fixed_minor: Minor(0), min_minor: Minor(0), cap_minor: None })
    };
    Ok(ShareTable {
        version: 1,
        valid_from: "2026-01-01T00:00:00Z".parse()?,
        valid_until: None,
        shares: vec![share("platform", 600)?, share("merchant", 9_100)?, share("agent:A7", 300)?],
    })
}
