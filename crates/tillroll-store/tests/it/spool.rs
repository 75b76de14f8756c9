//! What a printer's worker asks of the store: order, claims, settlements, due times.

use std::time::Duration;

use jiff::SignedDuration;
use tillroll_domain::print_job::{HoldReason, JobState, Verb};
use tillroll_store::{DrawerState, NewReceipt, Outcome, StoreError};
use tillroll_testkit::receipts;

use crate::support::{Till, claim_of, doubtful, left_nothing, printer, proved, settlement};

/// Prints everything that is due, and tells in which order.
async fn print_all(till: &Till) -> Vec<String> {
    let mut printed = Vec::new();
    while till.next_claim(till.front).await.is_some() {
        printed.push(till.print(till.front).await.job_id.to_string());
    }
    printed
}

#[tokio::test]
async fn due_jobs_come_by_priority_then_flow_number_then_copy() {
    let till = Till::new().await;
    let original = till.sell(1).await;
    till.print(till.front).await;
    let mut prebill = receipts::simple(2);
    prebill.kind = tillroll_domain::ids::JobKind::Prebill;
    for receipt in [prebill, receipts::kitchen_order(), receipts::refund(), receipts::simple(3)] {
        till.record(till.new_receipt(&receipt)).await;
    }
    till.ask(&original, Verb::Copy).await.unwrap();
    till.ask(&original, Verb::Copy).await.unwrap();
    assert_eq!(
        print_all(&till).await,
        [
            "S1:R1-000001:receipt:v1:c1",
            "S1:R1-000001:receipt:v1:c2",
            "S1:20261009-000124:refund:v1",
            "S1:R1-000003:receipt:v1",
            "S1:20261009-000125:kitchen:v1",
            "S1:R1-000002:prebill:v1",
        ]
    );
}

#[tokio::test]
async fn failed_held_and_backing_off_jobs_never_block_the_next() {
    let till = Till::new().await;
    let failed = till.sell(1).await;
    till.store.fail_unrenderable(failed, till.now()).await.unwrap();
    till.record(NewReceipt { held: Some(HoldReason::PausedOrder), ..till.sale(2) }).await;
    till.sell(3).await;
    let claimed = till.claim(till.front).await;
    till.settle(&claimed, left_nothing()).await;
    till.sell(4).await;
    let due = till.store.due_job(till.front, till.now()).await.unwrap().unwrap();
    assert_eq!(due.job.flow_no, 4);
    assert_eq!(due.body.unwrap().text, receipts::json(&receipts::simple(4)));
}

#[tokio::test]
async fn job_without_readable_content_is_due_with_its_fault_and_can_fail() {
    let till = Till::new().await;
    for (n, spoil) in [(1, "body = NULL"), (2, "format = 'unknown'")] {
        let job = till.sell(n).await;
        let sql = format!(
            "PRAGMA ignore_check_constraints = ON;
             UPDATE receipts SET {spoil} WHERE flow_no = {}",
            job.flow_no
        );
        till.connection().execute_batch(&sql).unwrap();
        let due = till.store.due_job(till.front, till.now()).await.unwrap().unwrap();
        assert!(due.body.is_err(), "{spoil}");
        till.store.fail_unrenderable(due.job, till.now()).await.unwrap();
        assert_eq!(till.job(&job).await.state, JobState::Failed);
    }
    till.sell(3).await;
    assert!(till.next_claim(till.front).await.is_some(), "the next job is not blocked");
}

#[tokio::test]
async fn settling_one_job_and_claiming_the_next_share_one_commit() {
    let till = Till::new().await;
    till.sell(1).await;
    till.sell(2).await;
    let first = till.claim(till.front).await;
    let before = till.store.health().commits;
    let claim = till.next_claim(till.front).await;
    let ended = Some(settlement(&first, proved()));
    let done = till.store.settle_and_claim(till.front, ended, claim, till.now()).await.unwrap();
    assert_eq!(till.store.health().commits - before, 1);
    assert_eq!(done.0.unwrap().state, JobState::Printed);
    let second = done.1.unwrap();
    assert_eq!(second.number, 1);
    assert!(second.attempt > first.attempt);
    let open: i64 = till.value("SELECT count(*) FROM attempts WHERE ended_at IS NULL");
    assert_eq!(open, 1);
}

