use tillroll_domain::print_job::{HoldReason, JobState};
use tillroll_wire::Code;
use tillroll_wire::channel::{Down, Hello, Up};
use tillroll_wire::job::CloudState;

use super::world::{World, hello, id, s};

#[tokio::test(start_paused = true)]
async fn machine_replaced_in_mid_job_gets_the_job_only_held() {
    let world = World::new().await;
    let mut old = world.register().await;
    world.submit(1).await;
    let push = old.pushed().await;
    old.accepts(&push).await;
    world.until(1, CloudState::Accepted).await;
    world.submit(2).await;
    old.pushed().await;
    drop(old);
    let credential = world.pair("R1", "bb").await;
    let mut new = world.connect(&credential, hello("bb", &["front"])).await.unwrap();
    let (first, second) = (new.pushed().await, new.pushed().await);
    assert_eq!((first.id, first.held), (id(1), Some(HoldReason::Restored)));
    assert_eq!(
        (second.id, second.held),
        (id(2), Some(HoldReason::Restored)),
        "may be on paper too"
    );
    world.submit(3).await;
    let third = new.pushed().await;
    assert_eq!((third.id, third.held), (id(3), None));
}

#[tokio::test(start_paused = true)]
async fn old_machine_is_refused_once_another_is_paired() {
    let world = World::new().await;
    let old = world.pair("R1", "aa").await;
    world.pair("R1", "bb").await;
    // A credential read before the new pairing.
    let stale = old.clone();
    assert!(world.connect(&stale, hello("bb", &["front"])).await.is_err());
    let problem = world.connect(&stale, hello("cc", &["front"])).await.err().unwrap();
    assert_eq!(problem.code, Code::Replaced);
}

#[tokio::test(start_paused = true)]
async fn register_restored_from_an_older_copy_gets_open_jobs_only_held() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    let mut register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    world.submit(1).await;
    let push = register.pushed().await;
    register.accepts(&push).await;
    world.until(1, CloudState::Accepted).await;
    drop(register);
    let restored = Hello { epoch: 2, ..hello("aa", &["front"]) };
    let mut register = world.connect(&credential, restored).await.unwrap();
    let push = register.pushed().await;
    assert_eq!((&push.id, push.held), (&id(1), Some(HoldReason::Restored)));
    register.accepts(&push).await;
    world.until(1, CloudState::Accepted).await;
    register.reports(&push.id, JobState::Skipped, 9).await;
    world.until(1, CloudState::Skipped).await;
}

#[tokio::test(start_paused = true)]
async fn same_installation_that_lost_an_accepted_job_gets_it_held_and_a_pushed_one_again() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    let push = register.pushed().await;
    register.accepts(&push).await;
    assert_eq!(register.next().await, Down::Status { id: id(1) });
    register.says(Up::Unknown { id: id(1) }).await;
    let push = register.pushed().await;
    assert_eq!(push.held, Some(HoldReason::Restored));
    register.accepts(&push).await;
    world.submit(2).await;
    assert_eq!(register.pushed().await.id, id(2));
    register.says(Up::Unknown { id: id(2) }).await;
    let push = register.pushed().await;
    assert_eq!((push.id, push.held), (id(2), None));
}

#[tokio::test(start_paused = true)]
async fn paper_of_the_replaced_printer_still_counts() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    let mut first = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    let other = world.pair("R2", "bb").await;
    let mut second = world.connect(&other, hello("bb", &[])).await.unwrap();
    world.submit(1).await;
    let push = first.pushed().await;
    let name = super::world::part("front");
    first.says(Up::PrinterRemoved { name }).await;
    drop(first);
    world.until(1, CloudState::Parked).await;
    second.is_ready("front").await;
    let held = second.pushed().await;
    assert_eq!((held.id, held.held), (id(1), Some(HoldReason::Restored)));
    let mut first = world.connect(&credential, hello("aa", &[])).await.unwrap();
    first.reports(&push.id, JobState::Printed, 2).await;
    world.until(1, CloudState::Printed).await;
    assert_eq!(second.next_within(s(60)).await, None);
}
