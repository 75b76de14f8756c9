//! Batches beside a model that counts one request at a time, and the edges.

use std::collections::BTreeMap;

use jiff::Timestamp;
use proptest::prelude::*;

use super::*;

fn part(text: &str) -> Part {
    text.parse().unwrap()
}

fn noon() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

fn request(id: &str, day: &str, change: Change) -> Request {
    Request::new(id.to_owned(), day.parse().unwrap(), change, noon()).unwrap()
}

fn trade(kind: TradeKind, sku: &str, quantity: i64, amount_minor: i64) -> Change {
    let items = BTreeMap::from([(part(sku), quantity)]);
    Change::Trade(Trade { kind, register: part("R1"), items, amount_minor })
}

fn sale(id: &str, quantity: i64, amount_minor: i64) -> Request {
    request(id, "2026-11-30", trade(TradeKind::Sale, "soup", quantity, amount_minor))
}

fn set(id: &str, quantity: i64) -> Request {
    let change = Change::Stock { sku: part("soup"), change: StockChange::Set(quantity) };
    request(id, "2026-11-30", change)
}

fn empty() -> Before {
    Before { registers: HashMap::from([(part("R1"), 1)]), ..Before::default() }
}

fn refused(outcome: Outcome) -> NotCounted {
    let Outcome::Refused(why) = outcome else { panic!("{outcome:?}") };
    why
}

#[test]
fn short_stock_changes_nothing_and_names_what_is_there() {
    let mut tally = Tally::new(empty());
    assert!(matches!(tally.count(&set("a", 3)), Outcome::Counted(_)));
    let short = Shortage { sku: part("soup"), there: 3, asked: 4 };
    assert_eq!(refused(tally.count(&sale("b", 4, 100))), NotCounted::Short(vec![short]));
    let Outcome::Counted(entry) = tally.count(&sale("b", 3, 100)) else { panic!() };
    assert_eq!((entry.flow_no, entry.moved[0].left), (2, 0), "a refusal takes no number");
    let adjust = Change::Stock { sku: part("soup"), change: StockChange::Adjust(-1) };
    let taken = tally.count(&request("c", "2026-11-30", adjust));
    assert!(matches!(refused(taken), NotCounted::Short(_)));
}

#[test]
fn figure_past_its_end_is_refused_by_its_name() {
    let full = Figures { gross_minor: FIGURE_MAX - 1, ..Figures::default() };
    let day = "2026-11-30".parse().unwrap();
    let mut tally = Tally::new(Before {
        stock: HashMap::from([(part("soup"), 9), (part("tea"), FIGURE_MAX)]),
        days: HashMap::from([((day, 1), full)]),
        ..empty()
    });
    assert_eq!(refused(tally.count(&sale("a", 1, 2))), NotCounted::Overflow("gross_minor".into()));
    let back = request("b", "2026-11-30", trade(TradeKind::Refund, "tea", 1, 0));
    assert_eq!(refused(tally.count(&back)), NotCounted::Overflow("tea".into()));
    assert!(matches!(tally.count(&sale("a", 1, 1)), Outcome::Counted(_)));
    let mut tally = Tally::new(Before { last_flow_no: FIGURE_MAX, ..empty() });
    assert_eq!(refused(tally.count(&set("a", 1))), NotCounted::Overflow("flow_no".into()));
}

#[test]
fn day_far_away_and_register_unknown_are_refused() {
    let mut tally =
        Tally::new(Before { stock: HashMap::from([(part("soup"), 9)]), ..Before::default() });
    assert_eq!(refused(tally.count(&sale("a", 1, 1))), NotCounted::NoRegister(part("R1")));
    for (day, counts) in
        [("2026-10-25", false), ("2026-10-26", true), ("2026-12-02", true), ("2026-12-03", false)]
    {
        let change = Change::Stock { sku: part("soup"), change: StockChange::Adjust(1) };
        let outcome = tally.count(&request(day, day, change));
        assert_eq!(matches!(outcome, Outcome::Counted(_)), counts, "{day}: {outcome:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_comes_flow_is_gapless_stock_is_never_below_zero_and_sums_hold(
        asked in prop::collection::vec((0_u8..4, 0_u8..20, 1_i64..6), 1..60),
    ) {
        let mut tally = Tally::new(empty());
        let (mut stock, mut net, mut flow) = (0, 0, 0);
        for (what, id, n) in asked {
            let id = id.to_string();
            let request = match what {
                0 => sale(&id, n, n * 100),
                1 => request(&id, "2026-11-30", trade(TradeKind::Refund, "soup", n, n * 100)),
                2 => set(&id, n),
                _ => request(&id, "2026-11-30", Change::Stock {
                    sku: part("soup"), change: StockChange::Adjust(n - 3),
                }),
            };
            if let Outcome::Counted(entry) = tally.count(&request) {
                flow += 1;
                prop_assert_eq!(entry.flow_no, flow);
                stock = match what { 0 => stock - n, 1 => stock + n, 2 => n, _ => stock + n - 3 };
                net += match what { 0 => n * 100, 1 => -n * 100, _ => 0 };
                prop_assert_eq!(entry.moved[0].left, stock);
                prop_assert!(stock >= 0);
                if what < 2 {
                    prop_assert_eq!(entry.register_net_minor, net);
                }
                let Outcome::Replayed(again) = tally.count(&request) else { panic!() };
                prop_assert_eq!(again, entry);
            }
        }
        let sums = tally.sums();
        prop_assert_eq!(sums.moved.values().map(|moved| moved.net()).sum::<i64>(), stock);
        prop_assert_eq!(tally.left().values().copied().next().unwrap_or(0), stock);
        let figures = sums.days.values().next().copied().unwrap_or_default();
        prop_assert_eq!(figures.gross_minor - figures.refunded_minor, net);
    }
}
