//! A killed program: what was acknowledged is there, and an open attempt waits for its judgement.

use tillroll_domain::print_job::{JobState, Verb};
use tillroll_store::{NewReceipt, Outcome};

use crate::support::{ClosedTill, Till, claiming, doubtful, printer};

/// Opens what a killed program left; it must not be taken for an older copy.
fn after_kill(killed: ClosedTill) -> Till {
    let (till, opened) = killed.open();
    assert_eq!(opened.new_epoch, None, "a kill is no restored copy");
    assert!(opened.rescue.is_none());
    till
}

#[tokio::test]
async fn kill_after_any_commit_is_not_taken_for_an_older_copy() {
    let till = Till::new().await;
    after_kill(till.killed());
    let job = till.sell(1).await;
    after_kill(till.killed());
    let claimed = till.claim(till.front).await;
    after_kill(till.killed());
    till.settle(&claimed, doubtful()).await;
    after_kill(till.killed());
    till.ask(&job, Verb::NotOnPaper).await.unwrap();
    after_kill(till.killed());
    till.record(NewReceipt { claiming: Some(claiming()), ..till.sale(2) }).await;
    let found = after_kill(till.killed());
    assert_eq!(found.store.jobs(None, 10).await.unwrap().len(), 2);
    assert!(found.store.record_receipt(found.sale(2)).await.unwrap().replayed);
    assert_eq!(found.sell(3).await.flow_no, 3);
}

#[tokio::test]
async fn store_that_was_dropped_without_a_close_opens_as_it_was() {
    let till = Till::new().await;
    till.sell(1).await;
    let Till { store, clock, front, folder } = till;
    drop(store);
    let found = after_kill(ClosedTill { folder, clock, front });
    assert_eq!(found.print(found.front).await.flow_no, 1);
}

#[tokio::test]
async fn job_claimed_before_the_kill_is_interrupted_and_not_due() {
    let till = Till::new().await;
    till.sell(1).await;
    till.sell(2).await;
    let claimed = till.claim(till.front).await;
    let found = after_kill(till.killed());
    let open = found.store.interrupted(found.front).await.unwrap().unwrap();
    assert_eq!((open.job.id, open.attempt.id), (claimed.job, claimed.attempt));
    assert_eq!((open.attempt.number, open.attempt.outcome), (1, None));
    assert_eq!(open.attempt.planned.cuts_before, Some(40));
    let due = found.store.due_job(found.front, found.now()).await.unwrap().unwrap();
    assert_eq!(due.job.flow_no, 2, "the interrupted one never comes again by itself");

    found.settle(&claimed, doubtful()).await;
    assert!(found.store.interrupted(found.front).await.unwrap().is_none());
}

#[tokio::test]
async fn job_without_an_attempt_is_simply_due_again() {
    let till = Till::new().await;
    till.sell(1).await;
    let found = after_kill(till.killed());
    assert!(found.store.interrupted(found.front).await.unwrap().is_none());
    let printed = found.print(found.front).await;
    assert_eq!((printed.state, printed.reprint), (JobState::Printed, false));
}

#[tokio::test]
async fn last_attempt_is_told_by_printer() {
    let till = Till::new().await;
    let spare = till.store.add_printer(printer("spare")).await.unwrap();
    assert!(till.store.last_attempt_at(till.front).await.unwrap().is_none());
    for n in 1..=2 {
        till.sell(n).await;
        till.print(till.front).await;
    }
    till.record(NewReceipt { printer: spare, ..till.sale(3) }).await;
    till.print(spare).await;
    let last = till.store.last_attempt_at(till.front).await.unwrap().unwrap();
    assert_eq!((last.job.flow_no, last.attempt.outcome), (2, Some(Outcome::Printed)));
    assert_eq!(till.store.last_attempt_at(spare).await.unwrap().unwrap().job.flow_no, 3);
}
