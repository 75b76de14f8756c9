use tillroll_dispatcher::schedule::CancelError;
use tillroll_domain::print_job::JobState;
use tillroll_wire::channel::Down;
use tillroll_wire::job::CloudState;

use super::world::{World, hello, id, s};

#[tokio::test(start_paused = true)]
async fn job_that_never_left_is_canceled_at_once() {
    let world = World::new().await;
    world.submit(1).await;
    world.until(1, CloudState::Parked).await;
    let job = world.scheduler.cancel(world.no(), id(1)).await.unwrap();
    assert_eq!(job.state, CloudState::Canceled);
    let again = world.scheduler.cancel(world.no(), id(1)).await.unwrap();
    assert_eq!(again.row_version, job.row_version, "asking twice changes nothing");
    let mut register = world.register().await;
    assert_eq!(register.next_within(s(120)).await, None);
}

#[tokio::test(start_paused = true)]
async fn register_is_asked_until_it_answers() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    let push = register.pushed().await;
    register.accepts(&push).await;
    world.until(1, CloudState::Accepted).await;
    let job = world.scheduler.cancel(world.no(), id(1)).await.unwrap();
    assert_eq!(job.state, CloudState::CancelRequested);
    assert_eq!(register.next().await, Down::Cancel { id: id(1) });
    assert_eq!(register.next().await, Down::Cancel { id: id(1) }, "asked again");
    register.reports(&push.id, JobState::Skipped, 4).await;
    world.until(1, CloudState::Canceled).await;
}

#[tokio::test(start_paused = true)]
async fn job_that_had_begun_is_printed_in_spite_of_the_cancel() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    let push = register.pushed().await;
    world.scheduler.cancel(world.no(), id(1)).await.unwrap();
    register.reports(&push.id, JobState::Printed, 4).await;
    let job = world.until(1, CloudState::Printed).await;
    assert!(!job.late);
    let error = world.scheduler.cancel(world.no(), id(1)).await.unwrap_err();
    assert!(matches!(error, CancelError::NotAllowed(CloudState::Printed)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn cancel_waits_for_the_register_that_may_have_the_job() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    world.submit(1).await;
    let push = register.pushed().await;
    drop(register);
    world.until(1, CloudState::Parked).await;
    let job = world.scheduler.cancel(world.no(), id(1)).await.unwrap();
    assert_eq!(job.state, CloudState::CancelRequested);
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    assert_eq!(register.next().await, Down::Cancel { id: id(1) });
    register.says(tillroll_wire::channel::Up::Unknown { id: push.id }).await;
    world.until(1, CloudState::Canceled).await;
}

#[tokio::test(start_paused = true)]
async fn unknown_job_is_not_found() {
    let world = World::new().await;
    let error = world.scheduler.cancel(world.no(), id(1)).await.unwrap_err();
    assert!(matches!(error, CancelError::NotFound), "{error}");
}
