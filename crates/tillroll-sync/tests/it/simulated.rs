//! Days in seconds: the workers on a paused clock, with a database that commits on the caller's thread.

use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tillroll_domain::print_job::JobState;
use tillroll_sync::Timings;
use tillroll_testkit::receipts;
use tillroll_wire::channel::{Down, Push, Up};
use tokio::time::{Instant, sleep};

use crate::support::{Fault, Office, Till, start};

const NEVER: Duration = Duration::from_secs(1 << 30);

/// So many sales without a network, one every 20 minutes; when the requests of the way back came.
async fn away_for(sales: u32) -> (Till, Office, Vec<Duration>) {
    let till = Till::in_simulated_time().await;
    let office = Office::new(&till.clock);
    office.cut(true);
    let _cloud = start(&till, &office, Timings::default()).await;
    for n in 1..=sales {
        till.sell(n).await;
        till.print().await;
        sleep(Duration::from_secs(20 * 60)).await;
    }
    assert_eq!(till.waiting().await, i64::from(2 * sales));
    office.state().requests.clear();
    office.cut(false);
    let back = Instant::now();
    let session = office.session().await;
    while till.waiting().await > 0 {
        sleep(Duration::from_millis(10)).await;
    }
    assert!(back.elapsed() < Duration::from_secs(3), "{:?}", back.elapsed());
    assert_eq!(office.state().stored.len(), usize::try_from(2 * sales).unwrap(), "each once");
    // The repair compares the whole time.
    sleep(Duration::from_secs(700)).await;
    let hours = till.store.settled_hours().await.unwrap();
    assert!(hours.agreed > hours.newest, "{hours:?}");
    assert_eq!(office.state().hours_asked, 0, "nothing differs");
    drop(session);
    let requests = office.state().requests.clone();
    (till, office, requests)
}

#[tokio::test(start_paused = true)]
async fn register_that_was_away_for_a_day_is_back_within_seconds() {
    let (_till, office, _) = away_for(72).await;
    assert_eq!(office.state().replayed, [] as [String; 0]);
}

#[tokio::test(start_paused = true)]
async fn simulated_time_repeats_itself() {
    let (till, _, requests) = away_for(6).await;
    assert!(!requests.is_empty());
    drop(till);
    let (_, _, again) = away_for(6).await;
    let spans = |requests: &[Duration]| -> Vec<Duration> {
        requests.windows(2).map(|pair| pair[1] - pair[0]).collect()
    };
    assert_eq!(spans(&requests), spans(&again));
}

#[tokio::test(start_paused = true)]
async fn job_expires_at_its_time_and_not_before() {
    let till = Till::in_simulated_time().await;
    let office = Office::new(&till.clock);
    let _cloud = start(&till, &office, Timings::default()).await;
    let mut session = office.session().await;
    let receipt = receipts::simple(1);
    let id = "S1:R1-000001:receipt:v1".parse().unwrap();
    let push = Push {
        id,
        fingerprint: receipt.fingerprint().unwrap(),
        body: serde_json::to_value(&receipt).unwrap(),
        printer: "front".parse().unwrap(),
        remaining_ms: Some(90_000),
        held: None,
    };
    let id = push.id.clone();
    let began = till.clock.boot();
    session.say(Down::Push(push)).await;
    assert!(matches!(session.heard().await, Up::Accepted { .. }));
    sleep(Duration::from_millis(89_990).saturating_sub(till.clock.boot() - began)).await;
    assert_eq!(till.job(&id).await.state, JobState::Pending);
    sleep(Duration::from_millis(20)).await;
    assert_eq!(till.job(&id).await.state, JobState::Held);
}

#[tokio::test(start_paused = true)]
async fn batch_that_gets_lost_takes_none_with_it_that_is_under_way() {
    let till = Till::in_simulated_time().await;
    let office = Office::new(&till.clock);
    for n in 1..=600 {
        till.sell(n).await;
    }
    office.state().channels_hang = true;
    // The first 500 are lost at once; the other 100 are answered a little later.
    office.fail([Fault::AnswerLost, Fault::Slow(Duration::from_secs(1))]);
    let _cloud = start(&till, &office, Timings { repair_every: NEVER, ..Timings::default() }).await;
    let mut waiting = 600;
    while waiting == 600 {
        sleep(Duration::from_millis(10)).await;
        waiting = till.waiting().await;
    }
    assert_eq!(waiting, 500, "those that were not lost came first");
    while till.waiting().await > 0 {
        sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(office.state().stored.len(), 600, "each once");
}
