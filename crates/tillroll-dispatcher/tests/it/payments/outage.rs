//! A long outage, and what waits when it ends.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tillroll_dispatcher::bank_sim::BankFaults;

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
