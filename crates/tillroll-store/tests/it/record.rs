//! Recording a receipt: one transaction, one flow number, one job for one id.

use std::collections::BTreeSet;

use tillroll_domain::ids::JobKind;
use tillroll_domain::money::Minor;
use tillroll_domain::print_job::{HoldReason, JobState};
use tillroll_store::{DrawerState, NewReceipt, PrinterId, StoreError};
use tillroll_testkit::receipts;

use crate::support::{Till, claiming};

#[tokio::test]
async fn receipt_job_record_and_flow_number_are_one_commit() {
    let till = Till::new().await;
    let before = till.store.health().commits;
    let recorded = till.store.record_receipt(till.sale(1)).await.unwrap();
    assert_eq!(till.store.health().commits - before, 1);

    let job = recorded.job;
    assert!(!recorded.replayed && recorded.claimed.is_none());
    assert_eq!(job.job_id.to_string(), "S1:R1-000001:receipt:v1");
    assert_eq!((job.flow_no, job.state, job.takings_minor), (1, JobState::Pending, 1_250));
    assert_eq!((job.due_at, job.drawer), (Some(till.now()), DrawerState::Due));
    let request: String = till.value("SELECT request_id FROM outbox");
    assert_eq!(request, "S1:R1-000001:receipt:v1/receipt/e1/r1");
    let story = till.store.story(job.job_id.to_string()).await.unwrap();
    assert_eq!((story.day, story.recorded_at), (till.today(), till.now()));
    assert_eq!(story.records.len(), 1);
}

#[tokio::test]
async fn receipt_that_cannot_have_its_job_leaves_nothing_and_costs_no_number() {
    let till = Till::new().await;
    let nowhere = NewReceipt { printer: PrinterId(99), ..till.sale(1) };
    let refused = till.store.record_receipt(nowhere).await;
    assert!(matches!(refused, Err(StoreError::NotFound { what: "printer", .. })), "{refused:?}");
    for table in ["receipts", "print_jobs", "outbox", "sessions"] {
        let rows: i64 = till.value(&format!("SELECT count(*) FROM {table}"));
        assert_eq!(rows, 0, "{table}");
    }
    assert_eq!(till.sell(2).await.flow_no, 1);
}

#[tokio::test]
async fn same_id_with_same_body_is_answered_as_it_stands_and_adds_nothing() {
    let till = Till::new().await;
    let first = till.sell(1).await;
    till.print(till.front).await;
    let again = till.store.record_receipt(till.sale(1)).await.unwrap();
    assert!(again.replayed && again.claimed.is_none());
    assert_eq!((again.job.id, again.job.state), (first.id, JobState::Printed));
    let rows: (i64, i64) = (
        till.value("SELECT count(*) FROM receipts"),
        till.value("SELECT count(*) FROM print_jobs"),
    );
    assert_eq!(rows, (1, 1));
    assert_eq!(till.sell(2).await.flow_no, 2, "a replay costs no flow number");
}

#[tokio::test]
async fn same_id_with_other_body_is_refused_naming_both_fingerprints() {
    let till = Till::new().await;
    let first = till.sale(1);
    till.record(first.clone()).await;
    let mut other = receipts::simple(1);
    other.total_minor = Some(Minor(1_350));
    let second = till.new_receipt(&other);
    for _ in 0..2 {
        match till.store.record_receipt(second.clone()).await {
            Err(StoreError::Conflict { job_id, recorded, offered }) => {
                assert_eq!(job_id, "S1:R1-000001:receipt:v1");
                assert_eq!((recorded, offered), (first.fingerprint, second.fingerprint));
            }
            other => panic!("{other:?}"),
        }
    }
    let kept: i64 = till.value("SELECT takings_minor FROM receipts");
    assert_eq!(kept, 1_250);
    assert!(till.store.record_receipt(first).await.unwrap().replayed);
}