#[tokio::test]
async fn claim_of_a_row_that_changed_is_not_made_and_the_settlement_stands() {
    let till = Till::new().await;
    till.sell(1).await;
    let next = till.sell(2).await;
    let first = till.claim(till.front).await;
    let stale = claim_of(&next);
    till.ask(&next, Verb::Retry).await.unwrap();
    let ended = Some(settlement(&first, proved()));
    let done = till.store.settle_and_claim(till.front, ended, Some(stale), till.now()).await;
    let (settled, claimed) = done.unwrap();
    assert_eq!(settled.unwrap().state, JobState::Printed);
    assert!(claimed.is_none());
    assert_eq!(till.job(&next).await.attempts, 0);
}

#[tokio::test]
async fn change_of_a_row_that_changed_meanwhile_is_stale() {
    let till = Till::new().await;
    let read = till.sell(1).await;
    let asked_for = till.ask(&read, Verb::Retry).await.unwrap().job;
    let stale = till.store.fail_unrenderable(read, till.now()).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    assert_eq!(till.job(&asked_for).await.state, JobState::Pending);
}

#[tokio::test]
async fn claim_of_a_job_that_is_no_longer_the_first_is_not_made() {
    let till = Till::new().await;
    let kitchen = till.record(till.new_receipt(&receipts::kitchen_order())).await;
    let receipt = till.sell(1).await;
    let late = Some(claim_of(&kitchen));
    let done = till.store.settle_and_claim(till.front, None, late, till.now()).await.unwrap();
    assert!(done.1.is_none());
    assert_eq!(till.claim(till.front).await.job, receipt.id);
}

#[tokio::test]
async fn second_claim_at_a_printer_is_refused_while_one_is_printing() {
    let till = Till::new().await;
    till.sell(1).await;
    till.sell(2).await;
    till.claim(till.front).await;
    let claim = till.next_claim(till.front).await;
    let refused = till.store.settle_and_claim(till.front, None, claim, till.now()).await;
    assert!(matches!(refused, Err(StoreError::Occupied)), "{refused:?}");
}

#[tokio::test]
async fn database_itself_forbids_two_printing_jobs_at_one_printer() {
    let till = Till::new().await;
    let spare = till.store.add_printer(printer("spare")).await.unwrap();
    till.sell(1).await;
    till.sell(2).await;
    till.record(NewReceipt { printer: spare, ..till.sale(3) }).await;
    let printing = |flow_no: i64| {
        let sql = "UPDATE print_jobs SET state = 'printing', due_at = NULL WHERE flow_no = ?1";
        till.connection().execute(sql, [flow_no])
    };
    printing(1).unwrap();
    assert!(printing(2).unwrap_err().to_string().contains("UNIQUE"), "same printer");
    printing(3).unwrap();
}

#[tokio::test]
async fn attempt_that_left_nothing_backs_off_and_the_fifth_fails_the_job() {
    let till = Till::new().await;
    let job = till.sell(1).await;
    for seconds in [1, 2, 4, 8] {
        let claimed = till.claim(till.front).await;
        let waiting = till.settle(&claimed, left_nothing()).await;
        assert_eq!(waiting.state, JobState::Pending);
        assert!(!waiting.reprint, "nothing is on paper");
        let due = till.now() + SignedDuration::from_secs(seconds);
        assert_eq!(till.store.next_due_at(till.front).await.unwrap(), Some(due));
        assert!(till.next_claim(till.front).await.is_none(), "not before {seconds} s");
        till.clock.advance(Duration::from_secs(seconds.unsigned_abs()));
    }
    let claimed = till.claim(till.front).await;
    assert_eq!(claimed.number, 5);
    assert_eq!(till.settle(&claimed, left_nothing()).await.state, JobState::Failed);
    assert_eq!(till.store.next_due_at(till.front).await.unwrap(), None);

    till.ask(&job, Verb::Retry).await.unwrap();
    let claimed = till.claim(till.front).await;
    assert_eq!(claimed.number, 6, "attempts go on counting, the budget is new");
    assert_eq!(till.settle(&claimed, left_nothing()).await.state, JobState::Pending);
}

#[tokio::test]
async fn drawer_pulse_is_given_with_the_first_attempt_only() {
    let till = Till::new().await;
    till.sell(1).await;
    let claimed = till.claim(till.front).await;
    let waiting = till.settle(&claimed, left_nothing()).await;
    assert_eq!(waiting.drawer, DrawerState::Opened);
    till.clock.advance(Duration::from_secs(1));
    let mut claim = till.next_claim(till.front).await.unwrap();
    claim.drawer = DrawerState::Dropped;
    till.store.settle_and_claim(till.front, None, Some(claim), till.now()).await.unwrap();
    assert_eq!(till.job(&waiting).await.drawer, DrawerState::Opened, "what was given was given");
}

