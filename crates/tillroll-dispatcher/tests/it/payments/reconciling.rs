//! Both sides compared: what one of them misses is repaired under the same id.

use std::sync::Arc;
use std::time::Duration;

use tillroll_dispatcher::bank_sim::BankFaults;
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::payments::{
    HttpChannel, Payment, PaymentChannel as _, PaymentId, Seal, Told,
};
use tillroll_dispatcher::schedule::SteadyClock;
use tillroll_domain::money::Minor;
use tillroll_domain::splits::{SplitReason, SplitState};

use super::world::{SECRET, World};

/// Pays at the bank past the dispatcher.
pub async fn pay_there(world: &World, id: &str, amount: i64) {
    let clock = SteadyClock::new(Arc::new(SystemClock));
    let address = format!("http://{}", world.bank.address());
    let channel = HttpChannel::at(&address, Seal::of(SECRET).unwrap(), clock).unwrap();
    let parts = vec![tillroll_domain::splits::PartyAmount {
        party: "merchant".parse().unwrap(),
        amount_minor: Minor(amount),
    }];
    let payment = Payment {
        id: PaymentId { store: world.shop, split: id.to_owned() },
        of: None,
        amount: Minor(amount),
        currency: "CNY".to_owned(),
        parts,
        try_no: 1,
        live: true,
    };
    let told = channel.pay(payment, Duration::from_secs(3)).await.unwrap();
    assert_eq!(told, Told::Paid(Minor(amount)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_bank_alone_knows_is_paid_here_too() {
    let world = World::new(BankFaults::default()).await;
    world.prepare(world.new_split("1", 500)).await;
    pay_there(&world, "1", 500).await;
    let round = world.compare().await.unwrap();
    assert_eq!((round.there, round.repairs, round.differences), (1, 1, 0));
    assert_eq!(world.split("1").await.facts.state, SplitState::Succeeded);
    let again = world.compare().await.unwrap();
    assert_eq!((again.repairs, again.here), (0, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_bank_lost_is_paid_again_under_the_same_id() {
    let world = World::new(BankFaults::default()).await;
    world.pay(0..5).await;
    world.until_all_rest(Duration::from_secs(20)).await;
    let world = world.lose_bank().await;
    // A connection to the first bank may be tried once more.
    let round = match world.compare().await {
        Ok(round) => round,
        Err(_) => world.compare().await.unwrap(),
    };
    assert_eq!((round.here, round.repairs), (5, 5), "{round:?}");
    let day = world.until_all_rest(Duration::from_secs(20)).await;
    world.assert_equal(day.shares).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn amount_that_differs_and_payment_of_nobody_are_told() {
    let world = World::new(BankFaults::default()).await;
    world.prepare(world.new_split("1", 500)).await;
    pay_there(&world, "1", 499).await;
    pay_there(&world, "unheard", 7).await;
    let round = world.compare().await.unwrap();
    assert_eq!((round.repairs, round.differences, round.foreign), (0, 1, 1));
    let split = world.split("1").await;
    assert_eq!(split.facts.state, SplitState::Manual);
    assert_eq!(split.reason, Some(SplitReason::AmountDiffers));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn id_with_another_amount_at_the_bank_goes_to_a_person() {
    let world = World::new(BankFaults::default()).await;
    pay_there(&world, "1", 99).await;
    world.pay(1..2).await;
    let split = world.until("1", SplitState::Manual).await;
    assert_eq!(split.reason, Some(SplitReason::AmountDiffers));
    assert_eq!(world.sums().await.paid, 1);
}
