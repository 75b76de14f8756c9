//! Counters: sales, refunds and stock, together or not at all.

use std::collections::BTreeSet;

use tillroll_dispatcher::counters::{
    AMOUNT_MAX, Change, CounterDay, Counters, Entry, FIGURE_MAX, Figures, LaneSettings, Lanes,
    Movement, NotCounted, Outcome, Request, Shortage, StockChange, Trade, TradeKind,
};
use tillroll_dispatcher::job::StoreNo;
use tillroll_dispatcher::store::{DispatcherStore, StoreError};

use super::world::{World, noon, paired, part, shop};

pub const DAY: &str = "2026-11-30";

pub fn request(id: &str, change: Change) -> Request {
    Request::new(id.to_owned(), DAY.parse().unwrap(), change, noon()).unwrap()
}

pub fn trade(
    kind: TradeKind,
    id: &str,
    register: &str,
    items: &[(&str, i64)],
    amount_minor: i64,
) -> Request {
    let items = items.iter().map(|(sku, quantity)| (part(sku), *quantity)).collect();
    request(id, Change::Trade(Trade { kind, register: part(register), items, amount_minor }))
}

pub fn sale(id: &str, items: &[(&str, i64)], amount_minor: i64) -> Request {
    trade(TradeKind::Sale, id, "R1", items, amount_minor)
}

pub fn refund(id: &str, items: &[(&str, i64)], amount_minor: i64) -> Request {
    trade(TradeKind::Refund, id, "R1", items, amount_minor)
}

pub fn set(id: &str, sku: &str, quantity: i64) -> Request {
    request(id, Change::Stock { sku: part(sku), change: StockChange::Set(quantity) })
}

fn adjust(id: &str, sku: &str, by: i64) -> Request {
    request(id, Change::Stock { sku: part(sku), change: StockChange::Adjust(by) })
}

async fn one<S: Counters + DispatcherStore>(world: &World<S>, request: Request) -> Outcome {
    world.store.count(world.shop.no, vec![request]).await.unwrap().remove(0)
}

pub async fn counted<S: Counters + DispatcherStore>(world: &World<S>, request: Request) -> Entry {
    let outcome = one(world, request).await;
    let Outcome::Counted(entry) = outcome else { panic!("not counted: {outcome:?}") };
    entry
}

async fn day<S: Counters + DispatcherStore>(world: &World<S>) -> CounterDay {
    world.store.counter_day(world.shop.no, DAY.parse().unwrap()).await.unwrap()
}

async fn stock<S: Counters + DispatcherStore>(world: &World<S>, sku: &str) -> Option<i64> {
    world.store.stock(world.shop.no, part(sku)).await.unwrap()
}

pub async fn sale_and_refund_change_stock_figures_and_flow_together<
    S: Counters + DispatcherStore,
>(
    world: &World<S>,
) {
    assert_eq!(stock(world, "soup").await, None);
    counted(world, set("s1", "soup", 10)).await;
    counted(world, set("s2", "tea", 5)).await;
    let sold = counted(world, sale("a", &[("soup", 3), ("tea", 1)], 5_600)).await;
    assert_eq!((sold.flow_no, sold.register_count, sold.register_net_minor), (3, 1, 5_600));
    let left: Vec<_> = sold.moved.iter().map(|of| (of.sku.as_str(), of.by, of.left)).collect();
    assert_eq!(left, [("soup", -3, 7), ("tea", -1, 4)]);
    let back = counted(world, refund("b", &[("soup", 1)], 600)).await;
    assert_eq!((back.flow_no, back.register_count, back.register_net_minor), (4, 2, 5_000));
    assert_eq!((stock(world, "soup").await, stock(world, "tea").await), (Some(8), Some(4)));
    let day = day(world).await;
    let figures = Figures { sales: 1, refunds: 1, gross_minor: 5_600, refunded_minor: 600 };
    assert_eq!(day.last_flow_no, 4);
    assert_eq!((day.registers.len(), &day.registers[0].register), (1, &part("R1")));
    assert_eq!((day.registers[0].figures, day.hours[0].figures), (figures, figures));
    assert_eq!(day.hours[0].hour, tillroll_wire::repair::hour_of(noon()));
    let moved: Vec<_> = day.stock.iter().map(|of| (of.sku.as_str(), of.movement)).collect();
    let soup = Movement { sold: 3, refunded: 1, adjusted: 10 };
    let tea = Movement { sold: 1, refunded: 0, adjusted: 5 };
    assert_eq!(moved, [("soup", soup), ("tea", tea)]);
}