#[tokio::test]
async fn other_kind_and_other_version_of_one_order_are_other_jobs() {
    let till = Till::new().await;
    let mut receipt = receipts::simple(1);
    till.record(till.new_receipt(&receipt)).await;
    receipt.version = 2;
    till.record(till.new_receipt(&receipt)).await;
    receipt.kind = JobKind::Prebill;
    assert_eq!(till.record(till.new_receipt(&receipt)).await.flow_no, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn hundred_requests_with_one_id_at_once_make_one_job() {
    let till = Till::new().await;
    let requests: Vec<_> = (0..100)
        .map(|_| {
            let (store, sale) = (till.store.clone(), till.sale(1));
            tokio::spawn(async move { store.record_receipt(sale).await.unwrap() })
        })
        .collect();
    let mut new = 0;
    for request in requests {
        let recorded = request.await.unwrap();
        assert_eq!(recorded.job.flow_no, 1);
        new += u32::from(!recorded.replayed);
    }
    assert_eq!(new, 1);
    let jobs: i64 = till.value("SELECT count(*) FROM print_jobs");
    assert_eq!(jobs, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn flow_numbers_of_eight_clients_at_once_have_no_gap_and_follow_the_order_of_the_jobs() {
    let till = Till::new().await;
    let clients: Vec<_> = (0..8)
        .map(|client| {
            let store = till.store.clone();
            let sales: Vec<_> = (0..125).map(|n| till.sale(client * 1_000 + n)).collect();
            tokio::spawn(async move {
                let mut numbers = Vec::new();
                for sale in sales {
                    let mut other = sale.clone();
                    other.fingerprint = tillroll_domain::fingerprint::Fingerprint::of(b"other");
                    numbers.push(store.record_receipt(sale).await.unwrap().job.flow_no);
                    let refused = store.record_receipt(other).await;
                    assert!(matches!(refused, Err(StoreError::Conflict { .. })));
                }
                numbers
            })
        })
        .collect();
    let mut answered = BTreeSet::new();
    for client in clients {
        let numbers = client.await.unwrap();
        assert!(numbers.is_sorted(), "one client's sales keep their order");
        answered.extend(numbers);
    }
    assert!(answered.into_iter().eq(1..=1_000), "refusals among them cost no number");
    let connection = till.connection();
    for table in ["print_jobs", "outbox"] {
        let mut rows =
            connection.prepare(&format!("SELECT flow_no FROM {table} ORDER BY id")).unwrap();
        let order = rows.query_map([], |row| row.get::<_, i64>(0)).unwrap();
        assert!(order.map(Result::unwrap).eq(1..=1_000), "{table}");
    }
}

#[tokio::test]
async fn idle_printer_gets_the_job_claimed_in_the_commit_that_records_it() {
    let till = Till::new().await;
    let before = till.store.health().commits;
    let sale = NewReceipt { claiming: Some(claiming()), ..till.sale(1) };
    let recorded = till.store.record_receipt(sale).await.unwrap();
    assert_eq!(till.store.health().commits - before, 1);
    let claimed = recorded.claimed.unwrap();
    assert_eq!((claimed.job, claimed.number), (recorded.job.id, 1));
    assert_eq!(recorded.job.state, JobState::Printing);
    assert_eq!(recorded.job.drawer, DrawerState::Opened);
    let attempt = till.store.attempt(claimed.attempt).await.unwrap();
    assert_eq!((attempt.number, attempt.ended_at, attempt.outcome), (1, None, None));
    assert_eq!(attempt.planned, crate::support::planned());
}

#[tokio::test]
async fn job_is_not_claimed_at_once_behind_one_that_is_due_or_printing() {
    let till = Till::new().await;
    let ready = |n| NewReceipt { claiming: Some(claiming()), ..till.sale(n) };
    till.sell(1).await;
    let behind_due = till.store.record_receipt(ready(2)).await.unwrap();
    assert!(behind_due.claimed.is_none());
    assert_eq!(behind_due.job.drawer, DrawerState::Due, "the pulse waits for the attempt");

    till.print(till.front).await;
    till.claim(till.front).await;
    let behind_printing = till.store.record_receipt(ready(3)).await.unwrap();
    assert!(behind_printing.claimed.is_none());
    assert_eq!(behind_printing.job.state, JobState::Pending);
}

#[tokio::test]
async fn held_job_is_never_claimed_nor_due() {
    let till = Till::new().await;
    let held =
        NewReceipt { held: Some(HoldReason::Expired), claiming: Some(claiming()), ..till.sale(1) };
    let recorded = till.store.record_receipt(held).await.unwrap();
    assert!(recorded.claimed.is_none());
    assert_eq!(recorded.job.state, JobState::Held);
    assert_eq!(recorded.job.reason, Some(HoldReason::Expired.into()));
    assert_eq!(recorded.job.due_at, None);
    assert!(till.store.due_job(till.front, till.now()).await.unwrap().is_none());
    assert_eq!(till.store.next_due_at(till.front).await.unwrap(), None);
}

#[test]
fn receipt_is_recorded_without_a_runtime_too() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let till = runtime.block_on(Till::new());
    drop(runtime);
    assert!(!till.store.record_receipt_blocking(till.sale(1)).unwrap().replayed);
    assert!(till.store.record_receipt_blocking(till.sale(1)).unwrap().replayed);
}
