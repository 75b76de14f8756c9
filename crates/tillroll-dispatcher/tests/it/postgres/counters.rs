//! Counters under faults, meddled with, and over several nodes.

mod storm;

use std::collections::BTreeSet;

use tillroll_dispatcher::counters::{Counters, LaneSettings, Lanes, Outcome};

use super::{connect, node, world};
use crate::conformance::counters::{DAY, counted, sale, set};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn meddling_is_found_and_the_day_is_counted_anew() {
    let (world, server) = world().await;
    counted(&world, set("s", "soup", 10)).await;
    for n in 0..4 {
        counted(&world, sale(&n.to_string(), &[("soup", 1)], 100)).await;
    }
    let (no, day) = (world.shop.no, DAY.parse().unwrap());
    assert_eq!(world.store.check_counters(no, day).await.unwrap().found, 0);
    let meddler = connect(&server).await;
    let meddling = "UPDATE counter_days SET gross_minor = gross_minor - 1;
        UPDATE counter_hours SET sales = 9; UPDATE stock SET quantity = 7;
        UPDATE stock_days SET sold = 5";
    meddler.batch_execute(meddling).await.unwrap();
    let found = world.store.check_counters(no, day).await.unwrap();
    assert_eq!((found.found, found.flow_gap, found.stock_differences), (4, 0, 1), "{found:?}");
    world.store.rebuild_counters(no, day).await.unwrap();
    assert_eq!(world.store.check_counters(no, day).await.unwrap().found, 0);
    let gone = "DELETE FROM counter_ledger WHERE flow_no IN (1, 3, 5)";
    meddler.batch_execute(gone).await.unwrap();
    assert_eq!(world.store.check_counters(no, day).await.unwrap().flow_gap, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flow_numbers_have_no_gap_and_no_double_across_nodes() {
    let (world, server) = world().await;
    counted(&world, set("s", "soup", 1_000)).await;
    let other = node(&server).await;
    let lanes =
        [world.store.clone(), other].map(|store| Lanes::new(store, LaneSettings::default()));
    let mut crowd = tokio::task::JoinSet::new();
    for n in 0..200_usize {
        let (lanes, no) = (lanes[n % 2].clone(), world.shop.no);
        let sale = sale(&n.to_string(), &[("soup", 1)], 1);
        crowd.spawn(async move { lanes.count(no, sale).await.unwrap() });
    }
    let number = |outcome| {
        let Outcome::Counted(entry) = outcome else { panic!("{outcome:?}") };
        entry.flow_no
    };
    let numbers: BTreeSet<_> = crowd.join_all().await.into_iter().map(number).collect();
    assert_eq!(numbers, (2..=201).collect());
}

/// No row is written, so no transaction takes a number of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replay_writes_nothing() {
    let (world, server) = world().await;
    counted(&world, set("s", "soup", 10)).await;
    let client = connect(&server).await;
    let written = "SELECT pg_current_wal_insert_lsn()::text";
    let before: String = client.query_one(written, &[]).await.unwrap().get(0);
    for _ in 0..10 {
        let again = world.store.count(world.shop.no, vec![set("s", "soup", 10)]).await.unwrap();
        assert!(matches!(again[0], Outcome::Replayed(_)), "{again:?}");
    }
    let after: String = client.query_one(written, &[]).await.unwrap().get(0);
    assert_eq!(before, after);
}