pub async fn same_request_gets_the_stored_answer_and_counts_once<S: Counters + DispatcherStore>(
    world: &World<S>,
) {
    counted(world, set("s", "soup", 10)).await;
    let first = counted(world, sale("a", &[("soup", 2)], 100)).await;
    counted(world, sale("b", &[("soup", 2)], 100)).await;
    let before = day(world).await;
    let later = Request { at: super::world::later(600), ..sale("a", &[("soup", 2)], 100) };
    assert_eq!(one(world, later).await, Outcome::Replayed(first.clone()));
    let both = vec![sale("a", &[("soup", 2)], 100), sale("c", &[("soup", 1)], 50)];
    let outcomes = world.store.count(world.shop.no, both).await.unwrap();
    assert_eq!(outcomes[0], Outcome::Replayed(first));
    assert!(matches!(&outcomes[1], Outcome::Counted(entry) if entry.flow_no == 4), "{outcomes:?}");
    assert_eq!(day(world).await.registers[0].figures.sales, before.registers[0].figures.sales + 1);
    assert_eq!(stock(world, "soup").await, Some(5));
}

pub async fn same_id_with_another_change_conflicts_and_changes_nothing<
    S: Counters + DispatcherStore,
>(
    world: &World<S>,
) {
    let first = counted(world, set("s", "soup", 10)).await;
    for other in [set("s", "soup", 11), set("s", "tea", 10), adjust("s", "soup", 10)] {
        let stored = first.fingerprint;
        assert_ne!(other.fingerprint, stored);
        assert_eq!(one(world, other).await, Outcome::Conflict { stored });
    }
    assert_eq!((stock(world, "soup").await, day(world).await.last_flow_no), (Some(10), 1));
}

pub async fn copies_in_one_batch_and_at_once_count_once<S: Counters + DispatcherStore>(
    world: &World<S>,
) {
    counted(world, set("s", "soup", 10)).await;
    let copies = vec![sale("a", &[("soup", 1)], 1); 3];
    let outcomes = world.store.count(world.shop.no, copies).await.unwrap();
    assert!(matches!(outcomes[0], Outcome::Counted(_)));
    assert!(matches!(outcomes[2], Outcome::Replayed(_)));
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let (store, no) = (world.store.clone(), world.shop.no);
        asking.spawn(async move { store.count(no, vec![sale("b", &[("soup", 1)], 1)]).await });
    }
    let answers: Vec<_> = asking.join_all().await.into_iter().map(Result::unwrap).collect();
    let counted = answers.iter().filter(|answer| matches!(answer[0], Outcome::Counted(_)));
    assert_eq!((counted.count(), stock(world, "soup").await), (1, Some(8)));
}

pub async fn short_stock_changes_nothing_and_names_each_sku<S: Counters + DispatcherStore>(
    world: &World<S>,
) {
    counted(world, set("s", "soup", 3)).await;
    counted(world, set("t", "tea", 3)).await;
    let asked = sale("a", &[("soup", 4), ("tea", 1), ("cake", 2)], 900);
    let short = |sku, there, asked| Shortage { sku: part(sku), there, asked };
    let expected = vec![short("cake", 0, 2), short("soup", 3, 4)];
    assert_eq!(one(world, asked.clone()).await, Outcome::Refused(NotCounted::Short(expected)));
    let outcome = one(world, adjust("b", "soup", -4)).await;
    assert_eq!(outcome, Outcome::Refused(NotCounted::Short(vec![short("soup", 3, 4)])));
    assert_eq!((stock(world, "soup").await, stock(world, "tea").await), (Some(3), Some(3)));
    assert_eq!((day(world).await.last_flow_no, day(world).await.registers.len()), (2, 0));
    counted(world, set("u", "soup", 4)).await;
    counted(world, set("v", "cake", 2)).await;
    counted(world, asked).await;
}

pub async fn figure_that_would_overflow_is_refused<S: Counters + DispatcherStore>(
    world: &World<S>,
) {
    counted(world, set("s", "soup", 1_000)).await;
    let fits = FIGURE_MAX / AMOUNT_MAX;
    let sales = (0..=fits).map(|n| sale(&n.to_string(), &[("soup", 1)], AMOUNT_MAX)).collect();
    let mut outcomes = world.store.count(world.shop.no, sales).await.unwrap();
    let last = outcomes.pop();
    assert_eq!(last, Some(Outcome::Refused(NotCounted::Overflow("gross_minor".into()))));
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Outcome::Counted(_))));
    assert_eq!(stock(world, "soup").await, Some(1_000 - fits));
}

