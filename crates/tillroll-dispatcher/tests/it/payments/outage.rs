//! A long outage, what waits when it ends, and how much of it goes at a time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tillroll_dispatcher::bank_sim::BankFaults;
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::payments::PaymentSettings;

use super::clock::SkippingClock;
use super::world::{World, quick};

/// Half an hour in steps of 30 s, each of which gives the dispatcher the time of some looks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backlog_of_half_an_hour_is_paid_within_seconds_of_its_end() {
    let clock = Arc::new(SkippingClock::default());
    let down = BankFaults { down: true, ..BankFaults::default() };
    let world = World::with(down, quick(), Arc::<SkippingClock>::clone(&clock)).await;
    world.pay(0..200).await;
    for _ in 0..60 {
        clock.skip(Duration::from_secs(30));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(world.day().await.shares.pending.count, 200);
    let end = Instant::now();
    world.bank.set_faults(BankFaults::default());
    let day = world.until_all_rest(Duration::from_secs(10)).await;
    assert!(end.elapsed() < Duration::from_secs(10), "{:?}", end.elapsed());
    assert_eq!(day.shares.succeeded.count, 200);
    world.assert_equal(day.shares).await;
}

/// However much waits, the channel has no more calls to answer at a time than was agreed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_under_way_never_exceed_their_limit() {
    let faults = BankFaults { delay_ms: 20, lose_answers: 30, ..BankFaults::default() };
    let settings = PaymentSettings { at_once: 5, ..quick() };
    let world = World::with(faults, settings, Arc::new(SystemClock)).await;
    world.pay(0..60).await;
    world.until_all_rest(Duration::from_secs(60)).await;
    assert_eq!(world.figure("tillroll_split_calls_most").await, 5);
}
