use tillroll_dispatcher::schedule::ScheduleSettings;
use tillroll_wire::Code;
use tillroll_wire::channel::Down;
use tillroll_wire::job::CloudState;

use super::world::{World, hello, id, part, s};

#[tokio::test(start_paused = true)]
async fn second_connection_of_a_register_ends_the_first_and_has_its_jobs() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    let mut first = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    world.submit(1).await;
    first.pushed().await;
    let mut second = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    assert!(matches!(first.next().await, Down::Bye { code: Code::NotAllowed, .. }));
    assert!(first.is_closed());
    assert_eq!(second.pushed().await.id, id(1), "the same id again");
    drop(first);
    world.submit(2).await;
    assert_eq!(
        second.pushed().await.id,
        id(2),
        "the end of the first is not the end of the second"
    );
}

#[tokio::test(start_paused = true)]
async fn unknown_protocol_is_refused_politely() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    let newer = tillroll_wire::channel::Hello { protocol: 99, ..hello("aa", &["front"]) };
    let problem = world.connect(&credential, newer).await.err().unwrap();
    assert_eq!(problem.code, Code::UnknownProtocol);
    let bye = tillroll_dispatcher::channel::bye(&problem);
    assert!(matches!(bye, Down::Bye { code: Code::UnknownProtocol, .. }));
}

#[tokio::test(start_paused = true)]
async fn installation_that_is_not_paired_is_refused() {
    let world = World::new().await;
    let credential = world.pair("R1", "aa").await;
    let problem = world.connect(&credential, hello("bb", &["front"])).await.err().unwrap();
    assert_eq!(problem.code, Code::Replaced);
}

#[tokio::test(start_paused = true)]
async fn printer_name_belongs_to_one_register_of_the_store() {
    let world = World::new().await;
    let mut first = world.register().await;
    let credential = world.pair("R2", "bb").await;
    let mut second = world.connect(&credential, hello("bb", &["front", "bar"])).await.unwrap();
    let taken = Down::PrinterNameTaken { name: part("front") };
    assert_eq!(second.next().await, taken);
    second.is_ready("front").await;
    assert_eq!(second.next().await, taken, "told again when it is announced again");
    world.submit(1).await;
    assert_eq!(first.pushed().await.id, id(1));
    assert_eq!(second.next_within(s(1)).await, None);
}

#[tokio::test(start_paused = true)]
async fn revoked_register_is_told_and_its_jobs_are_parked() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.submit(1).await;
    register.pushed().await;
    world.scheduler.evict(register.connection.register()).await;
    assert!(matches!(register.next().await, Down::Bye { code: Code::Unauthorized, .. }));
    world.until(1, CloudState::Parked).await;
    assert!(register.is_closed());
}

#[tokio::test(start_paused = true)]
async fn stopping_tells_registers_when_to_come_back() {
    let world = World::new().await;
    let mut register = world.register().await;
    world.scheduler.stop().await;
    let bye = register.next().await;
    assert!(
        matches!(bye, Down::Bye { code: Code::Stopping, retry_after_ms: Some(7), .. }),
        "{bye:?}"
    );
    world.scheduler.stop().await;
}

#[tokio::test(start_paused = true)]
async fn register_that_does_not_read_holds_nobody_up() {
    let world = World::with(ScheduleSettings::default()).await;
    let credential = world.pair("R1", "aa").await;
    let (down, _unread) = tokio::sync::mpsc::channel(1);
    let hello_of_one = hello("aa", &["front"]);
    let _deaf = world.scheduler.connect(credential, hello_of_one, down).await.unwrap();
    let credential = world.pair("R2", "bb").await;
    let mut other = world.connect(&credential, hello("bb", &["bar"])).await.unwrap();
    for order in 1..=5 {
        world.submit(order).await;
    }
    world.submit_for("bar", 6, tillroll_wire::job::AfterDeadline::Hold).await;
    assert_eq!(other.pushed().await.id, id(6));
    tokio::time::sleep(s(2)).await;
    assert!(world.scheduler.snapshot().dropped > 0);
}
