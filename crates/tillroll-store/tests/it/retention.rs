//! Bodies go after their time; ids and fingerprints stay for good.

use std::time::Duration;

use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_store::{NewReceipt, StoreError};

use crate::support::Till;

/// The head office has everything.
fn acknowledge(till: &Till) {
    till.connection().execute("UPDATE outbox SET state = 'acknowledged'", []).unwrap();
}

/// Sales printed long ago, their bodies dropped.
async fn forgotten(till: &Till, sales: u32) {
    for n in 1..=sales {
        till.sell(n).await;
        till.print(till.front).await;
    }
    acknowledge(till);
    till.clock.advance(Duration::from_secs(86_400));
    let dropped = till.store.drop_bodies(till.now(), 100).await.unwrap();
    assert_eq!(dropped, usize::try_from(sales).unwrap());
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
    assert_eq!(till.store.drop_bodies(old, 100).await.unwrap(), 0, "not acknowledged yet");
    acknowledge(&till);
    assert_eq!(till.store.drop_bodies(till.now(), 100).await.unwrap(), 0, "not old yet");
    assert_eq!(till.store.drop_bodies(old, 1).await.unwrap(), 1, "in portions");
    assert_eq!(till.store.drop_bodies(old, 100).await.unwrap(), 1);
    let gone: String = till.value(
        "SELECT group_concat(state, ' ') FROM print_jobs JOIN receipts USING (flow_no) WHERE body IS NULL",
    );
    assert_eq!(gone, "printed skipped");
}

#[tokio::test]
async fn day_keeps_its_sums_without_the_bodies() {
    let till = Till::new().await;
    let day = till.today();
    forgotten(&till, 3).await;
    let totals = till.store.day(day).await.unwrap().register;
    assert_eq!((totals.receipts, totals.gross_minor.0), (3, 3 * 1_250));
}
