//! A store that shares its orders: the record of each sale and refund, and what is known of a day's splits.

use serde_json::{Value, json};
use tillroll_domain::ids::JobKind;
use tillroll_domain::money::Minor;
use tillroll_store::{DueRecord, NewCloud, NewReceipt, RecordId, SentRecord};
use tillroll_testkit::receipts;
use tillroll_wire::Code;
use tillroll_wire::record::{RecordVerdict, Verdict};
use tillroll_wire::split::{SplitDayView, SplitSum, SplitTotals};

use crate::support::Till;

const SALE: i64 = 1_250;

async fn paired(till: &Till, store_uid: &str) {
    let cloud = NewCloud {
        url: "https://cloud.example".into(),
        store_uid: store_uid.into(),
        store_name: "Old Wang 1".into(),
    };
    till.store.pair_cloud(cloud, till.now()).await.unwrap();
}

async fn sharing() -> Till {
    let till = Till::new().await;
    paired(&till, "st_1").await;
    till.store.set_sharing(true).await.unwrap();
    till
}

/// A refund of sale `n`.
fn refund(till: &Till, n: u32, amount: i64) -> NewReceipt {
    let mut receipt = receipts::simple(n);
    receipt.kind = JobKind::Refund;
    let new = till.new_receipt(&receipt);
    NewReceipt { takings: Minor(-amount), ..new }
}

async fn waiting(till: &Till) -> Vec<DueRecord> {
    till.store.due_records(RecordId(0), 100, 1_000_000, till.now()).await.unwrap()
}

async fn splits(till: &Till) -> Vec<Value> {
    let due = waiting(till).await.into_iter();
    due.filter(|due| due.record.kind.as_str() == "split").map(|due| due.record.body).collect()
}

#[tokio::test]
async fn store_that_shares_nothing_writes_no_record_more() {
    let till = Till::new().await;
    paired(&till, "st_1").await;
    till.sell(1).await;
    assert_eq!(waiting(&till).await.len(), 1, "the receipt's");
}

#[tokio::test]
async fn sale_brings_its_split_in_the_same_commit_behind_its_receipt() {
    let till = sharing().await;
    let before = till.store.health().commits;
    till.sell(1).await;
    assert_eq!(till.store.health().commits - before, 1);
    let due = waiting(&till).await;
    let ids: Vec<_> = due.iter().map(|due| due.record.request_id.as_str()).collect();
    let id = "S1:R1-000001:receipt:v1";
    assert_eq!(ids, [format!("{id}/receipt/e1/r1"), format!("{id}/split/e1/r1")]);
    assert_eq!(due[1].record.flow_no, Some(1));
    let said = json!({"id": id, "day": till.today(), "amount_minor": SALE, "currency": "CNY",
        "paid_at": till.now()});
    assert_eq!(due[1].record.body, said);
    till.store.record_receipt(till.sale(1)).await.unwrap();
    assert_eq!(waiting(&till).await.len(), 2, "a replay adds nothing");
}

#[tokio::test]
async fn refund_names_the_newest_receipt_of_its_order_or_its_first_version() {
    let till = sharing().await;
    till.sell(1).await;
    let mut second = receipts::simple(1);
    second.version = 2;
    till.record(till.new_receipt(&second)).await;
    till.record(refund(&till, 1, 500)).await;
    till.record(refund(&till, 7, 500)).await;
    let refunded: String =
        till.value("SELECT body FROM outbox WHERE kind = 'split' AND behind IS NOT NULL");
    let refunded: Value = serde_json::from_str(&refunded).unwrap();
    assert_eq!(refunded["of"], "S1:R1-000001:receipt:v2");
    let behind: i64 = till.value("SELECT behind FROM outbox WHERE behind IS NOT NULL");
    assert_eq!(behind, 2, "its flow number");
    assert_eq!(
        (&refunded["amount_minor"], &refunded["id"]),
        (&json!(500), &json!("S1:R1-000001:refund:v1"))
    );
    let said = splits(&till).await;
    assert_eq!(said[2]["of"], "S1:R1-000007:receipt:v1", "sold elsewhere");
}

