//! Records refused for good, and what waits behind them.

use serde_json::json;
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::outbox::RecordKind;
use tillroll_wire::Code;
use tillroll_wire::record::{Record, Verdict};

use super::world::{World, code, printed, receipt, record, sale, sale_id};

/// Sale number `n`, unreadable.
fn bad(n: i64) -> Record {
    let mut bad = sale(n);
    bad.body["z_no"] = json!("?");
    bad.fingerprint = Fingerprint::of(bad.body.to_string().as_bytes());
    bad
}

fn correction(n: i64) -> Record {
    let body = json!({"z_no": 1, "was": "unconfirmed", "became": "printed"});
    let request_id = format!("{}/correction/e1/r4", sale_id(n));
    record(RecordKind::Correction, request_id, Some(n), body)
}

pub async fn refused_record_in_the_middle_stops_no_other<S: DispatcherStore>(world: &World<S>) {
    let records = vec![sale(1), bad(2), sale(3), sale(4), sale(5)];
    let verdicts = world.send(world.r1, records).await;
    let stored: Vec<_> = verdicts.iter().map(|verdict| verdict.verdict.is_stored()).collect();
    assert_eq!(stored, [true, false, true, true, true]);
    let Verdict::Rejected { code, detail } = &verdicts[1].verdict else { panic!("{verdicts:?}") };
    assert_eq!(*code, Code::InvalidBody);
    assert!(detail.contains("body") && detail.len() < 500, "{detail}");
    let day = world.day(world.r1).await;
    assert_eq!((day.receipts, day.rejected), (4, 1));
}

pub async fn followers_of_a_refused_receipt_are_parked<S: DispatcherStore>(world: &World<S>) {
    let verdicts = world.send(world.r1, vec![bad(2), printed(2), sale(3), printed(3)]).await;
    assert_eq!(code(&verdicts[1].verdict), Code::ParkedBehind);
    assert!(verdicts[2].verdict.is_stored() && verdicts[3].verdict.is_stored());
    assert_eq!(code(&world.verdict(world.r1, &correction(2)).await), Code::ParkedBehind);
    let day = world.day(world.r1).await;
    assert_eq!((day.printed, day.rejected), (1, 1), "the follower is not refused itself");
    // Another register's flow numbers are its own.
    let theirs = receipt("S1:R2~2:receipt:v1", 2, 100);
    assert_eq!(world.verdict(world.r2, &theirs).await, Verdict::Accepted);
}

pub async fn accepted_receipt_frees_its_followers<S: DispatcherStore>(world: &World<S>) {
    // What stands in the way belongs to register 2: the receipt itself is sound.
    world.send(world.r2, vec![sale(2)]).await;
    let own = receipt("S1:R1~2:receipt:v1", 2, 500);
    world.send(world.r1, vec![sale(2), printed(2)]).await;
    assert_eq!(code(&world.verdict(world.r1, &printed(2)).await), Code::ParkedBehind);
    assert_eq!(world.verdict(world.r1, &own).await, Verdict::Accepted);
    assert_eq!(world.verdict(world.r1, &correction(2)).await, Verdict::Accepted);
    assert_eq!(world.verdict(world.r1, &printed(2)).await, Verdict::Accepted);
}

pub async fn record_of_another_store_looks_unknown_and_counts_nowhere<S: DispatcherStore>(
    world: &World<S>,
) {
    let theirs = receipt("S2:000001:receipt:v1", 1, 100);
    let paper = Record { request_id: "S2:000002:receipt:v1/print/e1/r3".into(), ..printed(2) };
    for record in [&theirs, &paper] {
        let Verdict::Rejected { code, detail } = world.verdict(world.r1, record).await else {
            panic!("another store's record was taken")
        };
        assert_eq!(code, Code::NotFound);
        assert!(!detail.contains("S2"), "{detail}");
    }
    let day = world.day(world.r1).await;
    assert_eq!((day.receipts, day.gross_minor, day.printed, day.rejected), (0, 0, 0, 2));
    let fates = world.store.fates(world.shop.no, vec![theirs.request_id]).await.unwrap();
    assert_eq!(fates[0].rejected, Some(Code::NotFound));
}

pub async fn repeated_refusal_counts_once<S: DispatcherStore>(world: &World<S>) {
    for _ in 0..3 {
        world.send(world.r1, vec![bad(2), printed(2)]).await;
    }
    assert_eq!(world.day(world.r1).await.rejected, 1);
    // The id belongs to the body that came first, though that was refused.
    assert_eq!(code(&world.verdict(world.r1, &sale(2)).await), Code::Conflict);
    assert_eq!(code(&world.verdict(world.r1, &bad(2)).await), Code::InvalidBody);
}

pub async fn refused_records_are_listed_newest_first_until_they_are_taken<S: DispatcherStore>(
    world: &World<S>,
) {
    let store = world.shop.no;
    world.send(world.r2, vec![sale(2)]).await;
    world.send(world.r1, vec![bad(1), sale(2), printed(2)]).await;
    let listed = world.store.rejected(store, None, 9).await.unwrap();
    let codes: Vec<_> = listed.iter().map(|row| row.code).collect();
    assert_eq!(codes, [Code::ParkedBehind, Code::Conflict, Code::InvalidBody]);
    let conflict = &listed[1];
    assert_eq!((conflict.register.as_str(), conflict.kind.as_str()), ("R1", "receipt"));
    assert_eq!((&conflict.request_id, conflict.flow_no), (&sale(2).request_id, Some(2)));
    assert_eq!((conflict.fingerprint, conflict.epoch), (sale(2).fingerprint, 1));
    assert_eq!(listed.iter().map(|row| row.day.is_some()).collect::<Vec<_>>(), [false, true, true]);
    let older = world.store.rejected(store, Some(listed[0].seq), 1).await.unwrap();
    assert_eq!(older, [listed[1].clone()]);
    // What is taken after all is no longer refused.
    world.send(world.r1, vec![receipt("S1:R1~2:receipt:v1", 2, 500), printed(2)]).await;
    assert_eq!(world.store.rejected(store, None, 9).await.unwrap().len(), 2);
}
