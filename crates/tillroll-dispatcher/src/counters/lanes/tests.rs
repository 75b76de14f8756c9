//! Lanes before a store that is played by hand.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use jiff::civil::Date;
use tillroll_domain::ids::Part;
use tokio::sync::Semaphore;

use super::super::{Change, CounterDay, DayCheck, NotCounted, StockChange};
use super::*;

/// Lets a batch through for each permit; a request's id says what becomes of it.
#[derive(Debug, Clone)]
struct Scripted {
    permits: Arc<Semaphore>,
    batches: Arc<Mutex<Vec<usize>>>,
    under_way: Arc<AtomicUsize>,
}

impl Counters for Scripted {
    async fn count(&self, _: StoreNo, requests: Vec<Request>) -> Stored<Vec<Outcome>> {
        assert_eq!(self.under_way.fetch_add(1, SeqCst), 0, "one batch of a store at a time");
        self.permits.acquire().await.unwrap().forget();
        self.under_way.fetch_sub(1, SeqCst);
        self.batches.lock().unwrap().push(requests.len());
        if requests.iter().any(|request| request.id == "panic") {
            panic!("as told");
        }
        if requests.iter().any(|request| request.id == "spoils") {
            return Err(StoreError::Refused("it spoils its batch"));
        }
        if requests.iter().any(|request| request.id == "breaks") {
            return Err(StoreError::OutcomeUnknown("the line broke".into()));
        }
        Ok(requests.iter().map(|_| Outcome::Refused(NotCounted::Day)).collect())
    }

    async fn stock(&self, _: StoreNo, _: Part) -> Stored<Option<i64>> {
        Ok(None)
    }

    async fn counter_day(&self, _: StoreNo, _: Date) -> Stored<CounterDay> {
        Err(StoreError::Refused("not asked for here"))
    }

    async fn check_counters(&self, _: StoreNo, _: Date) -> Stored<DayCheck> {
        Err(StoreError::Refused("not asked for here"))
    }

    async fn rebuild_counters(&self, _: StoreNo, _: Date) -> Stored<()> {
        Ok(())
    }

    async fn counted_stores(&self, _: StoreNo, _: u32) -> Stored<Vec<StoreNo>> {
        Ok(Vec::new())
    }
}

fn lanes(settings: LaneSettings) -> Lanes<Scripted> {
    let (permits, batches) = (Arc::new(Semaphore::new(0)), Arc::default());
    Lanes::new(Scripted { permits, batches, under_way: Arc::default() }, settings)
}

fn request(id: &str) -> Request {
    let change = Change::Stock { sku: "soup".parse().unwrap(), change: StockChange::Set(1) };
    let at = "2026-11-30T12:00:00Z".parse().unwrap();
    Request::new(id.to_owned(), "2026-11-30".parse().unwrap(), change, at).unwrap()
}

type Asking = tokio::task::JoinHandle<Stored<Outcome>>;

/// Asks, and waits until the request is in its line or its batch.
async fn ask(lanes: &Lanes<Scripted>, id: &str) -> Asking {
    let (lanes, request) = (lanes.clone(), request(id));
    let asking = tokio::spawn(async move { lanes.count(StoreNo(1), request).await });
    for _ in 0..5 {
        tokio::task::yield_now().await;
    }
    asking
}

#[tokio::test]
async fn those_who_come_meanwhile_share_the_next_batch() {
    let lanes = lanes(LaneSettings { batch: 3, waiting: 9 });
    let mut asking = Vec::new();
    for n in 0..6 {
        asking.push(ask(&lanes, &n.to_string()).await);
    }
    lanes.store.permits.add_permits(9);
    for asking in asking {
        asking.await.unwrap().unwrap();
    }
    assert_eq!(*lanes.store.batches.lock().unwrap(), [1, 3, 2]);
    tokio::task::yield_now().await;
    assert!(lanes.lines().is_empty(), "a store nobody asks about is forgotten");
}

#[tokio::test]
async fn full_line_is_unavailable_and_takes_again_later() {
    let lanes = lanes(LaneSettings { batch: 1, waiting: 2 });
    let waiting = [ask(&lanes, "0").await, ask(&lanes, "1").await, ask(&lanes, "2").await];
    let refused = ask(&lanes, "3").await.await.unwrap();
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    lanes.store.permits.add_permits(9);
    for waiting in waiting {
        waiting.await.unwrap().unwrap();
    }
    ask(&lanes, "3").await.await.unwrap().unwrap();
}

#[tokio::test]
async fn failed_batch_is_told_to_each_and_a_spoiler_hurts_itself_alone() {
    let lanes = lanes(LaneSettings::default());
    let first = ask(&lanes, "first").await;
    let broken = [ask(&lanes, "a").await, ask(&lanes, "breaks").await];
    lanes.store.permits.add_permits(2);
    for broken in broken {
        let answer = broken.await.unwrap();
        assert!(matches!(answer, Err(StoreError::OutcomeUnknown(_))), "{answer:?}");
    }
    first.await.unwrap().unwrap();
    let held = ask(&lanes, "held").await;
    let (good, bad) = (ask(&lanes, "good").await, ask(&lanes, "spoils").await);
    lanes.store.permits.add_permits(9);
    held.await.unwrap().unwrap();
    good.await.unwrap().unwrap();
    let answer = bad.await.unwrap();
    assert!(matches!(answer, Err(StoreError::Refused(_))), "{answer:?}");
}

#[tokio::test]
async fn panic_leaves_nobody_waiting_and_the_lane_open() {
    let lanes = lanes(LaneSettings::default());
    let first = ask(&lanes, "panic").await;
    let second = ask(&lanes, "waits").await;
    lanes.store.permits.add_permits(9);
    for lost in [first, second] {
        let answer = lost.await.unwrap();
        assert!(matches!(answer, Err(StoreError::OutcomeUnknown(_))), "{answer:?}");
    }
    ask(&lanes, "later").await.await.unwrap().unwrap();
}