#[tokio::test]
async fn split_of_a_refund_goes_up_after_that_of_its_sale() {
    let till = sharing().await;
    till.sell(1).await;
    till.record(refund(&till, 1, 500)).await;
    let due = waiting(&till).await;
    assert_eq!(due.len(), 3, "all but the refund's split");
    let mut changes = till.store.feed().changes();
    changes.borrow_and_update();
    let accepted = |due: &DueRecord| RecordVerdict {
        request_id: due.record.request_id.clone(),
        verdict: Verdict::Accepted,
    };
    let verdicts = due.iter().map(accepted).collect();
    let sent = due.iter().map(SentRecord::from).collect();
    till.store.apply_verdicts(sent, verdicts, till.now()).await.unwrap();
    assert!(changes.has_changed().unwrap(), "the uploader looks again");
    assert_eq!(splits(&till).await.len(), 1);
}

#[tokio::test]
async fn what_moves_no_money_is_not_shared() {
    let till = sharing().await;
    till.record(NewReceipt { takings: Minor(0), ..till.sale(1) }).await;
    let mut kitchen = receipts::simple(2);
    kitchen.kind = JobKind::Kitchen;
    till.record(till.new_receipt(&kitchen)).await;
    assert!(splits(&till).await.is_empty());
}

#[tokio::test]
async fn sharing_lasts_over_a_restart_and_ends_with_the_pairing() {
    let till = sharing().await;
    let (till, _) = till.reopen();
    assert!(till.store.shares_orders());
    paired(&till, "st_1").await;
    assert!(till.store.shares_orders(), "the same store");
    paired(&till, "st_2").await;
    assert!(!till.store.shares_orders(), "another store says so itself");
    till.store.set_sharing(true).await.unwrap();
    till.store.unpair_cloud().await.unwrap();
    assert!(!till.store.shares_orders());
}

#[tokio::test]
async fn refused_split_parks_nothing_behind_it_and_is_sent_again_alone() {
    let till = sharing().await;
    till.sell(1).await;
    till.print(till.front).await;
    let due = waiting(&till).await;
    assert_eq!(due.len(), 3, "receipt, split, paper");
    let sent: Vec<_> = due[..2].iter().map(SentRecord::from).collect();
    let of = |due: &DueRecord, verdict| RecordVerdict {
        request_id: due.record.request_id.clone(),
        verdict,
    };
    let refused =
        Verdict::Rejected { code: Code::InvalidValue, detail: "paid_at: no table".into() };
    let verdicts = vec![of(&due[0], Verdict::Accepted), of(&due[1], refused)];
    let judged = till.store.apply_verdicts(sent, verdicts, till.now()).await.unwrap();
    assert_eq!((judged.acknowledged, judged.parked), (1, 1));
    assert_eq!(waiting(&till).await.len(), 1, "the paper's record goes on");
    let parked = till.store.parked_records(10).await.unwrap();
    assert_eq!((parked.len(), parked[0].kind.as_str()), (1, "split"));
    assert_eq!(till.store.send_again(parked[0].id).await.unwrap(), 1);
    assert_eq!(waiting(&till).await.len(), 2);
}

#[tokio::test]
async fn day_has_what_was_told_last_and_what_waits_here() {
    let till = sharing().await;
    till.sell(1).await;
    till.sell(2).await;
    let known = till.store.split_day(till.today()).await.unwrap();
    assert_eq!(known.waiting, SplitSum { count: 2, amount_minor: 2 * SALE });
    assert_eq!(known.told, None);
    let succeeded = SplitSum { count: 3, amount_minor: 900 };
    let shares = SplitTotals { succeeded, ..SplitTotals::default() };
    let told = SplitDayView { day: till.today(), shares, refunds: SplitTotals::default() };
    till.store.keep_split_day(told.clone(), till.now()).await.unwrap();
    let known = till.store.split_day(till.today()).await.unwrap();
    assert_eq!(known.told, Some((told, till.now())));
    let yesterday = till.today().yesterday().unwrap();
    assert_eq!(till.store.split_day(yesterday).await.unwrap(), Default::default());
}
