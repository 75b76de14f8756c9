//! Answers of people: copies, reroutes, skips, repeated answers.

use std::time::Duration;

use tillroll_domain::ids::OrderScope;
use tillroll_domain::print_job::{Confirmation, JobState, Verb};
use tillroll_store::{Answer, Answering, DrawerState, NewClient, Outcome, StoreError};

use crate::support::{Till, answer, doubtful, left_nothing, printer, proved};

#[tokio::test]
async fn copies_are_numbered_and_a_copy_of_a_copy_is_one_of_the_original() {
    let till = Till::new().await;
    let original = till.sell(1).await;
    till.print(till.front).await;
    let first = till.ask(&original, Verb::Copy).await.unwrap().job;
    assert_eq!(first.job_id.to_string(), "S1:R1-000001:receipt:v1:c1");
    assert_eq!((first.flow_no, first.state), (original.flow_no, JobState::Pending));
    assert_eq!((first.drawer, first.reprint), (DrawerState::None, false));
    let second = till.ask(&original, Verb::Copy).await.unwrap().job;
    assert_eq!(second.job_id.copy, Some(2));
    till.print(till.front).await;
    let of_copy = till.ask(&first, Verb::Copy).await.unwrap().job;
    assert_eq!(of_copy.job_id.to_string(), "S1:R1-000001:receipt:v1:c3");
    assert_eq!(till.job(&original).await.state, JobState::Printed);

    let story = till.store.story(first.job_id.to_string()).await.unwrap();
    let others: Vec<_> = story.copies.iter().map(String::as_str).collect();
    assert_eq!(others.len(), 3);
    assert!(others[0].ends_with(":v1") && others[1].ends_with(":c2") && others[2].ends_with(":c3"));
}

#[tokio::test]
async fn copy_touches_no_record_for_the_head_office() {
    let till = Till::new().await;
    let original = till.sell(1).await;
    till.print(till.front).await;
    let before: i64 = till.value("SELECT count(*) FROM outbox");
    till.ask(&original, Verb::Copy).await.unwrap();
    till.print(till.front).await;
    let after: i64 = till.value("SELECT count(*) FROM outbox");
    assert_eq!(after, before);
}

#[tokio::test]
async fn same_answer_twice_is_one() {
    let till = Till::new().await;
    for (n, verb, becomes) in
        [(1, Verb::OnPaper, JobState::Printed), (2, Verb::Skip, JobState::Skipped)]
    {
        let job = till.job_in(n, JobState::Unconfirmed).await;
        let first = till.ask(&job, verb).await.unwrap();
        let again = till.ask(&job, verb).await.unwrap();
        assert_eq!((first.unchanged, again.unchanged), (false, true), "{verb}");
        assert_eq!((again.job.state, again.job.row_version), (becomes, first.job.row_version));
        let story = till.store.story(job.job_id.to_string()).await.unwrap();
        assert_eq!(story.answers.len(), 1, "{verb}");
        assert_eq!(story.records.len(), 2, "the receipt and its print, each once");
    }
}

#[tokio::test]
async fn second_not_on_paper_never_prints_a_second_time() {
    let till = Till::new().await;
    let job = till.job_in(1, JobState::Unconfirmed).await;
    till.ask(&job, Verb::NotOnPaper).await.unwrap();
    let again = till.ask(&job, Verb::NotOnPaper).await;
    assert!(matches!(again, Err(StoreError::Refused(_))), "{again:?}");
    till.print(job.printer).await;
    let late = till.ask(&job, Verb::NotOnPaper).await;
    assert!(matches!(late, Err(StoreError::Refused(_))), "{late:?}");
    assert!(till.next_claim(job.printer).await.is_none());
}

