//! Jobs of the head office over restarts and copies of the database.

use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_store::{Expiry, JobRow, NewCloud, NewReceipt, Pushed, StoreError};

use crate::support::Till;

const DEADLINE: Duration = Duration::from_secs(90);

async fn push(till: &Till, n: u32) -> JobRow {
    let expiry = Some(Expiry::after(DEADLINE, till.now(), till.clock.boot()));
    till.record(NewReceipt { pushed: Some(Pushed { expiry }), ..till.sale(n) }).await
}

#[tokio::test]
async fn deadline_counts_by_the_wall_clock_after_a_restart_of_the_machine() {
    let till = Till::new().await;
    let job = push(&till, 1).await;
    till.clock.advance(DEADLINE / 2);
    let closed = till.close();
    closed.clock.restart();
    let (till, _) = closed.open();
    let remaining = till.store.next_expiry(till.now(), till.clock.boot()).await.unwrap();
    assert_eq!(remaining, Some(DEADLINE / 2));
    till.clock.advance(DEADLINE / 2);
    assert_eq!(till.store.hold_expired(till.now(), till.clock.boot()).await.unwrap(), 1);
    assert_eq!(till.job(&job).await.state, JobState::Held);
    assert_eq!(till.store.next_expiry(till.now(), till.clock.boot()).await.unwrap(), None);
}

#[tokio::test]
async fn what_a_person_asked_for_expires_no_more() {
    let till = Till::new().await;
    let job = push(&till, 1).await;
    till.ask(&job, Verb::Retry).await.unwrap();
    till.clock.advance(DEADLINE * 2);
    assert_eq!(till.store.hold_expired(till.now(), till.clock.boot()).await.unwrap(), 0);
}

#[tokio::test]
async fn job_of_the_pos_is_told_only_once_the_head_office_pushed_it_too() {
    let till = Till::new().await;
    till.sell(1).await;
    till.print(till.front).await;
    assert!(till.store.results_to_tell(9).await.unwrap().is_empty());
    let again = NewReceipt { pushed: Some(Pushed::default()), ..till.sale(1) };
    assert!(till.store.record_receipt(again).await.unwrap().replayed);
    let told = till.store.results_to_tell(9).await.unwrap();
    assert_eq!(told.len(), 1);
    till.store.results_told(vec![(told[0].id.clone(), told[0].row_version)]).await.unwrap();
    assert!(till.store.results_to_tell(9).await.unwrap().is_empty());
}

#[tokio::test]
async fn head_office_is_a_client_nobody_can_be_and_takes_no_ones_name() {
    let cloud = || NewCloud { url: "u".into(), store_uid: "s".into(), store_name: "n".into() };
    let till = Till::new().await;
    till.store.pair_cloud(cloud(), till.now()).await.unwrap();
    till.store.pair_cloud(cloud(), till.now()).await.unwrap();
    assert!(till.store.client_by_token([0; 32]).await.unwrap().is_none());
    assert_eq!(till.store.cloud().await.unwrap().unwrap().store_uid, "s");
    till.store.unpair_cloud().await.unwrap();
    assert_eq!(till.store.cloud().await.unwrap(), None);

    let other = Till::new().await;
    let client = tillroll_store::NewClient {
        name: "cloud".into(),
        token_hash: [1; 32],
        order_scope: Default::default(),
        may_open_drawer: false,
        may_manage: false,
    };
    other.store.put_client(client, other.now()).await.unwrap();
    let taken = other.store.pair_cloud(cloud(), other.now()).await;
    assert!(matches!(taken, Err(StoreError::Taken { .. })), "{taken:?}");
}
