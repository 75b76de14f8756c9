//! What is confirmed is paid once, whatever gets lost.

use std::sync::Arc;
use std::time::Duration;

use tillroll_dispatcher::bank_sim::BankFaults;
use tillroll_dispatcher::splits::{Cause, NewSplit, Prepared, confirm};
use tillroll_dispatcher::store::Splits as _;
use tillroll_domain::splits::{SplitReason, SplitState, Verb};
use tokio::task::JoinSet;

use super::clock::SkippingClock;
use super::reconciling::pay_there;
use super::world::{World, are_equal, quick};

const SOON: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ledgers_are_equal_though_a_third_of_all_messages_is_lost() {
    let faults = BankFaults {
        jitter_ms: 20,
        lose_requests: 15,
        lose_answers: 15,
        late: 10,
        late_ms: 300,
        busy: 5,
        ..BankFaults::default()
    };
    let clock = Arc::new(SkippingClock::default());
    let world = World::with(faults, quick(), Arc::<SkippingClock>::clone(&clock)).await;
    world.pay(0..300).await;
    // Waits of minutes pass in seconds; calls that are under way meanwhile are given up, and heard late.
    let hurry = async {
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            clock.skip(Duration::from_secs(2));
        }
    };
    let day = tokio::select! {
        day = world.until_all_rest(SOON) => day,
        () = hurry => unreachable!("it never ends"),
    };
    assert_eq!(day.shares.succeeded.count, 300, "{day:?}");
    world.assert_equal(day.shares).await;
    assert!(world.figure("tillroll_split_calls_most").await <= 100);
    assert!(world.figure("tillroll_split_answers_total{answer=\"unanswered\"}").await > 0);
    world.dispatcher.stop().await;
    world.bank.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bank_without_a_memory_is_asked_first_and_pays_once() {
    let faults = BankFaults { lose_answers: 40, without_memory: true, ..BankFaults::default() };
    let world = World::new(faults).await;
    world.pay(0..100).await;
    let day = world.until_all_rest(SOON).await;
    world.assert_equal(day.shares).await;
}

/// The control: beside the dispatcher somebody pays again what was paid, as one does who makes a call anew that had no
/// answer, and asks nobody.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payer_who_pays_again_without_asking_is_found_to_pay_twice() {
    let faults = BankFaults { without_memory: true, ..BankFaults::default() };
    let world = World::new(faults).await;
    world.pay(0..10).await;
    let day = world.until_all_rest(SOON).await;
    world.assert_equal(day.shares).await;
    for n in 0..10 {
        pay_there(&world, &n.to_string(), 100 + n).await;
    }
    let sums = world.sums().await;
    assert!(sums.twice == 10 && !are_equal(&sums, &world.day().await.shares), "{sums:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hundred_copies_of_one_request_are_one_split_and_one_payment() {
    let world = World::new(BankFaults::default()).await;
    let mut copies = JoinSet::new();
    for _ in 0..100 {
        let (store, new) = (world.store().clone(), world.new_split("1", 5_400));
        copies.spawn(async move {
            let (of, cause) = (new.store, Cause::itself(new.now, 0));
            let prepared = store.prepare_split(new).await.unwrap();
            confirm(&store, of, "1", &cause).await.unwrap();
            matches!(prepared, Prepared::New(_))
        });
    }
    let made = copies.join_all().await;
    assert_eq!(made.into_iter().filter(|made| *made).count(), 1);
    let day = world.until_all_rest(SOON).await;
    world.assert_equal(day.shares).await;
    assert_eq!((world.sums().await.paid, world.sums().await.asked), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_split_waits_for_a_person_and_is_paid_once_they_let_it() {
    let frozen = vec!["agent:A7".parse().unwrap()];
    let world = World::new(BankFaults { frozen, ..BankFaults::default() }).await;
    world.pay(1..2).await;
    let refused = world.until("1", SplitState::Manual).await;
    assert_eq!((refused.reason, refused.facts.tries), (Some(SplitReason::Frozen), 1));
    world.bank.set_faults(BankFaults { no_balance: true, ..BankFaults::default() });
    let act = async |verb, note: &str| {
        let (by, note) = ("Li".to_owned(), Some(note.to_owned()));
        world.dispatcher.admin().act_on_split(&world.uid, "1", verb, by, note).await
    };
    act(Verb::Retry, "thawed").await.unwrap();
    for _ in 0..500 {
        if world.split("1").await.reason == Some(SplitReason::NoBalance) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    world.bank.set_faults(BankFaults::default());
    act(Verb::Retry, "filled").await.unwrap();
    let paid = world.until("1", SplitState::Succeeded).await;
    assert!(act(Verb::Cancel, "too late").await.is_err());
    assert_eq!(world.sums().await.paid, 1);
    let history = world.store().split_history(paid.key).await.unwrap();
    assert!(history.iter().any(|change| change.note.as_deref() == Some("thawed")), "{history:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refund_is_paid_after_its_split() {
    let world = World::new(BankFaults::default()).await;
    world.pay(1..2).await;
    world.until("1", SplitState::Succeeded).await;
    let refund = NewSplit { of: Some("1".to_owned()), ..world.new_split("r1", 50) };
    world.prepare(refund).await;
    world.confirm("r1").await;
    world.until("r1", SplitState::Succeeded).await;
    assert_eq!((world.sums().await.paid, world.sums().await.twice), (2, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_under_way_at_a_restart_is_asked_about_and_paid_once() {
    let faults = BankFaults { delay_ms: 400, ..BankFaults::default() };
    let world = World::new(faults).await;
    world.pay(0..20).await;
    let world = world.restart().await;
    world.bank.set_faults(BankFaults::default());
    let day = world.until_all_rest(SOON).await;
    assert_eq!(day.shares.succeeded.count, 20);
    world.assert_equal(day.shares).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn node_on_postgres_pays_once_too() {
    let faults = BankFaults { lose_answers: 20, late: 20, late_ms: 100, ..BankFaults::default() };
    let world = World::on_postgres(faults).await;
    world.pay(0..50).await;
    let day = world.until_all_rest(SOON).await;
    assert_eq!(day.shares.succeeded.count, 50, "{day:?}");
    world.assert_equal(day.shares).await;
    world.dispatcher.stop().await;
}
