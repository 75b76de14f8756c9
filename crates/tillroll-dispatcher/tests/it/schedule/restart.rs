use tillroll_domain::print_job::JobState;
use tillroll_wire::channel::{Down, Up};
use tillroll_wire::job::CloudState;
use tokio::time::Instant;

use super::world::{World, hello, id, s};

#[tokio::test(start_paused = true)]
async fn jobs_survive_a_restart_and_registers_are_asked_before_anything_is_pushed_again() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    world.submit(1).await;
    let push = register.pushed().await;
    register.accepts(&push).await;
    world.until(1, CloudState::Accepted).await;
    world.submit(2).await;
    register.pushed().await;
    let world = world.restart().await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    assert_eq!(register.next().await, Down::Status { id: id(1) });
    assert_eq!(register.next().await, Down::Status { id: id(2) });
    register.reports(&id(1), JobState::Printed, 5).await;
    register.is_told_stored(&id(1), 5).await;
    register.says(Up::Unknown { id: id(2) }).await;
    let push = register.pushed().await;
    assert_eq!((push.id, push.held), (id(2), None));
}

#[tokio::test(start_paused = true)]
async fn pushed_job_that_nobody_answers_for_after_a_restart_is_pushed_again() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    world.submit(1).await;
    register.pushed().await;
    let world = world.restart().await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    assert_eq!(register.next().await, Down::Status { id: id(1) });
    assert_eq!(register.pushed().await.id, id(1));
}

#[tokio::test(start_paused = true)]
async fn job_scheduled_before_a_crash_goes_when_its_register_is_back() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    register.is_stopped("front", tillroll_domain::printer::StopReason::PaperEnd).await;
    world.submit(1).await;
    let world = world.restart().await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    assert_eq!(register.pushed().await.id, id(1));
}

#[tokio::test(start_paused = true)]
async fn what_a_crash_left_due_is_parked_when_its_register_stays_away() {
    let world = World::new().await;
    let mut register = world.register().await;
    let start = Instant::now();
    world.submit(1).await;
    register.pushed().await;
    let world = world.restart().await;
    world.until(1, CloudState::Parked).await;
    assert!(start.elapsed() < s(60), "{:?}", start.elapsed());
    let job = world.until(1, CloudState::TimedOut).await;
    assert_eq!(job.reason.as_deref(), Some("no_ack"));
    assert_eq!(start.elapsed().as_secs(), 90, "the deadline did not move");
}

#[tokio::test(start_paused = true)]
async fn deadline_that_passed_while_the_program_was_down_is_told_at_its_start() {
    let world = World::new().await;
    world.submit(1).await;
    world.until(1, CloudState::Parked).await;
    world.scheduler.stop().await;
    tokio::time::sleep(s(500)).await;
    assert_eq!(world.state(1).await.0, CloudState::Parked);
    let world = world.restart().await;
    let start = Instant::now();
    let job = world.until(1, CloudState::TimedOut).await;
    assert_eq!(job.reason.as_deref(), Some("device_offline"));
    assert!(start.elapsed() < s(1));
}

#[tokio::test(start_paused = true)]
async fn everything_a_crash_left_due_is_parked_however_much_it_is() {
    /// More than are read at once.
    const LEFT: u32 = 10_001;
    let world = World::new().await;
    for order in 1..=LEFT {
        world.store_only(order).await;
    }
    let world = world.restart().await;
    for order in [1, LEFT / 2, LEFT] {
        world.until(order, CloudState::Parked).await;
    }
}
