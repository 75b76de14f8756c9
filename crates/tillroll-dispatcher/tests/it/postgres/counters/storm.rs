//! Operations from many clients while connections are killed, answers are lost and the server is restarted; judged by
//! what the clients were told, entry by entry.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::{Duration, Instant};

use tillroll_dispatcher::counters::{
    Counters, Entry, EntryKind, LaneSettings, Lanes, NotCounted, Outcome, Request, TradeKind,
};
use tillroll_dispatcher::job::StoreNo;
use tillroll_dispatcher::postgres::PostgresStore;
use tillroll_dispatcher::store::{StoreError, Stored};
use tillroll_testkit::{Dice, PostgresServer};

use super::super::{connect, world};
use crate::conformance::counters::{DAY, counted, set, trade};

const CLIENTS: u32 = 64;
/// Longer than any answer takes, outages included.
const PATIENCE: Duration = Duration::from_secs(60);
/// Far more than is sold, and far less.
const STOCK: [(&str, i64); 3] = [("soup", 900_000_000), ("tea", 900_000_000), ("cake", 500)];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_thousand_operations_with_faults_sum_up_exactly() {
    println!("{}", storm(5_000).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes"]
async fn hundred_thousand_operations_with_faults_sum_up_exactly() {
    println!("{}", storm(100_000).await);
}

/// What became of all operations.
#[derive(Debug, Default)]
struct Heard {
    entries: Vec<Entry>,
    short: u32,
    asked_again: u32,
}

/// How it went, for people.
async fn storm(operations: u32) -> String {
    let (world, mut server) = world().await;
    for (sku, quantity) in STOCK {
        counted(&world, set(&format!("set {sku}"), sku, quantity)).await;
    }
    let lanes = Lanes::new(world.store.clone(), LaneSettings::default());
    let done = Arc::new(AtomicU32::new(0));
    let began = Instant::now();
    let mut clients = tokio::task::JoinSet::new();
    for client in 0..CLIENTS {
        let client = Client {
            lanes: lanes.clone(),
            store: world.shop.no,
            name: client,
            dice: Dice::new(u64::from(client)),
            done: Arc::clone(&done),
        };
        clients.spawn(client.run(operations.div_ceil(CLIENTS)));
    }
    break_things(&mut server, &done, operations).await;
    let mut heard = Heard::default();
    for one in clients.join_all().await {
        heard.entries.extend(one.entries);
        heard.short += one.short;
        heard.asked_again += one.asked_again;
    }
    let (count, rate) = (heard.entries.len(), f64::from(done.load(SeqCst)));
    let told = format!(
        "{count} counted, {} short, {} asked again, {:.0}/s",
        heard.short,
        heard.asked_again,
        rate / began.elapsed().as_secs_f64()
    );
    assert!(heard.short > 0 && heard.asked_again > 0, "nothing went wrong: {heard:?}");
    judge(&world.store, world.shop.no, heard).await;
    told
}

/// One client: it asks again with the same id until it is told.
struct Client {
    lanes: Lanes<PostgresStore>,
    store: StoreNo,
    name: u32,
    dice: Dice,
    done: Arc<AtomicU32>,
}

impl Client {
    async fn run(mut self, operations: u32) -> Heard {
        let mut heard = Heard::default();
        for n in 0..operations {
            let request = self.operation(n);
            match self.until_told(&request, &mut heard).await {
                Outcome::Counted(entry) | Outcome::Replayed(entry) => heard.entries.push(entry),
                Outcome::Refused(NotCounted::Short(short)) => {
                    assert!(short.iter().all(|of| of.there < of.asked), "{short:?}");
                    heard.short += 1;
                }
                wrong @ (Outcome::Conflict { .. } | Outcome::Refused(_)) => panic!("{wrong:?}"),
            }
            self.done.fetch_add(1, SeqCst);
        }
        heard
    }

    fn operation(&mut self, n: u32) -> Request {
        let kind = if self.dice.per_mille(100) { TradeKind::Refund } else { TradeKind::Sale };
        let quantity = self.dice.below(3) as i64 + 1;
        let sku = match self.dice.below(10) {
            0 => "cake",
            1..5 => "tea",
            _ => "soup",
        };
        let mut items = vec![(sku, quantity)];
        if sku != "soup" {
            items.push(("soup", 1));
        }
        let register = if self.name.is_multiple_of(2) { "R1" } else { "R2" };
        trade(kind, &format!("{}-{n}", self.name), register, &items, quantity * 1_250)
    }

    /// Some answers are lost on their way: the client cannot tell, and asks again.
    async fn until_told(&mut self, request: &Request, heard: &mut Heard) -> Outcome {
        let began = Instant::now();
        loop {
            let answer = self.lanes.count(self.store, request.clone()).await;
            let is_lost = self.dice.per_mille(20);
            match answer {
                Ok(outcome) if !is_lost => return outcome,
                Ok(_) => {}
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
            heard.asked_again += 1;
            assert!(began.elapsed() < PATIENCE, "nobody answers {request:?}");
        }
    }
}

/// Kills the store's connections all the while, and the server once, in the middle.
async fn break_things(server: &mut PostgresServer, done: &AtomicU32, operations: u32) {
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND application_name = 'tillroll-dispatcher'";
    let mut killer = connect(server).await;
    let mut is_restarted = false;
    while done.load(SeqCst) < operations {
        tokio::time::sleep(Duration::from_millis(150)).await;
        if !is_restarted && done.load(SeqCst) > operations / 2 {
            is_restarted = true;
            server.crash_and_restart();
            killer = connect(server).await;
        }
        killer.batch_execute(cut).await.unwrap();
    }
    assert!(is_restarted);
}

/// Everything the clients were told, and nothing else, stands in the store.
async fn judge(store: &PostgresStore, no: StoreNo, mut heard: Heard) {
    let day = DAY.parse().unwrap();
    heard.entries.sort_unstable_by_key(|entry| entry.flow_no);
    let first = STOCK.len() as i64 + 1;
    let numbers = heard.entries.iter().map(|entry| entry.flow_no);
    let expected = first..first + heard.entries.len() as i64;
    assert!(numbers.eq(expected), "flow numbers without gap or double");
    let mut left: BTreeMap<_, _> = STOCK.map(|(sku, of)| (sku.to_owned(), of)).into();
    let mut sums: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
    for entry in &heard.entries {
        for moved in &entry.moved {
            let stock = left.get_mut(moved.sku.as_str()).unwrap();
            *stock += moved.by;
            assert_eq!(*stock, moved.left, "{entry:?}");
        }
        let sum = sums.entry(entry.register.unwrap()).or_default();
        let is_refund = entry.kind == EntryKind::Refund;
        sum.0 += 1;
        sum.1 += if is_refund { -entry.amount_minor } else { entry.amount_minor };
        assert_eq!((entry.register_count, entry.register_net_minor), *sum, "{entry:?}");
    }
    let kept = told(async || store.counter_day(no, day).await).await;
    let of_day: Vec<_> = kept
        .registers
        .iter()
        .map(|of| of.figures)
        .map(|of| (of.sales + of.refunds, of.gross_minor - of.refunded_minor))
        .collect();
    assert_eq!(of_day, sums.into_values().collect::<Vec<_>>());
    for (sku, left) in left {
        let stock = told(async || store.stock(no, sku.parse().unwrap()).await).await;
        assert_eq!(stock, Some(left), "{sku}");
    }
    let check = told(async || store.check_counters(no, day).await).await;
    assert_eq!((check.found, check.differences), (0, vec![]));
    assert_eq!(kept.last_flow_no, first + heard.entries.len() as i64 - 1);
}

/// An answer of the store, asked again where a connection is gone: the last ones killed are found out only now.
async fn told<T>(ask: impl AsyncFn() -> Stored<T>) -> T {
    let began = Instant::now();
    loop {
        match ask().await {
            Ok(answer) => return answer,
            Err(StoreError::Unavailable(_)) if began.elapsed() < PATIENCE => {}
            Err(error) => panic!("{error}"),
        }
    }
}
