use tillroll_domain::print_job::{HoldReason, JobState};
use tillroll_domain::printer::StopReason;
use tillroll_wire::job::{AfterDeadline, CloudState};
use tokio::time::Instant;

use super::world::{World, hello, id, ms, s};
use tillroll_dispatcher::schedule::ScheduleSettings;

fn timed_out(reason: &str) -> (CloudState, Option<String>) {
    (CloudState::TimedOut, Some(reason.to_owned()))
}

#[tokio::test(start_paused = true)]
async fn deadline_is_never_early_and_hardly_late() {
    let world = World::new().await;
    for order in 1..=20 {
        world.submit(order).await;
        tokio::time::sleep(ms(333)).await;
    }
    for order in 1..=20 {
        let job = world.until(order, CloudState::TimedOut).await;
        let late = job.changed_at.duration_since(job.deadline_at).as_millis();
        assert!((0..=4).contains(&late), "{late} ms late");
    }
}

#[tokio::test(start_paused = true)]
async fn parked_job_timed_out_as_device_offline_goes_held_to_the_clerk_at_return() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    world.submit(1).await;
    world.submit_for("front", 2, AfterDeadline::Drop).await;
    world.until(1, CloudState::TimedOut).await;
    assert_eq!(world.state(1).await, timed_out("device_offline"));
    assert_eq!(world.state(2).await, timed_out("device_offline"));
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    let push = register.pushed().await;
    assert_eq!((&push.id, push.held), (&id(1), Some(HoldReason::Expired)));
    assert_eq!(push.remaining_ms, None);
    register.accepts(&push).await;
    assert_eq!(register.next_within(s(120)).await, None, "the dropped one does not come");
    assert_eq!(world.state(1).await, timed_out("device_offline"));
    assert!(!world.job(1).await.hold_at_return);
    register.reports(&push.id, JobState::Printed, 3).await;
    let job = world.until(1, CloudState::Printed).await;
    assert!(job.late);
}

#[tokio::test(start_paused = true)]
async fn held_push_is_repeated_until_it_is_accepted() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    world.submit(1).await;
    world.until(1, CloudState::TimedOut).await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    assert!(register.pushed().await.held.is_some());
    assert!(register.pushed().await.held.is_some());
    drop(register);
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    let push = register.pushed().await;
    assert_eq!(push.held, Some(HoldReason::Expired));
    register.accepts(&push).await;
    assert_eq!(register.next_within(s(120)).await, None);
}

#[tokio::test(start_paused = true)]
async fn pushed_job_without_an_answer_is_no_ack_and_never_pushed_again() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    world.submit(1).await;
    while register.next_within(s(31)).await.is_some() {}
    world.until(1, CloudState::TimedOut).await;
    assert_eq!(world.state(1).await, timed_out("no_ack"));
    drop(register);
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    assert_eq!(register.next_within(s(120)).await, None);
}

#[tokio::test(start_paused = true)]
async fn job_pushed_before_its_register_went_away_is_no_ack() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    register.pushed().await;
    drop(register);
    world.until(1, CloudState::Parked).await;
    world.until(1, CloudState::TimedOut).await;
    assert_eq!(world.state(1).await, timed_out("no_ack"));
}

#[tokio::test(start_paused = true)]
async fn job_behind_a_stopped_printer_tells_why() {
    let world = World::new().await;
    let mut register = world.register().await;
    register.is_stopped("front", StopReason::PaperEnd).await;
    world.submit(1).await;
    world.until(1, CloudState::TimedOut).await;
    assert_eq!(world.state(1).await, timed_out("printer_stopped:paper_end"));
}

#[tokio::test(start_paused = true)]
async fn job_that_waited_behind_older_ones_after_the_return_says_so() {
    let settings = ScheduleSettings { recovery_every: s(40), ..ScheduleSettings::default() };
    let world = World::with(settings).await;
    let credential = world.pair("R1", "aa").await;
    for order in 1..=100 {
        world.submit(order).await;
    }
    world.until(100, CloudState::Parked).await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    while let Some(message) = register.next_within(s(50)).await {
        if let tillroll_wire::channel::Down::Push(push) = message {
            register.reports(&push.id, JobState::Printed, 2).await;
        }
    }
    assert_eq!(world.state(1).await.0, CloudState::Printed);
    assert_eq!(world.state(50).await, timed_out("recovery_backlog"), "in memory");
    assert_eq!(world.state(100).await, timed_out("recovery_backlog"), "a row only");
}

/// A claim of 120 s; the register takes the job, is cut off, has the paper, tells at 200 s
/// (wcpos/woocommerce-pos#1790).
#[tokio::test(start_paused = true)]
async fn late_confirmation_settles_the_job_and_hands_nothing_out_again() {
    let settings = ScheduleSettings { deadline: s(120), ..ScheduleSettings::default() };
    let world = World::with(settings).await;
    let credential = world.pair("R1", "aa").await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    let start = Instant::now();
    world.submit(1).await;
    let push = register.pushed().await;
    register.accepts(&push).await;
    world.until(1, CloudState::Accepted).await;
    drop(register);
    world.until(1, CloudState::TimedOut).await;
    assert_eq!(start.elapsed().as_secs(), 120);
    assert_eq!(world.state(1).await, timed_out("no_ack"));
    tokio::time::sleep_until(start + s(200)).await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    register.reports(&push.id, JobState::Printed, 5).await;
    register.is_told_stored(&push.id, 5).await;
    let job = world.job(1).await;
    assert_eq!((job.state, job.reason, job.late, job.pushes), (CloudState::Printed, None, true, 1));
    assert_eq!(register.next_within(s(120)).await, None);
}
