use jiff::SignedDuration;
use tillroll_wire::job::CloudState;
use tokio::time::Instant;

use super::world::{World, id, ms, s};

#[tokio::test(start_paused = true)]
async fn jump_of_the_wall_clock_moves_no_deadline_and_no_push() {
    for hours in [-72, 72] {
        let world = World::new().await;
        let mut register = world.register().await;
        let start = Instant::now();
        world.submit(1).await;
        register.pushed().await;
        world.clock.jump(SignedDuration::from_hours(hours));
        assert_eq!(register.pushed().await.id, id(1));
        assert_eq!(start.elapsed().as_secs(), 2);
        world.until(1, CloudState::TimedOut).await;
        assert!(start.elapsed() >= s(90) && start.elapsed() <= ms(90_200), "{:?}", start.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn time_the_machine_slept_counts_and_is_noticed_within_five_seconds() {
    let world = World::new().await;
    world.submit(1).await;
    world.until(1, CloudState::Parked).await;
    tokio::time::sleep(s(10)).await;
    world.clock.sleep_machine(s(3_600));
    let woke = Instant::now();
    world.until(1, CloudState::TimedOut).await;
    assert!(woke.elapsed() <= ms(5_100), "{:?}", woke.elapsed());
}

#[tokio::test(start_paused = true)]
async fn sleep_shorter_than_the_deadline_makes_nothing_early_or_late() {
    let world = World::new().await;
    world.submit(1).await;
    world.until(1, CloudState::Parked).await;
    tokio::time::sleep(s(10)).await;
    world.clock.sleep_machine(s(30));
    let job = world.until(1, CloudState::TimedOut).await;
    let late = job.changed_at.duration_since(job.deadline_at).as_millis();
    assert!((0..=4).contains(&late), "{late} ms late");
}

#[tokio::test(start_paused = true)]
async fn idle_schedule_does_not_tick() {
    let world = World::new().await;
    let register = world.register().await;
    tokio::time::sleep(s(120)).await;
    let figures = world.scheduler.snapshot();
    assert_eq!((figures.push_timers, figures.deadline_timers, figures.jobs), (0, 0, 0));
    assert!(!register.is_closed());
}
