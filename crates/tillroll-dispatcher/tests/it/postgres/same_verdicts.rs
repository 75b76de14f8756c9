//! Both engines judge alike, whatever comes in whatever batches: this one reads ahead and writes behind.

use serde_json::json;
use tillroll_dispatcher::sqlite::SqliteOptions;
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::outbox::RecordKind;
use tillroll_testkit::Dice;
use tillroll_wire::record::Record;
use tillroll_wire::repair::hour_of;

use super::world;
use crate::conformance::world::{
    World, batch, later, noon, paper, proved, receipt, record, sale_id, skipped,
};

/// A record about one of three sales: good, bad, late, doubled or of another machine.
fn any(dice: &mut Dice) -> Record {
    let n = 1 + i64::try_from(dice.below(3)).unwrap();
    let mut any = match dice.below(10) {
        0..=3 => receipt(&sale_id(n), n, 1_250),
        4..=6 => {
            let version = i64::try_from(dice.below(6)).unwrap();
            let said = if dice.per_mille(500) { proved() } else { skipped() };
            let copy = if dice.per_mille(100) { ":c1" } else { "" };
            paper(&format!("{}{copy}", sale_id(n)), n, version, said)
        }
        7 => receipt(&format!("S1:{n}:refund:v1"), 10 + n, -300),
        8 => record(RecordKind::Close, format!("R1:2026-11-30:z{n}/close/e1/r1"), None, json!({})),
        _ => receipt(&format!("S2:{n}:receipt:v1"), n, 1_250),
    };
    spoil(&mut any, dice);
    any.fingerprint = Fingerprint::of(any.body.to_string().as_bytes());
    any
}

fn spoil(any: &mut Record, dice: &mut Dice) {
    if dice.per_mille(150) {
        any.body["day"] = json!("2026-11-29");
    }
    if dice.per_mille(150) {
        any.body["takings_minor"] = json!("much");
    }
    if dice.per_mille(150) {
        any.flow_no = any.flow_no.map(|flow_no| flow_no + 1);
    }
    if dice.per_mille(200) {
        any.epoch = 2;
        any.request_id = any.request_id.replace("/e1/", "/e2/");
    }
    if dice.per_mille(100) {
        any.recorded_at = later(3_600);
    }
}

/// Everything a store tells of its books.
async fn told<S: DispatcherStore>(world: &World<S>) -> String {
    let (store, hour) = (&world.store, hour_of(noon()));
    let mut told = Vec::new();
    for register in [world.r1, world.r2] {
        told.push(format!("{:#?}", store.digests(register, hour, hour + 2).await.unwrap()));
        told.push(format!("{:#?}", store.hour_ids(register, hour).await.unwrap()));
        told.push(format!("{:#?}", store.high_water(register).await.unwrap()));
    }
    for day in ["2026-11-29", "2026-11-30"] {
        let day = day.parse().unwrap();
        told.push(format!("{:#?}", store.store_day(world.shop.no, day).await.unwrap()));
    }
    told.push(format!("{:#?}", store.rejected(world.shop.no, None, 99).await.unwrap()));
    told.join("\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verdicts_and_books_are_those_of_the_other_engine() {
    for seed in 0..10 {
        let mut dice = Dice::new(seed);
        let (ours, _server) = world().await;
        let (theirs, _folder) = crate::sqlite::world(SqliteOptions::default()).await;
        for round in 0..12 {
            let records: Vec<_> = (0..1 + dice.below(9)).map(|_| any(&mut dice)).collect();
            let register = if dice.per_mille(700) { ours.r1 } else { ours.r2 };
            let now = later(round);
            let ours = ours.store.take_records(register, batch(records.clone()), now).await;
            let theirs = theirs.store.take_records(register, batch(records.clone()), now).await;
            assert_eq!(ours.unwrap(), theirs.unwrap(), "seed {seed}: {records:#?}");
        }
        assert_eq!(told(&ours).await, told(&theirs).await, "seed {seed}");
    }
}
