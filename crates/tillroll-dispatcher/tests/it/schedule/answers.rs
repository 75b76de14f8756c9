use tillroll_domain::print_job::JobState;
use tillroll_wire::Code;
use tillroll_wire::channel::{Down, Up};
use tillroll_wire::job::CloudState;
use tokio::time::Instant;

use super::world::{World, hello, id, ms, result, s};

#[tokio::test(start_paused = true)]
async fn job_is_pushed_at_once_after_its_row_says_so_and_printed_by_a_result_only() {
    let world = World::new().await;
    let mut register = world.register().await;
    let start = Instant::now();
    world.submit(1).await;
    let push = register.pushed().await;
    assert!(start.elapsed() <= ms(2), "{:?}", start.elapsed());
    assert_eq!((&push.id, push.held), (&id(1), None));
    assert_eq!(push.body["order_no"], "1");
    assert!(push.remaining_ms.unwrap() > 89_000);
    assert_eq!(world.state(1).await.0, CloudState::Pushed);
    register.accepts(&push).await;
    world.until(1, CloudState::Accepted).await;
    register.reports(&push.id, JobState::Printed, 4).await;
    register.is_told_stored(&push.id, 4).await;
    let job = world.job(1).await;
    assert_eq!(
        (job.state, job.late, job.pushes, job.result_version),
        (CloudState::Printed, false, 1, 4)
    );
    assert_eq!(register.next_within(s(300)).await, None, "nothing more is said of it");
}

#[tokio::test(start_paused = true)]
async fn unanswered_push_is_repeated_with_the_same_id_2_4_and_6_s_later() {
    let world = World::new().await;
    let mut register = world.register().await;
    let start = Instant::now();
    world.submit(1).await;
    let mut after = Vec::new();
    for _ in 0..4 {
        assert_eq!(register.pushed().await.id, id(1));
        after.push(start.elapsed().as_secs());
    }
    assert_eq!(after, [0, 2, 6, 12]);
    assert_eq!(world.job(1).await.pushes, 4);
}

#[tokio::test(start_paused = true)]
async fn accepted_job_is_asked_after_and_not_pushed_again() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    let push = register.pushed().await;
    register.accepts(&push).await;
    let start = Instant::now();
    for seconds in [2, 6, 12] {
        assert_eq!(register.next().await, Down::Status { id: id(1) });
        assert_eq!(start.elapsed().as_secs(), seconds);
    }
    register.reports(&push.id, JobState::Printing, 2).await;
    register.reports(&push.id, JobState::Printed, 3).await;
    world.until(1, CloudState::Printed).await;
}

#[tokio::test(start_paused = true)]
async fn answer_to_a_question_counts_as_acceptance() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    let push = register.pushed().await;
    register.reports(&push.id, JobState::Pending, 1).await;
    world.until(1, CloudState::Accepted).await;
}

#[tokio::test(start_paused = true)]
async fn refused_job_is_rejected_with_the_code() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    let push = register.pushed().await;
    let detail = "lines: the sums differ".to_owned();
    register.says(Up::Refused { id: push.id, code: Code::InvalidReceipt, detail }).await;
    let job = world.until(1, CloudState::Rejected).await;
    assert_eq!(job.reason.as_deref(), Some("invalid_receipt"));
}

#[tokio::test(start_paused = true)]
async fn job_that_is_there_with_another_body_is_a_conflict() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    let mut push = register.pushed().await;
    push.fingerprint = tillroll_domain::fingerprint::Fingerprint::of(b"other");
    register.accepts(&push).await;
    let job = world.until(1, CloudState::Rejected).await;
    assert_eq!(job.reason.as_deref(), Some("conflict"));
}

#[tokio::test(start_paused = true)]
async fn older_and_repeated_results_are_acknowledged_and_change_nothing() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    let push = register.pushed().await;
    register.reports(&push.id, JobState::Failed, 7).await;
    register.is_told_stored(&push.id, 7).await;
    register.reports(&push.id, JobState::Unconfirmed, 5).await;
    register.is_told_stored(&push.id, 5).await;
    register.reports(&push.id, JobState::Failed, 7).await;
    register.is_told_stored(&push.id, 7).await;
    let job = world.job(1).await;
    assert_eq!((job.state, job.late, job.result_version), (CloudState::Failed, false, 7));
    register.reports(&push.id, JobState::Printed, 9).await;
    register.is_told_stored(&push.id, 9).await;
    let job = world.job(1).await;
    assert_eq!(
        (job.state, job.late),
        (CloudState::Printed, true),
        "the clerk printed it after all"
    );
}

#[tokio::test(start_paused = true)]
async fn what_a_register_says_of_jobs_it_was_never_sent_changes_nothing() {
    let world = World::new().await;
    let mut owner = world.register().await;
    let credential = world.pair("R2", "bb").await;
    let mut other = world.connect(&credential, hello("bb", &["bar"])).await.unwrap();
    world.submit(1).await;
    let push = owner.pushed().await;
    other.accepts(&push).await;
    let refused = Up::Refused { id: id(1), code: Code::Conflict, detail: String::new() };
    other.says(refused).await;
    other.says(Up::Unknown { id: id(1) }).await;
    other.says(Up::Result(result(&id(99), JobState::Printed, 1))).await;
    assert_eq!(other.next_within(ms(500)).await, None);
    assert_eq!(world.state(1).await.0, CloudState::Pushed);
    owner.accepts(&push).await;
    world.until(1, CloudState::Accepted).await;
}
