//! The bounded list of receipts that were refused.

use tillroll_domain::ids::OrderScope;
use tillroll_sqlite::{Options, Synchronous};
use tillroll_store::{
    Hint, NewClient, NewReceipt, NewRejection, RefusedAs, StoreError, StoreOptions,
};

use crate::support::{Till, settings};

fn rejection(n: i64) -> NewRejection {
    NewRejection {
        order_no: Some(format!("{n}")),
        kind: Some("receipt".into()),
        code: "sums_differ".into(),
        detail: "lines add up to 1250, total_minor is 1350".into(),
        body: "{}".into(),
        body_sha256: sha256_of(n),
        day: "2026-10-09".parse().unwrap(),
        client: None,
    }
}

/// Stands for the digest of a body of its own.
fn sha256_of(n: i64) -> [u8; 32] {
    let mut digest = [0; 32];
    digest[..8].copy_from_slice(&n.to_be_bytes());
    digest
}

async fn open_orders(till: &Till) -> Vec<i64> {
    let open = till.store.rejections().await.unwrap();
    open.into_iter().map(|row| row.order_no.unwrap().parse().unwrap()).collect()
}

#[tokio::test]
async fn refused_receipt_stays_until_it_is_answered() {
    let till = Till::new().await;
    till.store.record_rejection(rejection(1), till.now()).await.unwrap();
    till.store.record_rejection(rejection(2), till.now()).await.unwrap();
    let first = till.store.rejections().await.unwrap().remove(0);
    assert_eq!((first.code.as_str(), first.rejected_at), ("sums_differ", till.now()));
    till.store.answer_rejection(first.id, "keyed in again".into(), till.now()).await.unwrap();
    assert_eq!(open_orders(&till).await, [2]);
    let again = till.store.answer_rejection(first.id, "again".into(), till.now()).await;
    assert!(matches!(again, Err(StoreError::NotFound { .. })), "{again:?}");
}

#[tokio::test]
async fn list_is_bounded_and_answered_rows_go_before_open_ones() {
    // A thousand commits, whose durability is not the question here.
    let database = Options { synchronous: Synchronous::Normal, ..Options::default() };
    let till = Till::with(settings(), StoreOptions { database }).await;
    for n in 1..=1_000 {
        till.store.record_rejection(rejection(n), till.now()).await.unwrap();
    }
    let newest = till.store.rejections().await.unwrap().pop().unwrap();
    till.store.answer_rejection(newest.id, "seen".into(), till.now()).await.unwrap();
    till.store.record_rejection(rejection(1_001), till.now()).await.unwrap();
    let open = open_orders(&till).await;
    assert_eq!((open.len(), open[0], open[999]), (1_000, 1, 1_001), "the answered one went");
    let other = till.store.rejections().await.unwrap().pop().unwrap();
    assert!(other.id > newest.id, "an answer never reaches another row");

    till.store.record_rejection(rejection(1_002), till.now()).await.unwrap();
    let open = open_orders(&till).await;
    assert_eq!((open.len(), open[0], open[999]), (1_000, 2, 1_002), "then the oldest");
    let rows: i64 = till.value("SELECT count(*) FROM rejected");
    assert_eq!(rows, 1_000);

    let new = NewClient {
        name: "noisy".into(),
        token_hash: [7; 32],
        order_scope: OrderScope::Store,
        may_open_drawer: false,
        may_manage: false,
    };
    let noisy = Some(till.store.put_client(new, till.now()).await.unwrap());
    for n in [1_003, 1_004] {
        let refused = NewRejection { client: noisy, ..rejection(n) };
        till.store.record_rejection(refused, till.now()).await.unwrap();
    }
    let open = open_orders(&till).await;
    let kept = (open.len(), open[0], open[998], open[999]);
    assert_eq!(
        kept,
        (1_000, 3, 1_002, 1_004),
        "a client that floods the list pushes its own rows off"
    );
}

#[tokio::test]
async fn receipt_that_is_recorded_answers_its_clients_refusals_of_it() {
    let till = Till::new().await;
    let refused_as = |day| Some(RefusedAs { order_no: "1".parse().unwrap(), day });
    let day = till.today();
    let refused = NewRejection { day, ..rejection(1) };
    let of_refund =
        NewRejection { kind: Some("refund".into()), body_sha256: [1; 32], ..refused.clone() };
    for listed in [refused.clone(), of_refund] {
        till.store.record_rejection(listed, till.now()).await.unwrap();
    }
    till.record(NewReceipt { refused_as: refused_as(day.yesterday().ok()), ..till.sale(1) }).await;
    assert_eq!(open_orders(&till).await, [1, 1], "where numbers begin anew it was another day's");
    let mut hints = till.store.feed().listen();
    let sale = NewReceipt { refused_as: refused_as(Some(day)), ..till.sale(2) };
    till.record(sale.clone()).await;
    assert_eq!(open_orders(&till).await, [1], "the refund is another paper");
    assert_eq!(hints.recv().await.unwrap(), Hint::Rejected);
    let answer: String = till.value("SELECT answer FROM rejected WHERE answered_at IS NOT NULL");
    assert_eq!(answer, "accepted");

    // A replay records nothing, so what was refused since stays.
    till.store.record_rejection(refused, till.now()).await.unwrap();
    assert!(till.store.record_receipt(sale).await.unwrap().replayed);
    assert_eq!(open_orders(&till).await.len(), 2);
    till.record(NewReceipt { refused_as: refused_as(None), ..till.sale(3) }).await;
    assert_eq!(open_orders(&till).await.len(), 1);
}

#[tokio::test]
async fn same_body_is_listed_once_until_it_is_answered() {
    let till = Till::new().await;
    for _ in 0..2 {
        till.store.record_rejection(rejection(1), till.now()).await.unwrap();
    }
    assert_eq!(open_orders(&till).await, [1]);
    let listed = till.store.rejections().await.unwrap().remove(0);
    till.store.answer_rejection(listed.id, "keyed in".into(), till.now()).await.unwrap();
    till.store.record_rejection(rejection(1), till.now()).await.unwrap();
    let next_day = NewRejection { day: "2026-10-10".parse().unwrap(), ..rejection(1) };
    till.store.record_rejection(next_day, till.now()).await.unwrap();
    assert_eq!(open_orders(&till).await, [1, 1]);
}