#[tokio::test]
async fn skip_while_printing_settles_when_the_device_answers() {
    let till = Till::new().await;
    for (n, event, becomes) in [
        (1, proved(), JobState::Printed),
        (2, left_nothing(), JobState::Skipped),
        (3, doubtful(), JobState::Skipped),
    ] {
        let job = till.job_in(n, JobState::Printing).await;
        till.ask(&job, Verb::Skip).await.unwrap();
        assert!(till.ask(&job, Verb::Skip).await.unwrap().unchanged);
        let open = till.store.interrupted(job.printer).await.unwrap().unwrap();
        let claimed = tillroll_store::Claimed { job: job.id, attempt: open.attempt.id, number: 1 };
        let settled = till.settle(&claimed, event).await;
        assert_eq!((settled.state, settled.skip_asked), (becomes, false), "{event:?}");
    }
}

#[tokio::test]
async fn clerks_word_proves_the_job_and_ends_its_attempt() {
    let till = Till::new().await;
    let job = till.job_in(1, JobState::Sent).await;
    let answered = till.ask(&job, Verb::OnPaper).await.unwrap().job;
    assert_eq!(answered.confirmation, Some(Confirmation::Clerk));
    let story = till.store.story(job.job_id.to_string()).await.unwrap();
    assert_eq!(story.attempts[0].outcome, Some(Outcome::Printed));
}

#[tokio::test]
async fn answer_is_kept_with_who_gave_it() {
    let till = Till::new().await;
    let client = NewClient {
        name: "till-app".into(),
        token_hash: [1; 32],
        order_scope: OrderScope::Store,
        may_open_drawer: false,
        may_manage: false,
    };
    let client = Some(till.store.put_client(client, till.now()).await.unwrap());
    let job = till.sell(1).await;
    let by = Answering { client, now: till.now() };
    let skip = Answer { note: Some("paid by another".into()), ..answer(&job, Verb::Skip) };
    till.store.answer(skip, by).await.unwrap();
    let story = till.store.story(job.job_id.to_string()).await.unwrap();
    assert_eq!(story.answers[0].client.as_deref(), Some("till-app"));
    assert_eq!(story.answers[0].note.as_deref(), Some("paid by another"));
}

#[tokio::test]
async fn answer_that_lacks_something_is_refused_and_changes_nothing() {
    let till = Till::new().await;
    let job = till.sell(1).await;
    for verb in [Verb::Skip, Verb::Reroute] {
        let refused = till.answer(answer(&job, verb)).await;
        assert!(matches!(refused, Err(StoreError::Forbidden(_))), "{verb}: {refused:?}");
    }
    let nowhere = Answer { printer: Some("attic".into()), ..answer(&job, Verb::Reroute) };
    let refused = till.answer(nowhere).await;
    assert!(
        matches!(&refused, Err(StoreError::NotFound { what: "printer", name }) if name == "attic")
    );
    assert_eq!(till.job(&job).await.row_version, job.row_version);
    let nobody = Answer { job_id: "S1:9:receipt:v1".into(), ..answer(&job, Verb::Retry) };
    let refused = till.answer(nobody).await;
    assert!(matches!(refused, Err(StoreError::NotFound { what: "job", .. })), "{refused:?}");
}

#[tokio::test]
async fn reroute_prints_on_the_other_printer() {
    let till = Till::new().await;
    let spare = till.store.add_printer(printer("spare")).await.unwrap();
    let job = till.job_in(1, JobState::Unconfirmed).await;
    till.ask(&job, Verb::Reroute).await.unwrap();
    assert!(till.next_claim(job.printer).await.is_none());
    let printed = till.print(spare).await;
    assert_eq!((printed.id, printed.reprint, printed.attempts), (job.id, true, 2));
    let story = till.store.story(job.job_id.to_string()).await.unwrap();
    let went_to: Vec<_> = story.attempts.iter().map(|attempt| attempt.printer.as_str()).collect();
    assert_eq!(went_to, ["p1", "spare"]);
}

#[tokio::test]
async fn retry_of_a_waiting_job_is_due_at_once() {
    let till = Till::new().await;
    let job = till.sell(1).await;
    let claimed = till.claim(till.front).await;
    till.settle(&claimed, left_nothing()).await;
    till.clock.advance(Duration::from_millis(10));
    assert!(till.next_claim(till.front).await.is_none());
    till.ask(&job, Verb::Retry).await.unwrap();
    assert_eq!(till.claim(till.front).await.number, 2);
}
