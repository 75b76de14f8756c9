//! A hundred registers that sold without a network come back over a cable that loses 30 % of all packets: all their
//! sales arrive, at a rate.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tillroll_testkit::{Noticed, receipts};
use tillroll_tests::asked;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep};

use super::host::{self, Errand, READY, Sales};
use super::namespace::Namespace;
use super::{Cloud, Place, SHOPS, Tills, is_slow};
use crate::folder::in_memory;
use crate::history::History;
use crate::plan::Plan;
use crate::runtime;
use crate::shop::Shop;

/// Packets lost each way, in a hundred.
pub(super) const LOSS: u32 = 30;
/// Sales of each register while it is away, as fast as it can, or spread over so many seconds as are asked for.
const SALES: u32 = 1_000;
const OUTAGE: &str = "TILLROLL_OUTAGE_S";
/// Sales a second that must arrive; published are 500.
pub(super) const RATE: u128 = 5_000;
/// The records of a sale: the receipt, and what became of its paper.
const RECORDS: i64 = 2;
const LOOK: Duration = Duration::from_millis(10);
/// All of it is recorded, and all of it arrives, within this.
const PATIENCE: Duration = Duration::from_secs(180);

/// What the registers report.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sold {
    day: Date,
    /// From the network's return until nothing waited at any register.
    took_ms: u128,
}

#[test]
#[ignore = "minutes, and root: run by make storm-rest"]
fn every_sale_arrives_at_thirty_percent_loss() {
    if is_slow() {
        return;
    }
    let (arrived, took_ms) = runtime().block_on(run()).unwrap();
    let sold = u128::try_from(SHOPS).unwrap() * u128::from(SALES);
    let rate = sold * 1_000 / took_ms.max(1);
    println!("{arrived} of {sold} sales arrived at {LOSS} % loss in {took_ms} ms: {rate} a second");
    assert_eq!(u128::try_from(arrived).unwrap(), sold);
    assert!(rate >= RATE, "{rate} a second");
}

async fn run() -> Result<(i64, u128)> {
    let namespace = Namespace::new()?;
    let folder = in_memory();
    let cloud = Cloud::start(&namespace, &folder.path().join("cloud")).await?;
    let places = cloud.set_up(SHOPS)?;
    let plan = Plan { shops: SHOPS, ..Plan::short(30) };
    let errand =
        Errand { sales: Some(Sales::Away(SALES)), ..cloud.errand(&plan, &places, &folder)? };
    let mut tills = Tills::start(&namespace, &errand)?;
    tills.line_with(READY)?;
    namespace.lose_each_way(LOSS)?;
    let Sold { day, took_ms } = tills.end()?;
    Ok((cloud.receipts(&places, day).await?, took_ms))
}

impl Cloud {
    /// Receipts of a day in all stores' books.
    pub(super) async fn receipts(&self, places: &[Place], day: Date) -> Result<i64> {
        let token = self.token.lock().unwrap().clone();
        let mut receipts = 0;
        for place in places {
            let url = format!("{}/v1/stores/{}/days/{day}", self.url, place.uid);
            let answer = self.client.get(&url).bearer_auth(&token).send().await?;
            let books: Value = answer.error_for_status()?.json().await?;
            for register in books["registers"].as_array().context("no registers")? {
                receipts += register["receipts"].as_i64().context("no receipts")?;
            }
        }
        Ok(receipts)
    }
}

/// Cut off, sells on every register; then connects them all at once and waits until everything has arrived.
pub async fn sell_away(errand: &Errand, sales: u32) -> Sold {
    let shops = host::open_all(errand, &History::new(false)).await;
    for shop in &shops {
        shop.line.cut(Noticed::default());
    }
    let mut selling = JoinSet::new();
    for shop in &shops {
        let shop = Arc::clone(shop);
        selling.spawn(async move { sell(&shop, sales).await });
    }
    selling.join_all().await;
    host::say(READY);
    host::until_told().await;
    let back = Instant::now();
    for shop in &shops {
        shop.line.restore();
    }
    for shop in &shops {
        until(shop, |waiting| waiting == 0).await;
    }
    Sold { day: shops[0].today(), took_ms: back.elapsed().as_millis() }
}

async fn sell(shop: &Arc<Shop>, sales: u32) {
    let away = Duration::from_secs(asked::number(OUTAGE).unwrap_or(0));
    let mut pace = interval((away / sales).max(Duration::from_nanos(1)));
    for number in 1..=sales {
        pace.tick().await;
        shop.sells(&receipts::simple(number)).await;
    }
    until(shop, |waiting| waiting >= RECORDS * i64::from(sales)).await;
}

/// Waits until it is so with what waits at a register.
pub async fn until(shop: &Shop, is_so: impl Fn(i64) -> bool) {
    let began = Instant::now();
    while !is_so(shop.unsent().await) {
        assert!(began.elapsed() < PATIENCE, "shop {}: {} wait", shop.no, shop.unsent().await);
        sleep(LOOK).await;
    }
}