#[tokio::test]
async fn late_proof_ends_the_attempt_a_second_time() {
    let till = Till::new().await;
    let job = till.sell(1).await;
    let claimed = till.claim(till.front).await;
    assert_eq!(till.settle(&claimed, doubtful()).await.state, JobState::Unconfirmed);
    let attempt = till.store.attempt(claimed.attempt).await.unwrap();
    assert_eq!(attempt.outcome, Some(Outcome::Unconfirmed));
    assert!(attempt.cause.is_some());

    assert_eq!(till.settle(&claimed, proved()).await.state, JobState::Printed);
    let attempt = till.store.attempt(claimed.attempt).await.unwrap();
    assert_eq!((attempt.outcome, attempt.cause), (Some(Outcome::Printed), None));
    let story = till.store.story(job.job_id.to_string()).await.unwrap();
    assert_eq!(story.attempts.len(), 1);
}

#[tokio::test]
async fn settlement_behind_a_persons_answer_is_refused_and_claims_nothing() {
    let till = Till::new().await;
    let job = till.sell(1).await;
    let next = till.sell(2).await;
    let claimed = till.claim(till.front).await;
    till.settle(&claimed, doubtful()).await;
    till.ask(&job, Verb::OnPaper).await.unwrap();
    let ended = Some(settlement(&claimed, proved()));
    let claim = Some(claim_of(&next));
    let refused = till.store.settle_and_claim(till.front, ended, claim, till.now()).await;
    assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
    assert_eq!(till.job(&next).await.state, JobState::Pending);
}

#[tokio::test]
async fn due_times_left_by_a_clock_days_ahead_are_pulled_in() {
    let till = Till::new().await;
    let days = SignedDuration::from_hours(3 * 24);
    till.clock.jump(days);
    till.sell(1).await;
    let claimed = till.claim(till.front).await;
    till.settle(&claimed, left_nothing()).await;
    till.sell(2).await;
    till.clock.jump(-days);
    assert!(till.next_claim(till.front).await.is_none(), "due in three days");

    assert_eq!(till.store.clamp_due_times(till.now()).await.unwrap(), 2);
    let due = till.store.next_due_at(till.front).await.unwrap().unwrap();
    assert_eq!(due.duration_since(till.now()), SignedDuration::from_secs(30));
    assert_eq!(till.store.clamp_due_times(till.now()).await.unwrap(), 0);
    till.clock.advance(Duration::from_secs(30));
    assert_eq!(till.print(till.front).await.flow_no, 1, "in their order");
    assert_eq!(till.print(till.front).await.flow_no, 2);
}

#[tokio::test]
async fn sales_under_a_clock_days_behind_keep_both_times_and_their_order() {
    let till = Till::new().await;
    let right = till.sell(1).await;
    till.clock.jump(SignedDuration::from_hours(-3 * 24));
    let mut sale = receipts::simple(2);
    sale.issued_at = Some("2026-10-12T10:00:05+08:00".parse().unwrap());
    let wrong = till.record(till.new_receipt(&sale)).await;
    let story = till.store.story(wrong.job_id.to_string()).await.unwrap();
    assert_eq!((story.issued_at, story.recorded_at), (sale.issued_at, till.now()));
    till.clock.jump(SignedDuration::from_hours(3 * 24));
    assert_eq!(till.print(till.front).await.id, right.id);
    assert_eq!(till.print(till.front).await.id, wrong.id);
}

#[tokio::test]
async fn backlog_that_nothing_happened_to_for_long_is_held() {
    let till = Till::new().await;
    let old = till.sell(1).await;
    let asked_for = till.sell(2).await;
    till.clock.advance(Duration::from_secs(3_600));
    let fresh = till.sell(3).await;
    till.ask(&asked_for, Verb::Retry).await.unwrap();
    let half_an_hour_ago = till.now() - SignedDuration::from_mins(30);
    let hold = || till.store.hold_stale(till.front, half_an_hour_ago, till.now());
    assert_eq!(hold().await.unwrap(), 1);
    assert_eq!(hold().await.unwrap(), 0);
    let held = till.job(&old).await;
    assert_eq!((held.state, held.reason), (JobState::Held, Some(HoldReason::Stale.into())));
    for waiting in [&asked_for, &fresh] {
        assert_eq!(till.job(waiting).await.state, JobState::Pending);
    }
    till.ask(&old, Verb::Print).await.unwrap();
    assert_eq!(hold().await.unwrap(), 0, "the answer says that it is wanted");
}
