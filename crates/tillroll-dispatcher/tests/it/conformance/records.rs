//! Batches of records and their verdicts.

use serde_json::json;
use tillroll_dispatcher::store::{DispatcherStore, HighWater, PairingOutcome};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::outbox::RecordKind;
use tillroll_wire::Code;
use tillroll_wire::record::{Record, Verdict};

use super::world::{World, batch, code, new_pairing, noon, pairing, printed, record, sale};

pub async fn each_record_gets_its_verdict_in_order<S: DispatcherStore>(world: &World<S>) {
    let closed = record(RecordKind::Close, "R1:2026-11-30:z1/close/e1/r1".into(), None, json!({}));
    let odd = Record { request_id: String::new(), ..sale(9) };
    let records = vec![sale(1), printed(1), sale(1), odd, sale(2), closed];
    let verdicts = world.send(world.r1, records.clone()).await;
    let ids = |record: &Record| record.request_id.clone();
    assert_eq!(
        verdicts.iter().map(|verdict| verdict.request_id.clone()).collect::<Vec<_>>(),
        records.iter().map(ids).collect::<Vec<_>>()
    );
    let verdicts: Vec<_> = verdicts.into_iter().map(|verdict| verdict.verdict).collect();
    assert_eq!(verdicts[..3], [Verdict::Accepted, Verdict::Accepted, Verdict::Replayed]);
    assert_eq!(code(&verdicts[3]), Code::InvalidValue);
    assert_eq!(verdicts[4..], [Verdict::Accepted, Verdict::Accepted]);
}

pub async fn lost_answer_is_replayed_and_counts_once<S: DispatcherStore>(world: &World<S>) {
    let records: Vec<_> = (1..=10).map(sale).collect();
    world.send(world.r1, records[..4].to_vec()).await;
    let verdicts = world.send(world.r1, records.clone()).await;
    let replayed = verdicts.iter().filter(|verdict| verdict.verdict == Verdict::Replayed);
    assert_eq!(replayed.count(), 4);
    let day = world.day(world.r1).await;
    assert_eq!((day.receipts, day.gross_minor), (10, 12_500));
}

pub async fn hundred_copies_of_a_batch_at_once_count_once<S: DispatcherStore>(world: &World<S>) {
    let mut copies = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let (store, r1) = (world.store.clone(), world.r1);
        let batch = batch(vec![sale(1), printed(1)]);
        copies.spawn(async move { store.take_records(r1, batch, noon()).await.unwrap() });
    }
    let verdicts: Vec<_> = copies.join_all().await.into_iter().flatten().collect();
    let accepted = verdicts.iter().filter(|verdict| verdict.verdict == Verdict::Accepted);
    assert_eq!(accepted.count(), 2);
    assert!(verdicts.iter().all(|verdict| verdict.verdict.is_stored()));
    let day = world.day(world.r1).await;
    assert_eq!((day.receipts, day.printed), (1, 1));
}

pub async fn same_id_with_another_body_is_refused_and_kept_apart<S: DispatcherStore>(
    world: &World<S>,
) {
    world.send(world.r1, vec![sale(1)]).await;
    let mut other = sale(1);
    other.body["takings_minor"] = json!(1_350);
    other.fingerprint = Fingerprint::of(b"other");
    for _ in 0..2 {
        assert_eq!(code(&world.verdict(world.r1, &other).await), Code::Conflict);
        assert_eq!(world.verdict(world.r1, &sale(1)).await, Verdict::Replayed);
    }
    let day = world.day(world.r1).await;
    assert_eq!((day.receipts, day.gross_minor, day.rejected), (1, 1_250, 1));
    let fate = &world.store.fates(world.shop.no, vec![other.request_id]).await.unwrap()[0];
    assert_eq!((fate.fingerprint, fate.rejected), (Some(sale(1).fingerprint), None));
    assert_eq!(world.verdict(world.r1, &printed(1)).await, Verdict::Accepted, "not parked");
}

pub async fn fates_are_in_the_order_asked<S: DispatcherStore>(world: &World<S>) {
    let mut bad = sale(2);
    bad.body = json!("?");
    world.send(world.r1, vec![sale(1), bad.clone()]).await;
    let asked = vec!["nothing".to_owned(), bad.request_id.clone(), sale(1).request_id];
    let fates = world.store.fates(world.shop.no, asked.clone()).await.unwrap();
    assert_eq!(fates.iter().map(|fate| fate.request_id.clone()).collect::<Vec<_>>(), asked);
    let [unknown, refused, stored] = &fates[..] else { panic!("{fates:?}") };
    assert_eq!((unknown.stored_at, unknown.fingerprint, unknown.rejected), (None, None, None));
    assert_eq!((refused.stored_at, refused.rejected), (None, Some(Code::InvalidBody)));
    assert_eq!(refused.fingerprint, Some(bad.fingerprint));
    assert_eq!((stored.stored_at, stored.rejected), (Some(noon()), None));
    assert_eq!(stored.fingerprint, Some(sale(1).fingerprint));
}

pub async fn high_water_never_goes_down<S: DispatcherStore>(world: &World<S>) {
    let high = async || world.store.high_water(world.r1).await.unwrap();
    assert_eq!(high().await, None);
    world.send(world.r1, vec![]).await;
    assert_eq!(high().await, None);
    let mut next_session = Record { epoch: 3, ..sale(7) };
    next_session.body["z_no"] = json!(4);
    world.send(world.r1, vec![next_session, sale(5)]).await;
    let highest = HighWater { epoch: 3, flow_no: 7, z_no: 4 };
    assert_eq!(high().await, Some(highest));
    world.send(world.r1, vec![sale(2)]).await;
    assert_eq!(high().await, Some(highest));
    assert_eq!(world.store.high_water(world.r2).await.unwrap(), None);
}

pub async fn replacement_machine_replays_what_the_old_one_sent<S: DispatcherStore>(
    world: &World<S>,
) {
    world.send(world.r1, vec![sale(1)]).await;
    world.store.new_pairing(new_pairing(&world.shop, "R1", "new")).await.unwrap();
    let outcome = world.store.pair(pairing("new", "S1", "R1")).await.unwrap();
    let PairingOutcome::Paired(_, register) = outcome else { panic!("{outcome:?}") };
    assert_eq!(world.verdict(register.no, &sale(1)).await, Verdict::Replayed);
    assert_eq!(world.day(world.r1).await.receipts, 1);
}
