//! One receipt number twice.

use serde_json::json;
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_wire::Code;
use tillroll_wire::record::{Record, Verdict};

use super::world::{World, code, paper, printed, proved, receipt, sale, sale_id};

/// Sale number `n` recorded again in epoch 2, after an older copy came back.
fn again(n: i64, flow_no: i64) -> Record {
    let mut record = sale(n);
    record.body["z_no"] = json!(5);
    Record {
        request_id: format!("{}/receipt/e2/r1", sale_id(n)),
        fingerprint: Fingerprint::of(record.body.to_string().as_bytes()),
        epoch: 2,
        flow_no: Some(flow_no),
        ..record
    }
}

pub async fn same_number_from_two_registers_is_shown_and_never_overwritten<S: DispatcherStore>(
    world: &World<S>,
) {
    let first: Vec<_> = (100..103).map(sale).collect();
    let second: Vec<_> = (100..103).map(|n| receipt(&sale_id(n), n, 900)).collect();
    assert!(world.send(world.r1, first.clone()).await.iter().all(|v| v.verdict.is_stored()));
    for _ in 0..2 {
        for record in &second {
            let Verdict::Rejected { code, detail } = world.verdict(world.r2, record).await else {
                panic!("a second register took a number")
            };
            assert_eq!(code, Code::Conflict);
            assert!(detail.contains("R1"), "names the holder: {detail}");
        }
    }
    assert_eq!(code(&world.verdict(world.r2, &first[0]).await), Code::Conflict, "same body too");
    let (one, two) = (world.day(world.r1).await, world.day(world.r2).await);
    assert_eq!((one.receipts, one.gross_minor, one.rejected), (3, 3_750, 0));
    assert_eq!((two.receipts, two.gross_minor, two.rejected), (0, 0, 4));
    assert_eq!(code(&world.verdict(world.r2, &printed(100)).await), Code::ParkedBehind);
    assert_eq!(world.day(world.r1).await.printed, 0, "another register's paper counts nowhere");
}

pub async fn same_sale_in_a_new_epoch_is_in_the_books_once<S: DispatcherStore>(world: &World<S>) {
    world.send(world.r1, vec![sale(1), printed(1)]).await;
    assert_eq!(world.verdict(world.r1, &again(1, 1_001)).await, Verdict::Accepted);
    assert_eq!(world.verdict(world.r1, &again(1, 1_001)).await, Verdict::Replayed);
    let reprinted = Record { epoch: 2, ..paper(&sale_id(1), 1_001, 1, proved()) };
    let reprinted = Record { request_id: format!("{}/print/e2/r1", sale_id(1)), ..reprinted };
    assert_eq!(world.verdict(world.r1, &reprinted).await, Verdict::Accepted);
    let day = world.day(world.r1).await;
    assert_eq!((day.receipts, day.gross_minor, day.printed, day.rejected), (1, 1_250, 1, 0));
}

pub async fn same_id_with_other_takings_in_a_new_epoch_is_refused<S: DispatcherStore>(
    world: &World<S>,
) {
    world.send(world.r1, vec![sale(1)]).await;
    let mut other = again(1, 1_001);
    other.body["takings_minor"] = json!(1_350);
    assert_eq!(code(&world.verdict(world.r1, &other).await), Code::Conflict);
    let mut next_day = again(1, 1_002);
    next_day.request_id = format!("{}/receipt/e3/r1", sale_id(1));
    next_day.body["day"] = json!("2026-12-01");
    assert_eq!(code(&world.verdict(world.r1, &next_day).await), Code::Conflict);
    assert_eq!(code(&world.verdict(world.r2, &again(1, 7)).await), Code::Conflict);
    assert_eq!(world.day(world.r1).await.gross_minor, 1_250);
}

pub async fn flow_number_given_twice_is_refused<S: DispatcherStore>(world: &World<S>) {
    world.send(world.r1, vec![sale(1)]).await;
    let other = receipt("S1:other:receipt:v1", 1, 400);
    assert_eq!(code(&world.verdict(world.r1, &other).await), Code::Conflict);
    assert_eq!(
        world.verdict(world.r2, &other).await,
        Verdict::Accepted,
        "numbers are a register's"
    );
}