pub async fn stock_is_set_and_adjusted_once_for_each_id<S: Counters + DispatcherStore>(
    world: &World<S>,
) {
    for _ in 0..2 {
        one(world, set("a", "soup", 10)).await;
        one(world, adjust("b", "soup", -3)).await;
        one(world, adjust("c", "soup", 1)).await;
    }
    let set_to = counted(world, set("d", "soup", 5)).await;
    assert_eq!((set_to.moved[0].by, set_to.moved[0].left, set_to.register), (-3, 5, None));
    assert_eq!((stock(world, "soup").await, set_to.flow_no), (Some(5), 4));
}

pub async fn stores_count_apart_and_unknown_ones_are_refused<S: Counters + DispatcherStore>(
    world: &World<S>,
) {
    let second = world.store.add_store(shop(world.tenant, "uid-2", "S2")).await.unwrap();
    paired(&world.store, &second, "R1").await;
    counted(world, set("a", "soup", 10)).await;
    let theirs = world.store.count(second.no, vec![set("a", "soup", 3)]).await.unwrap();
    assert!(matches!(&theirs[0], Outcome::Counted(entry) if entry.flow_no == 1), "{theirs:?}");
    assert_eq!(stock(world, "soup").await, Some(10));
    let unknown = trade(TradeKind::Sale, "b", "R9", &[("soup", 1)], 1);
    let outcome = one(world, unknown).await;
    assert_eq!(outcome, Outcome::Refused(NotCounted::NoRegister(part("R9"))));
    let nowhere = world.store.count(StoreNo(99), vec![set("a", "soup", 1)]).await;
    assert!(matches!(nowhere, Err(StoreError::Refused(_))), "{nowhere:?}");
    let stores = world.store.counted_stores(StoreNo(0), 9).await.unwrap();
    assert_eq!(stores, [world.shop.no, second.no]);
    assert_eq!(world.store.counted_stores(world.shop.no, 9).await.unwrap(), [second.no]);
}

pub async fn crowd_gets_flow_numbers_without_gaps_and_sums_that_hold<
    S: Counters + DispatcherStore,
>(
    world: &World<S>,
) {
    counted(world, set("s", "soup", 1_000)).await;
    let lanes = Lanes::new(world.store.clone(), LaneSettings::default());
    let mut crowd = tokio::task::JoinSet::new();
    for caller in 0..32 {
        let (lanes, no) = (lanes.clone(), world.shop.no);
        let register = if caller % 2 == 0 { "R1" } else { "R2" };
        crowd.spawn(async move {
            let mut numbers = Vec::new();
            for n in 0..10 {
                let id = format!("{caller}-{n}");
                let sale = trade(TradeKind::Sale, &id, register, &[("soup", 2)], 7);
                let outcome = lanes.count(no, sale).await.unwrap();
                let Outcome::Counted(entry) = outcome else { panic!("{outcome:?}") };
                numbers.push(entry.flow_no);
            }
            numbers
        });
    }
    let numbers: BTreeSet<_> = crowd.join_all().await.into_iter().flatten().collect();
    assert_eq!(numbers, (2..=321).collect());
    let day = day(world).await;
    let each: Vec<_> = day.registers.iter().map(|of| of.figures).collect();
    let half = Figures { sales: 160, gross_minor: 1_120, ..Figures::default() };
    assert_eq!((each, stock(world, "soup").await), (vec![half, half], Some(360)));
    let check = world.store.check_counters(world.shop.no, DAY.parse().unwrap()).await.unwrap();
    assert_eq!((check.entries, check.differences), (321, vec![]));
}

pub async fn day_counted_anew_is_the_same_day<S: Counters + DispatcherStore>(world: &World<S>) {
    counted(world, set("s", "soup", 10)).await;
    counted(world, sale("a", &[("soup", 2)], 100)).await;
    counted(world, refund("b", &[("soup", 1)], 50)).await;
    let before = day(world).await;
    world.store.rebuild_counters(world.shop.no, DAY.parse().unwrap()).await.unwrap();
    assert_eq!(day(world).await, before);
    assert_eq!(stock(world, "soup").await, Some(9));
    let empty = world.store.rebuild_counters(world.shop.no, "2026-11-29".parse().unwrap()).await;
    empty.unwrap();
    counted(world, sale("c", &[("soup", 9)], 1)).await;
}
