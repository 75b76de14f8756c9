//! An outage of some seconds while every register sells on: how much reaches the head office, and how soon
//! after the network is back. No packet is lost here beside the outage: with 15 % lost it takes longer.

use std::sync::Arc;
use std::time::Duration;

use tillroll_dispatcher::store::DispatcherStore as _;
use tillroll_testkit::{Noticed, receipts};
use tokio::time::{Instant, sleep};

use crate::plan::Plan;
use crate::report::Times;
use crate::run::{World, simulated};
use crate::shop::Shop;

/// Each register sells so often.
const SALE_EVERY: Duration = Duration::from_secs(1);
/// How often it is looked what still waits.
const LOOK: Duration = Duration::from_millis(5);
/// All of it has to be there by then.
const LIMIT: Duration = Duration::from_secs(60);

/// What an outage came to.
#[derive(Debug)]
pub struct Outage {
    pub sold: usize,
    pub delivered: usize,
    /// From the network's return until the head office had all of a register's sales.
    pub after: Times,
}

/// Cuts every line for so long.
pub fn of(seconds: u64, shops: usize) -> Outage {
    let plan = Plan { shops, lost: 0, ..Plan::short(17) };
    simulated(plan, false, move |world| async move { cut(&world, seconds).await })
}

async fn cut(world: &World, seconds: u64) -> Outage {
    sleep(Duration::from_secs(5)).await;
    for shop in world.shops() {
        shop.line.cut(Noticed::default());
    }
    let mut number = 0;
    for _ in 0..seconds {
        for shop in world.shops() {
            number += 1;
            shop.sells(&receipts::simple(number)).await;
        }
        sleep(SALE_EVERY).await;
    }
    for shop in world.shops() {
        shop.line.restore();
    }
    let back = Instant::now();
    let mut after = Times::default();
    for shop in world.shops() {
        after.0.push(drained(shop, back).await);
    }
    let (sold, delivered) = (number as usize, delivered(world).await);
    Outage { sold, delivered, after }
}

/// Milliseconds until nothing of a register waits.
async fn drained(shop: &Arc<Shop>, back: Instant) -> u64 {
    while shop.unsent().await > 0 {
        assert!(back.elapsed() < LIMIT, "shop {} still has unsent records", shop.no);
        sleep(LOOK).await;
    }
    u64::try_from(back.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Receipts in the head office's books.
async fn delivered(world: &World) -> usize {
    let node = world.cloud().node().unwrap();
    let mut receipts = 0;
    for (shop, place) in world.shops().iter().zip(world.places()) {
        let books = node.store.store_day(place.store, shop.today()).await.unwrap();
        receipts += books.registers.iter().map(|register| register.receipts).sum::<i64>();
    }
    usize::try_from(receipts).unwrap_or_default()
}

#[test]
fn every_sale_of_a_short_outage_arrives_within_two_seconds_of_its_end_when_no_packet_is_lost() {
    for seconds in [1, 10] {
        let outage = of(seconds, 4);
        assert_eq!(outage.delivered, outage.sold, "{outage:?}");
        assert!(outage.after.percentile(99) <= 2_000, "{outage:?}");
    }
}
