//! Jobs come down: durable before they are accepted, printed once, and only paper is told as printed.

use std::time::Duration;

use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::{Event, HoldReason, JobCause, JobReason, JobState, Verb};
use tillroll_domain::printer::StopReason;
use tillroll_store::{Answer, Answering, DueJob};
use tillroll_sync::{Announced, Cloud, Connectivity};
use tillroll_testkit::receipts;
use tillroll_wire::Code;
use tillroll_wire::channel::{Down, JobResult, PrinterReport, Push, Up};

use crate::support::{Office, Session, Till, start, status, until, without_repair};

struct Shop {
    till: Till,
    office: Office,
    cloud: Cloud,
    session: Session,
}

/// A register that is connected.
async fn connected() -> Shop {
    let till = Till::new().await;
    let office = Office::new(&till.clock);
    let cloud = start(&till, &office, without_repair()).await;
    let session = office.session().await;
    Shop { till, office, cloud, session }
}

fn push(n: u32) -> Push {
    let receipt = receipts::simple(n);
    Push {
        id: id(n),
        fingerprint: receipt.fingerprint().unwrap(),
        body: serde_json::to_value(&receipt).unwrap(),
        printer: "front".parse().unwrap(),
        remaining_ms: Some(60_000),
        held: None,
    }
}

fn id(n: u32) -> JobId {
    format!("S1:R1-{n:06}:receipt:v1").parse().unwrap()
}

fn accepted(n: u32) -> Up {
    Up::Accepted { id: id(n), fingerprint: push(n).fingerprint }
}

impl Shop {
    async fn pushed(&mut self, n: u32) {
        self.session.say(Down::Push(push(n))).await;
        assert_eq!(self.session.heard().await, accepted(n));
    }

    async fn result(&mut self) -> JobResult {
        match self.session.heard().await {
            Up::Result(result) => result,
            other => panic!("{other:?}"),
        }
    }

    /// What comes within a while; nothing as a rule.
    async fn silence(&mut self) -> Option<Up> {
        tokio::time::timeout(Duration::from_millis(300), self.session.up.recv())
            .await
            .ok()
            .flatten()
    }

    async fn store_result(&self, result: &JobResult) {
        let stored = Down::ResultStored { id: result.id.clone(), row_version: result.row_version };
        self.session.say(stored).await;
    }
}

#[tokio::test]
async fn pushed_job_is_durable_before_it_is_accepted_and_only_its_paper_is_told() {
    let mut shop = connected().await;
    shop.pushed(1).await;
    assert_eq!(shop.till.job(&id(1)).await.state, JobState::Pending);
    let story = shop.till.store.story(id(1).to_string()).await.unwrap();
    assert_eq!(story.records.len(), 1, "it is a receipt like any other");
    assert_eq!(shop.silence().await, None, "accepted is not paper");
    shop.till.print().await;
    let result = shop.result().await;
    assert_eq!((&result.id, result.state), (&id(1), JobState::Printed));
    assert!(result.confirmation.is_some());
    shop.store_result(&result).await;
    let untold = async || shop.till.store.results_to_tell(9).await.unwrap();
    until("it is told", untold, Vec::is_empty).await;
}

#[tokio::test]
async fn same_push_again_is_accepted_again_and_makes_one_job() {
    let mut shop = connected().await;
    shop.pushed(1).await;
    shop.pushed(1).await;
    assert_eq!(shop.till.store.jobs(None, 9).await.unwrap().len(), 1);
    shop.till.print().await;
    let printed = shop.result().await;
    shop.store_result(&printed).await;
    shop.session.say(Down::Push(push(1))).await;
    // The result may have been told once more before it was acknowledged.
    while shop.session.heard().await != accepted(1) {}
    assert_eq!(shop.result().await, printed, "its paper is told again to who asks again");
}

#[tokio::test]
async fn push_with_a_known_id_and_another_body_is_refused_and_changes_nothing() {
    let mut shop = connected().await;
    shop.pushed(1).await;
    let mut other = receipts::simple(1);
    other.footer = vec!["another".into()];
    let body = serde_json::to_value(&other).unwrap();
    let fingerprint = other.fingerprint().unwrap();
    shop.session.say(Down::Push(Push { body, fingerprint, ..push(1) })).await;
    let Up::Refused { code, .. } = shop.session.heard().await else { panic!("it was taken") };
    assert_eq!(code, Code::Conflict);
    assert_eq!(shop.till.store.jobs(None, 9).await.unwrap().len(), 1);
}

#[tokio::test]
async fn result_is_told_until_it_is_acknowledged_over_connections_too() {
    let mut shop = connected().await;
    shop.pushed(1).await;
    shop.till.print().await;
    let first = shop.result().await;
    assert_eq!(shop.result().await, first, "again without an acknowledgement");
    shop.session = {
        drop(shop.session);
        shop.office.session().await
    };
    let again = shop.session.heard().await;
    assert_eq!(again, Up::Result(first.clone()));
    shop.store_result(&first).await;
    let untold = async || shop.till.store.results_to_tell(9).await.unwrap();
    until("it is told", untold, Vec::is_empty).await;
}

#[tokio::test]
async fn status_is_answered_with_the_state_or_that_the_job_is_unknown() {
    let mut shop = connected().await;
    shop.pushed(1).await;
    shop.session.say(Down::Status { id: id(1) }).await;
    assert_eq!(shop.result().await.state, JobState::Pending);
    shop.session.say(Down::Status { id: id(2) }).await;
    assert_eq!(shop.session.heard().await, Up::Unknown { id: id(2) });
}

