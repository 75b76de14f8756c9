//! Days as the head office has them.

use std::collections::BTreeMap;

use jiff::civil::Date;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_domain::outbox::RecordKind;
use tillroll_wire::job::CloudState;
use tillroll_wire::record::{Record, Verdict};

use super::world::{
    World, later, paired, paper, printed, proved, receipt, record, sale, sale_id, skipped,
};

fn day() -> Date {
    "2026-11-30".parse().unwrap()
}

pub async fn day_sums_sales_refunds_and_tenders<S: DispatcherStore>(world: &World<S>) {
    let mut mixed = receipt("S1:2:receipt:v1", 2, 2_000);
    mixed.body["tenders"] = json!({"cash": 500, "card": 1_500});
    let refund = receipt("S1:1:refund:v1", 3, -250);
    let kitchen = receipt("S1:1:kitchen:v1", 4, 0);
    let mut yesterday = receipt("S1:9:receipt:v1", 5, 700);
    yesterday.body["day"] = json!("2026-11-29");
    let closed = record(RecordKind::Close, "R1:2026-11-30:z1/close/e1/r1".into(), None, json!({}));
    let records = vec![sale(1), mixed, refund, kitchen, yesterday, closed];
    assert!(world.send(world.r1, records).await.iter().all(|v| v.verdict.is_stored()));
    let day = world.day(world.r1).await;
    assert_eq!(day.register, "R1");
    assert_eq!((day.receipts, day.refunds, day.closed), (2, 1, 1));
    assert_eq!((day.gross_minor, day.refunded_minor), (3_250, 250));
    let tenders = BTreeMap::from([("card".to_owned(), 1_500), ("cash".to_owned(), 1_500)]);
    assert_eq!(day.tenders, tenders);
    let before = world.store.register_day(world.r1, "2026-11-29".parse().unwrap()).await.unwrap();
    assert_eq!((before.receipts, before.gross_minor), (1, 700));
}

pub async fn paper_counts_by_the_newest_word<S: DispatcherStore>(world: &World<S>) {
    let word = |row_version, body| paper(&sale_id(1), 1, row_version, body);
    let count = async || world.day(world.r1).await.printed;
    world.send(world.r1, vec![sale(1), word(5, skipped())]).await;
    assert_eq!(count().await, 0);
    world.send(world.r1, vec![word(3, proved())]).await;
    assert_eq!(count().await, 0, "an older word");
    let clerk = json!({"state": "printed", "confirmation": "clerk", "reason": null});
    world.send(world.r1, vec![word(7, clerk)]).await;
    assert_eq!(count().await, 1);
    world.send(world.r1, vec![word(8, proved())]).await;
    assert_eq!(count().await, 1, "on paper once");
    world.send(world.r1, vec![word(9, skipped())]).await;
    assert_eq!(count().await, 0);
}

pub async fn paper_before_its_receipt_counts_when_that_comes<S: DispatcherStore>(world: &World<S>) {
    assert_eq!(world.verdict(world.r1, &printed(1)).await, Verdict::Accepted);
    assert_eq!(world.day(world.r1).await.printed, 0);
    assert_eq!(world.verdict(world.r1, &sale(1)).await, Verdict::Accepted);
    assert_eq!(world.day(world.r1).await.printed, 1);
}

pub async fn copies_and_trust_do_not_count_as_paper<S: DispatcherStore>(world: &World<S>) {
    let copy = paper(&format!("{}:c1", sale_id(1)), 1, 3, proved());
    let assumed = json!({"state": "printed", "confirmation": "assumed", "reason": null});
    let trusted = paper(&sale_id(2), 2, 3, assumed);
    let kitchen = receipt("S1:1:kitchen:v1", 4, 0);
    let cooked = paper("S1:1:kitchen:v1", 4, 3, proved());
    let records = vec![sale(1), copy, sale(2), trusted, kitchen, cooked];
    assert!(world.send(world.r1, records).await.iter().all(|v| v.verdict.is_stored()));
    assert_eq!(world.day(world.r1).await.printed, 0);
}

