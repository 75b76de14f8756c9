//! The drawer opened without a sale: what became of each opening.

use tillroll_store::{NewDrawerOpening, OpeningId, OpeningOutcome};

use crate::support::Till;

async fn ask(till: &Till, reason: &str) -> OpeningId {
    let opening = NewDrawerOpening {
        printer: till.front,
        client: None,
        reason: reason.into(),
        day: till.today(),
    };
    till.store.record_drawer_opening(opening, till.now()).await.unwrap()
}

async fn outcomes(till: &Till) -> Vec<(String, OpeningOutcome)> {
    let openings = till.store.drawer_openings(till.today()).await.unwrap();
    openings.into_iter().map(|opening| (opening.reason, opening.outcome)).collect()
}

#[tokio::test]
async fn opening_is_due_until_it_is_settled_once() {
    let till = Till::new().await;
    let (first, second) = (ask(&till, "change").await, ask(&till, "wrong key").await);
    assert!(outcomes(&till).await.iter().all(|(_, outcome)| *outcome == OpeningOutcome::Due));
    till.store.settle_drawer_opening(first, OpeningOutcome::Opened).await.unwrap();
    till.store.settle_drawer_opening(second, OpeningOutcome::Dropped).await.unwrap();
    till.store.settle_drawer_opening(second, OpeningOutcome::Opened).await.unwrap();
    let settled = [("change", OpeningOutcome::Opened), ("wrong key", OpeningOutcome::Dropped)];
    assert_eq!(outcomes(&till).await, settled.map(|(reason, outcome)| (reason.into(), outcome)));
    let tomorrow = till.today().tomorrow().unwrap();
    assert!(till.store.drawer_openings(tomorrow).await.unwrap().is_empty());
}

#[tokio::test]
async fn opening_that_was_due_when_the_program_ended_is_dropped() {
    let till = Till::new().await;
    ask(&till, "change").await;
    let (till, _) = till.reopen();
    assert_eq!(outcomes(&till).await, [("change".into(), OpeningOutcome::Dropped)]);
}