#[tokio::test]
async fn canceled_job_is_skipped_unless_it_may_be_on_paper() {
    let mut shop = connected().await;
    shop.pushed(1).await;
    shop.session.say(Down::Cancel { id: id(1) }).await;
    let skipped = shop.result().await;
    assert_eq!(skipped.state, JobState::Skipped);
    shop.store_result(&skipped).await;
    let story = shop.till.store.story(id(1).to_string()).await.unwrap();
    assert_eq!(story.answers[0].client.as_deref(), Some("cloud"));

    shop.session.say(Down::Push(push(2))).await;
    while shop.session.heard().await != accepted(2) {}
    shop.till.attempt(Event::MaybeOnPaper(JobReason::Job(JobCause::NoAnswer))).await;
    shop.session.say(Down::Cancel { id: id(2) }).await;
    assert_eq!(shop.result().await.state, JobState::Unconfirmed);
    assert_eq!(shop.till.job(&id(2)).await.state, JobState::Unconfirmed, "a clerk must look");
}

#[tokio::test]
async fn job_nobody_started_in_time_is_held_and_prints_when_the_clerk_says_so() {
    let mut shop = connected().await;
    shop.session.say(Down::Push(Push { remaining_ms: Some(150), ..push(1) })).await;
    assert_eq!(shop.session.heard().await, accepted(1));
    let job = until(
        "it is held",
        async || shop.till.job(&id(1)).await,
        |job| job.state == JobState::Held,
    );
    assert_eq!(job.await.reason, Some(HoldReason::Expired.into()));
    let answer = Answer { job_id: id(1).to_string(), verb: Verb::Print, note: None, printer: None };
    let by = Answering { client: None, now: shop.till.now() };
    shop.till.store.answer(answer, by).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let due = shop.till.store.due_job(shop.till.front, shop.till.now()).await.unwrap();
    assert!(matches!(due, Some(DueJob { expiry: None, .. })), "it expires no second time");
    shop.till.print().await;
    assert_eq!(shop.result().await.state, JobState::Printed, "a late result is told");
}

#[tokio::test]
async fn deadline_counts_by_the_boot_clock() {
    let mut shop = connected().await;
    shop.pushed(1).await;
    shop.till.clock.set(jiff::SignedDuration::from_hours(72));
    shop.pushed(2).await;
    assert_eq!(shop.till.job(&id(1)).await.state, JobState::Pending, "the wall clock was set");
}

#[tokio::test]
async fn job_that_is_pushed_as_held_waits_for_the_clerk() {
    let mut shop = connected().await;
    shop.session.say(Down::Push(Push { held: Some(HoldReason::Expired), ..push(1) })).await;
    assert_eq!(shop.session.heard().await, accepted(1));
    let job = shop.till.job(&id(1)).await;
    assert_eq!((job.state, job.reason), (JobState::Held, Some(HoldReason::Expired.into())));
}

#[tokio::test]
async fn changes_of_printers_are_told() {
    let mut shop = connected().await;
    shop.till.printers.stop(Some(StopReason::PaperEnd));
    let stopped = PrinterReport {
        name: "front".parse().unwrap(),
        ready: false,
        reason: Some(StopReason::PaperEnd),
    };
    assert_eq!(shop.session.heard().await, Up::Printer(stopped));
    shop.till.printers.set(Announced::default());
    assert_eq!(shop.session.heard().await, Up::PrinterRemoved { name: "front".parse().unwrap() });
    assert_eq!(shop.session.heard().await, Up::Routes { routes: Default::default() });
}

#[tokio::test]
async fn name_that_belongs_to_another_register_is_shown() {
    let shop = connected().await;
    shop.session.say(Down::PrinterNameTaken { name: "front".parse().unwrap() }).await;
    status(&shop.cloud, "it is shown", |status| status.names_taken.len() == 1).await;
}

#[tokio::test]
async fn replaced_register_stops_with_a_visible_state() {
    let shop = connected().await;
    let detail = "another machine".to_owned();
    let bye = Down::Bye { code: Code::Replaced, detail, retry_after_ms: None };
    shop.session.say(bye).await;
    let refused = |status: &tillroll_sync::CloudStatus| {
        matches!(status.connection, Connectivity::Refused { code: Code::Replaced, .. })
    };
    status(&shop.cloud, "it is refused", refused).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(shop.office.state().channels, 1, "no storm");
    assert!(refused(&shop.cloud.status()));
}

#[tokio::test]
async fn head_office_that_stops_is_left_alone_for_as_long_as_it_says() {
    let shop = connected().await;
    let began = tokio::time::Instant::now();
    let detail = "restart".to_owned();
    let bye = Down::Bye { code: Code::Stopping, detail, retry_after_ms: Some(1_200) };
    shop.session.say(bye).await;
    let session = shop.office.session().await;
    assert!(began.elapsed() >= Duration::from_millis(1_200));
    status(&shop.cloud, "it is online", |status| {
        matches!(status.connection, Connectivity::Online { .. })
    })
    .await;
    drop(session);
    shop.cloud.stop().await;
}

#[tokio::test]
async fn push_that_comes_too_late_is_held_at_once() {
    let mut shop = connected().await;
    shop.session.say(Down::Push(Push { remaining_ms: Some(0), ..push(1) })).await;
    assert_eq!(shop.session.heard().await, accepted(1));
    assert_eq!(shop.till.job(&id(1)).await.reason, Some(HoldReason::Expired.into()));
}