pub async fn store_day_has_every_register_and_the_jobs_taken<S: DispatcherStore>(world: &World<S>) {
    world.send(world.r2, vec![receipt("S1:a:receipt:v1", 1, 300)]).await;
    world.send(world.r1, vec![sale(1)]).await;
    for n in 0..3 {
        world.job(n).await;
    }
    let printed = world.job(3).await;
    world.to(&printed, CloudState::Printed).await;
    let tomorrow = tillroll_dispatcher::job::NewJob { now: later(43_200), ..world.new_job(4) };
    world.insert(tomorrow).await;
    let of_day = world.store.store_day(world.shop.no, day()).await.unwrap();
    assert_eq!(of_day.registers, [world.day(world.r1).await, world.day(world.r2).await]);
    assert_eq!(of_day.registers[1].gross_minor, 300);
    let jobs = BTreeMap::from([(CloudState::Scheduled, 3), (CloudState::Printed, 1)]);
    assert_eq!(of_day.jobs, jobs);
    let next = world.store.store_day(world.shop.no, day().tomorrow().unwrap()).await.unwrap();
    assert_eq!((next.registers.len(), next.jobs[&CloudState::Scheduled]), (0, 1));
}

/// Any traffic of a register: sales, refunds, papers, refusals, repeats, in any order.
fn traffic(series: usize) -> impl Strategy<Value = Vec<Record>> {
    let takings = prop_oneof![Just(1_250), Just(900), Just(-400)];
    let one = (1_i64..12, 0..5, 1_i64..5, takings).prop_map(move |(n, what, version, takings)| {
        let sale = format!("S1:{series}~{n}:receipt:v1");
        match what {
            0 | 1 => receipt(&sale, n, takings),
            2 => receipt(&format!("S1:{series}~{n}:refund:v1"), 100 + n, takings),
            3 => paper(&sale, n, version, proved()),
            _ => paper(&sale, n, version, skipped()),
        }
    });
    proptest::collection::vec(one, 1..60)
}

pub async fn counters_equal_a_recount_whatever_came<S: DispatcherStore>(world: &World<S>) {
    let mut runner = TestRunner::deterministic();
    let (mut refused, mut on_paper) = (0, 0);
    for series in 0..24 {
        let register = paired(&world.store, &world.shop, &format!("R{}", 10 + series)).await;
        let records = traffic(series).new_tree(&mut runner).unwrap().current();
        let mut stored = Vec::new();
        for chunk in records.chunks(7) {
            let verdicts = world.send(register, chunk.to_vec()).await;
            let judged = chunk.iter().zip(verdicts);
            let accepted = judged.filter(|(_, verdict)| verdict.verdict == Verdict::Accepted);
            stored.extend(accepted.map(|(record, _)| record.clone()));
        }
        let day = world.day(register).await;
        assert_eq!((day.gross_minor, -day.refunded_minor), sums(&stored), "{records:#?}");
        assert_eq!(day.printed, papers(&stored), "{records:#?}");
        refused += day.rejected;
        on_paper += day.printed;
    }
    assert!(refused > 20 && on_paper > 20, "{refused} refused, {on_paper} on paper");
}

/// What the stored receipts take in and give back.
fn sums(stored: &[Record]) -> (i64, i64) {
    let takings = stored.iter().filter_map(|record| record.body["takings_minor"].as_i64());
    takings.fold((0, 0), |(sold, back), sum| (sold + sum.max(0), back + sum.min(0)))
}

/// How many stored receipts are on paper by the newest stored word.
fn papers(stored: &[Record]) -> i64 {
    let mut words: BTreeMap<&str, (i64, bool)> = BTreeMap::new();
    for record in stored.iter().filter(|record| record.kind == RecordKind::Print) {
        let (id, version) = record.request_id.split_once("/print/e1/r").unwrap();
        let version: i64 = version.parse().unwrap();
        let newest = words.entry(id).or_default();
        if version > newest.0 {
            *newest = (version, record.body["state"] == "printed");
        }
    }
    let of_receipt = |record: &&Record| record.kind == RecordKind::Receipt;
    let ids = stored.iter().filter(of_receipt).filter_map(|record| record.body["id"].as_str());
    ids.map(|id| i64::from(words.get(id).is_some_and(|word| word.1))).sum()
}
