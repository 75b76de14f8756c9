use tillroll_domain::print_job::JobState;
use tillroll_domain::printer::StopReason;
use tillroll_wire::channel::{Down, Push, Up};
use tillroll_wire::job::{AfterDeadline, CloudState};
use tokio::time::Instant;

use super::world::{World, id, ms, s};

#[tokio::test(start_paused = true)]
async fn stopped_printer_lets_jobs_wait_until_it_goes_on() {
    let world = World::new().await;
    let mut register = world.register().await;
    register.is_stopped("front", StopReason::PaperEnd).await;
    world.submit(1).await;
    assert_eq!(register.next_within(s(30)).await, None);
    assert_eq!(world.state(1).await.0, CloudState::Scheduled);
    let start = Instant::now();
    register.is_ready("front").await;
    assert_eq!(register.pushed().await.id, id(1));
    assert!(start.elapsed() <= ms(2));
}

#[tokio::test(start_paused = true)]
async fn push_is_not_repeated_to_a_printer_that_stopped() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    register.pushed().await;
    register.is_stopped("front", StopReason::CoverOpen).await;
    assert_eq!(register.next_within(s(20)).await, None);
    register.is_ready("front").await;
    assert_eq!(register.pushed().await.id, id(1));
}

#[tokio::test(start_paused = true)]
async fn at_most_five_pushes_are_without_an_answer_and_busy_is_not_stopped() {
    let world = World::new().await;
    let mut register = world.register().await;
    for order in 1..=8 {
        world.submit(order).await;
    }
    let mut pushes = Vec::new();
    while let Some(message) = register.next_within(s(1)).await {
        pushes.push(message);
    }
    assert_eq!(pushes.len(), 5);
    register.accepts(&first_push(&pushes)).await;
    assert_eq!(register.pushed().await.id, id(6), "an accepted job leaves its place to the next");
}

fn first_push(messages: &[Down]) -> Push {
    let Down::Push(push) = &messages[0] else { panic!("{messages:?}") };
    push.clone()
}

#[tokio::test(start_paused = true)]
async fn job_of_an_unknown_printer_is_parked_and_pushed_when_a_register_announces_it() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit_for("bar", 1, AfterDeadline::Hold).await;
    world.until(1, CloudState::Parked).await;
    register.is_ready("bar").await;
    let push = register.pushed().await;
    assert_eq!((push.id, push.printer.as_str()), (id(1), "bar"));
}

#[tokio::test(start_paused = true)]
async fn removed_printer_parks_what_waits_for_it() {
    let world = World::new().await;
    let mut register = world.register().await;
    register.is_stopped("front", StopReason::Offline).await;
    world.submit(1).await;
    world.until(1, CloudState::Scheduled).await;
    let name = super::world::part("front");
    register.says(Up::PrinterRemoved { name }).await;
    world.until(1, CloudState::Parked).await;
}

#[tokio::test(start_paused = true)]
async fn more_jobs_than_fit_into_memory_all_go_in_order() {
    let world = World::new().await;
    let mut register = world.register().await;
    register.is_stopped("front", StopReason::PaperEnd).await;
    for order in 1..=150 {
        world.submit(order).await;
    }
    tokio::time::sleep(s(2)).await;
    let figures = world.scheduler.snapshot();
    assert_eq!((figures.jobs, figures.waiting, figures.printers_stopped), (64, 64, 1));
    register.is_ready("front").await;
    for order in 1..=150 {
        let push = register.next_push().await;
        assert_eq!(push.id, id(order));
        register.reports(&push.id, JobState::Printed, 2).await;
    }
}
