//! Digests and ids by hour.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use serde_json::json;
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_wire::record::Record;
use tillroll_wire::repair::{HourDigest, RecordDigest, hour_of};

use super::world::{World, batch, later, noon, receipt, sale};

/// Sale number `n`, recorded so many hours before noon.
fn sale_at(n: i64, hours_ago: i64) -> Record {
    let recorded_at = noon() - SignedDuration::from_hours(hours_ago);
    let mut sale = Record { recorded_at, ..sale(n) };
    let day = jiff::tz::TimeZone::UTC.to_datetime(recorded_at).date();
    sale.body["day"] = json!(day.to_string());
    sale
}

fn recount(records: &[Record]) -> Vec<HourDigest> {
    let mut hours: BTreeMap<i64, HourDigest> = BTreeMap::new();
    for record in records {
        let hour = hour_of(record.recorded_at);
        let empty = HourDigest { hour, count: 0, digest: RecordDigest::default() };
        let set = hours.entry(hour).or_insert(empty);
        set.count += 1;
        set.digest.toggle(RecordDigest::of(&record.request_id, &record.fingerprint));
    }
    hours.into_values().collect()
}

pub async fn digests_equal_a_recount<S: DispatcherStore>(world: &World<S>) {
    let records: Vec<_> = (1..=360).map(|n| sale_at(n, n % 72)).collect();
    for chunk in records.chunks(50) {
        world.send(world.r1, chunk.to_vec()).await;
    }
    world.send(world.r1, records[100..200].to_vec()).await;
    let to = hour_of(noon());
    let digests = world.store.digests(world.r1, to - 71, to + 1).await.unwrap();
    assert_eq!((digests.from, digests.to), (to - 71, to + 1));
    assert_eq!(digests.hours, recount(&records));
    assert_eq!(digests.hours.len(), 72);
    let one = world.store.digests(world.r1, to - 1, to).await.unwrap();
    assert_eq!(one.hours, digests.hours[70..71]);
    let ids = world.store.hour_ids(world.r1, to - 1).await.unwrap();
    let known: Vec<_> = ids.records.iter().map(|known| known.request_id.clone()).collect();
    let expected = records.iter().filter(|r| hour_of(r.recorded_at) == to - 1);
    assert_eq!(known, expected.map(|r| r.request_id.clone()).collect::<Vec<_>>());
    assert_eq!(ids.records[0].epoch, 1);
}

pub async fn digests_know_accepted_records_only<S: DispatcherStore>(world: &World<S>) {
    let mut refused = sale(2);
    refused.body["z_no"] = json!("?");
    world.send(world.r2, vec![sale(3)]).await;
    world.send(world.r1, vec![sale(1), refused, sale(3)]).await;
    let hour = hour_of(noon());
    let digests = world.store.digests(world.r1, hour, hour + 1).await.unwrap();
    assert_eq!(digests.hours, recount(&[sale(1)]));
    let ids = world.store.hour_ids(world.r1, hour).await.unwrap();
    assert_eq!(ids.records.len(), 1);
    assert_eq!(ids.records[0].fingerprint, sale(1).fingerprint);
}

pub async fn hours_of_another_register_are_not_told<S: DispatcherStore>(world: &World<S>) {
    world.send(world.r1, vec![sale(1)]).await;
    let theirs = batch(vec![receipt("S1:R2~1:receipt:v1", 1, 100)]);
    world.store.take_records(world.r2, theirs, later(9)).await.unwrap();
    let hour = hour_of(noon());
    let ids = world.store.hour_ids(world.r2, hour).await.unwrap();
    assert_eq!(ids.records.len(), 1);
    assert!(ids.records[0].request_id.starts_with("S1:R2~1:"));
}
