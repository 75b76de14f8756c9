//! Bodies go after their time; ids and fingerprints stay for good.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_store::{Dropped, NewReceipt, Portion, StoreError};

use crate::support::Till;

/// The head office has everything.
fn acknowledge(till: &Till) {
    till.connection().execute("UPDATE outbox SET state = 'acknowledged'", []).unwrap();
}

/// Drops from the first receipt on.
async fn drop_before(till: &Till, before: Timestamp, dropped: u32) -> Dropped {
    let portion = Portion { looked_at: 100, dropped };
    till.store.drop_bodies(before, 0, portion).await.unwrap()
}

/// Sales printed long ago, their bodies dropped.
async fn forgotten(till: &Till, sales: u32) {
    for n in 1..=sales {
        till.sell(n).await;
        till.print(till.front).await;
    }
    acknowledge(till);
    till.clock.advance(Duration::from_secs(86_400));
    let dropped = drop_before(till, till.now(), 100).await;
    assert_eq!(dropped, Dropped { bodies: usize::try_from(sales).unwrap(), next: None });
}

#[tokio::test]
async fn old_id_sent_again_is_still_a_replay_or_a_conflict() {
    let till = Till::new().await;
    forgotten(&till, 1).await;
    let sale = till.sale(1);
    let other = NewReceipt { fingerprint: Fingerprint::of(b"other"), ..sale.clone() };
    assert!(till.store.record_receipt(sale).await.unwrap().replayed);
    let conflict = till.store.record_receipt(other).await;
    assert!(matches!(conflict, Err(StoreError::Conflict { .. })), "{conflict:?}");
    assert!(till.next_claim(till.front).await.is_none());
}

#[tokio::test]
async fn copy_of_a_receipt_whose_body_is_gone_is_refused_and_makes_no_job() {
    let till = Till::new().await;
    forgotten(&till, 1).await;
    let job = till.store.jobs(None, 1).await.unwrap().remove(0);
    let refused = till.ask(&job, Verb::Copy).await;
    assert!(matches!(refused, Err(StoreError::BodyGone)), "{refused:?}");
    assert_eq!(till.store.jobs(None, 9).await.unwrap().len(), 1);
    let body = till.store.body_of(job.flow_no).await;
    assert!(matches!(body, Err(StoreError::BodyGone)), "{body:?}");
}

#[tokio::test]
async fn body_stays_while_anything_about_it_is_open() {
    let till = Till::new().await;
    for (n, state) in (1..).zip(JobState::ALL) {
        till.job_in(n, state).await;
    }
    let old = till.now() + jiff::SignedDuration::from_hours(1);
    assert_eq!(drop_before(&till, old, 100).await.bodies, 0, "not acknowledged yet");
    acknowledge(&till);
    assert_eq!(drop_before(&till, till.now(), 100).await.bodies, 0, "not old yet");
    assert_eq!(drop_before(&till, old, 1).await.bodies, 1, "in portions");
    assert_eq!(drop_before(&till, old, 100).await.bodies, 1);
    let gone: String = till.value(
        "SELECT group_concat(state, ' ') FROM print_jobs JOIN receipts USING (flow_no) WHERE body IS NULL",
    );
    assert_eq!(gone, "printed skipped");
}

#[tokio::test]
async fn portions_go_through_all_old_receipts_and_end_at_the_new_ones() {
    let till = Till::new().await;
    for n in 1..=5 {
        till.sell(n).await;
        till.print(till.front).await;
    }
    till.clock.advance(Duration::from_secs(86_400));
    let before = till.now();
    for n in 6..=9 {
        till.sell(n).await;
        till.print(till.front).await;
    }
    acknowledge(&till);
    let portion = Portion { looked_at: 2, dropped: 2 };
    let (mut from, mut portions) = (Some(0), Vec::new());
    while let Some(flow_no) = from {
        let Dropped { bodies, next } =
            till.store.drop_bodies(before, flow_no, portion).await.unwrap();
        portions.push(bodies);
        from = next;
    }
    // The third has one old receipt and a new one; the fourth none that is old.
    assert_eq!(portions, [2, 2, 1, 0]);
    let left: i64 = till.value("SELECT min(flow_no) FROM receipts WHERE body IS NOT NULL");
    assert_eq!(left, 6);
}

#[tokio::test]
async fn row_without_its_body_is_the_same_row_otherwise() {
    let till = Till::new().await;
    till.sell(1).await;
    till.print(till.front).await;
    acknowledge(&till);
    till.clock.advance(Duration::from_secs(86_400));
    let columns: String = till.value(
        "SELECT group_concat('quote(' || name || ')', ' || '' '' || ') FROM pragma_table_info('receipts') WHERE name <> 'body'",
    );
    let row = || till.value::<String>(&format!("SELECT {columns} FROM receipts"));
    let before = row();
    assert_eq!(drop_before(&till, till.now(), 100).await.bodies, 1);
    assert_eq!(row(), before);
    let broken: i64 = till.value("SELECT count(*) FROM pragma_foreign_key_check");
    assert_eq!(broken, 0);
}

#[tokio::test]
async fn disk_of_dropped_bodies_is_used_again() {
    const RECEIPTS: i64 = 1_000;
    let till = Till::new().await;
    till.connection()
        .execute_batch(&format!(
            "BEGIN;
             INSERT INTO sessions (z_no, business_day, opened_at) VALUES (1, '2020-01-01', 0);
             INSERT INTO receipts (flow_no, kind, format, fingerprint, body, session, epoch,
                     recorded_at, recorded_boot_ms, takings_minor, tenders)
                 WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {RECEIPTS})
                 SELECT n, 'receipt', 'receipt', x'00', printf('%600d', n), 1, 1, 0, 0, 0, '{{}}' FROM n;
             COMMIT"
        ))
        .unwrap();
    let pages = |count: &str| till.value::<i64>(&format!("SELECT {count} FROM pragma_{count}"));
    let (all, free) = (pages("page_count"), pages("freelist_count"));
    let portion = Portion { looked_at: 2_000, dropped: 2_000 };
    let dropped = till.store.drop_bodies(till.now(), 0, portion).await.unwrap();
    assert_eq!(dropped.bodies, 1_000);
    let freed = pages("freelist_count") - free;
    assert!(freed * 2 > all, "of {all} pages {freed} were freed");
}

#[tokio::test]
async fn day_keeps_its_sums_without_the_bodies() {
    let till = Till::new().await;
    let day = till.today();
    forgotten(&till, 3).await;
    let totals = till.store.day(day).await.unwrap().register;
    assert_eq!((totals.receipts, totals.gross_minor.0), (3, 3 * 1_250));
}
