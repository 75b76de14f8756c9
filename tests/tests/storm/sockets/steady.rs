//! A hundred registers that sell all the while over a cable that loses 30 % of all packets: what they sell arrives as
//! fast as it is sold. Their printers are paused: paper is another matter.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_testkit::receipts;
use tillroll_tests::figures::{Bar, Findings, Sheet};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::host::{self, Errand, READY, Sales};
use super::namespace::Namespace;
use super::sales::{LOSS, RATE, until};
use super::{Cloud, SHOPS, Tills, is_slow};
use crate::folder::in_memory;
use crate::history::History;
use crate::plan::Plan;
use crate::runtime;
use crate::shop::Shop;

/// Sales of a register in a turn, all at once, ...
const AT_ONCE: u32 = 10;
/// ... which begins so often, ...
const TURN: Duration = Duration::from_millis(200);
/// ... for 30 s.
const TURNS: u32 = 150;
/// After the last sale everything has arrived within this.
const LAST_WITHIN_MS: u128 = 20_000;

/// What the registers report.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sold {
    day: Date,
    /// From the first sale to the last.
    sold_in_ms: u128,
    /// Sales that had not arrived, over all registers, ten times in equal parts of that time.
    waiting: Vec<i64>,
    /// From the last sale until nothing waited at nine registers in ten, and at any.
    most_after_ms: u128,
    all_after_ms: u128,
}

#[test]
#[ignore = "a minute, and root: run by make storm-rest"]
fn sales_arrive_as_fast_as_they_are_made_at_thirty_percent_loss() {
    if is_slow() {
        return;
    }
    let (arrived, seen) = runtime().block_on(run()).unwrap();
    let sold = u128::try_from(SHOPS).unwrap() * u128::from(AT_ONCE * TURNS);
    let rate = sold * 1_000 / seen.sold_in_ms;
    println!(
        "{arrived} of {sold} sales arrived at {LOSS} % loss, sold at {rate} a second: {seen:?}"
    );
    measured(rate, sold, arrived).keep().unwrap();
    assert_eq!(u128::try_from(arrived).unwrap(), sold);
    assert!(seen.all_after_ms <= LAST_WITHIN_MS, "{seen:?}");
    assert!(rate >= RATE * 99 / 100, "{rate} a second");
}

/// For the summary of the benches.
#[expect(clippy::cast_precision_loss, reason = "sales of half a minute")]
fn measured(rate: u128, sold: u128, arrived: i64) -> Sheet {
    let rate = Bar::at_least(format!("sales a second at {LOSS} % loss"), RATE as f64, rate as f64);
    let arrived = Bar::at_least("of them arrived, %", 100.0, arrived as f64 * 100.0 / sold as f64);
    let bars = [rate.aim(10_000.0).peer("published 500"), arrived];
    Sheet::of("storm", "steady", Findings::default().bars(bars))
}

async fn run() -> Result<(i64, Sold)> {
    let namespace = Namespace::new()?;
    let folder = in_memory();
    let cloud = Cloud::start(&namespace, &folder.path().join("cloud")).await?;
    let places = cloud.set_up(SHOPS)?;
    let plan = Plan { shops: SHOPS, ..Plan::short(30) };
    let sales = Some(Sales::Steadily { turns: TURNS });
    let errand = Errand { sales, ..cloud.errand(&plan, &places, &folder)? };
    let mut tills = Tills::start(&namespace, &errand)?;
    tills.line_with(READY)?;
    namespace.lose_each_way(LOSS)?;
    let seen: Sold = tills.end()?;
    Ok((cloud.receipts(&places, seen.day).await?, seen))
}

/// Sells at every register for so many turns; then waits until everything has arrived.
pub async fn sell(errand: &Errand, turns: u32) -> Sold {
    let shops = host::open_all(errand, &History::new(false)).await;
    for shop in &shops {
        shop.pauses().await;
    }
    host::say(READY);
    host::until_told().await;
    let began = Instant::now();
    let mut selling = JoinSet::new();
    for shop in &shops {
        selling.spawn(turns_of(Arc::clone(shop), turns));
    }
    let waiting = watch(&shops, turns).await;
    selling.join_all().await;
    let ended = Instant::now();
    let mut after = all_arrived(&shops, ended).await;
    after.sort_unstable();
    Sold {
        day: shops[0].today(),
        sold_in_ms: (ended - began).as_millis(),
        waiting,
        most_after_ms: after[after.len() * 9 / 10 - 1],
        all_after_ms: after[after.len() - 1],
    }
}

async fn turns_of(shop: Arc<Shop>, turns: u32) {
    let mut turn = interval(TURN);
    turn.set_missed_tick_behavior(MissedTickBehavior::Burst);
    for number in 0..turns {
        turn.tick().await;
        let sales = (1..=AT_ONCE).map(|sale| receipts::simple(number * AT_ONCE + sale));
        let mut selling = JoinSet::new();
        for receipt in sales {
            let shop = Arc::clone(&shop);
            selling.spawn(async move { shop.sells(&receipt).await });
        }
        selling.join_all().await;
    }
}

/// What waits, ten times.
async fn watch(shops: &[Arc<Shop>], turns: u32) -> Vec<i64> {
    let mut look = interval(TURN * turns / 10);
    look.tick().await;
    let mut seen = Vec::new();
    for _ in 0..10 {
        look.tick().await;
        let mut waiting = 0;
        for shop in shops {
            waiting += shop.unsent().await;
        }
        seen.push(waiting);
    }
    seen
}

/// How long after the last sale everything of each register had arrived.
async fn all_arrived(shops: &[Arc<Shop>], ended: Instant) -> Vec<u128> {
    let mut arriving = JoinSet::new();
    for shop in shops {
        let shop = Arc::clone(shop);
        arriving.spawn(async move {
            until(&shop, |waiting| waiting == 0).await;
            ended.elapsed().as_millis()
        });
    }
    arriving.join_all().await
}
