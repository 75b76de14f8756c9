//! Counters that were meddled with, and how fast they count.

use std::time::Instant;

use tillroll_dispatcher::counters::{Compared, Counters, DayCheck, LaneSettings, Lanes, Outcome};
use tillroll_dispatcher::sqlite::{SqliteOptions, SqliteStore};

use super::{connect, world};
use crate::conformance::counters::{DAY, counted, sale, set};
use crate::conformance::world::World;

async fn check(world: &World<SqliteStore>) -> DayCheck {
    world.store.check_counters(world.shop.no, DAY.parse().unwrap()).await.unwrap()
}

/// The text of a comparison: what, of which, figure, counter, ledger.
fn told(check: &DayCheck) -> Vec<String> {
    let line = |one: &tillroll_dispatcher::counters::Difference| {
        let word = one.compared.as_str();
        format!("{word} {} {} {} {}", one.name, one.figure, one.counter, one.ledger)
    };
    check.differences.iter().map(line).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_meddling_is_found_and_what_is_not_the_ledger_is_counted_anew() {
    let (world, folder) = world(SqliteOptions::default()).await;
    counted(&world, set("s", "soup", 10)).await;
    for n in 0..4 {
        counted(&world, sale(&n.to_string(), &[("soup", 1)], 100)).await;
    }
    assert_eq!(told(&check(&world).await), [] as [String; 0]);
    let meddler = connect(&folder);
    meddler
        .execute_batch(
            "UPDATE counter_days SET gross_minor = gross_minor - 1;
             UPDATE counter_hours SET sales = 9;
             UPDATE stock SET quantity = 7;
             UPDATE stock_days SET sold = 5",
        )
        .unwrap();
    let found = check(&world).await;
    let hour = "2026-11-30T12:00:00Z";
    assert_eq!(
        told(&found),
        [
            "register R1 gross_minor 399 400".to_owned(),
            format!("hour R1 {hour} sales 9 4"),
            "movement soup sold 5 4".to_owned(),
            "stock soup stock 7 5".to_owned(),
        ]
    );
    assert_eq!((found.found, found.flow_gap, found.stock_differences), (4, 0, 1));
    world.store.rebuild_counters(world.shop.no, DAY.parse().unwrap()).await.unwrap();
    assert_eq!(told(&check(&world).await), [] as [String; 0]);
    meddler.execute_batch("DELETE FROM counter_ledger WHERE flow_no IN (1, 3)").unwrap();
    let found = check(&world).await;
    let gaps: Vec<_> =
        found.differences.iter().filter(|one| one.compared == Compared::Flow).collect();
    assert_eq!(gaps.iter().map(|gap| gap.name.as_str()).collect::<Vec<_>>(), ["1..1", "3..3"]);
    assert_eq!(found.flow_gap, 2);
    meddler.execute_batch("DELETE FROM counter_ledger WHERE flow_no = 5").unwrap();
    assert_eq!(check(&world).await.flow_gap, 3, "the last one is missing too");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn speed_of_counting_from_32_callers() {
    let (world, _folder) = world(SqliteOptions::default()).await;
    counted(&world, set("s", "soup", 999_999_999)).await;
    let lanes = Lanes::new(world.store.clone(), LaneSettings::default());
    for callers in [1, 32, 128] {
        let began = Instant::now();
        let mut crowd = tokio::task::JoinSet::new();
        for caller in 0..callers {
            let (lanes, no) = (lanes.clone(), world.shop.no);
            crowd.spawn(async move {
                for n in 0..1_000 {
                    let sale = sale(&format!("{callers}-{caller}-{n}"), &[("soup", 1)], 100);
                    let outcome = lanes.count(no, sale).await.unwrap();
                    assert!(matches!(outcome, Outcome::Counted(_)));
                }
            });
        }
        crowd.join_all().await;
        let rate = f64::from(callers * 1_000) / began.elapsed().as_secs_f64();
        println!("count, {callers} callers: {rate:.0}/s");
    }
}
