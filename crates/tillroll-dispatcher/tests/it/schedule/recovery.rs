use std::collections::BTreeSet;
use std::time::Duration;

use tillroll_dispatcher::schedule::ScheduleSettings;
use tillroll_domain::print_job::JobState;
use tillroll_wire::channel::Down;
use tillroll_wire::job::{AfterDeadline, CloudState};
use tokio::time::Instant;

use super::world::{Register, World, hello, id, ms, s};

/// Lets a printer that answers at once take everything; gives when each push came.
async fn print_all(register: &mut Register, start: Instant) -> Vec<(u32, Duration)> {
    let mut pushes = Vec::new();
    while let Some(message) = register.next_within(s(5)).await {
        if let Down::Push(push) = message {
            let order = push.id.order.as_str().parse().unwrap();
            pushes.push((order, start.elapsed()));
            register.accepts(&push).await;
            register.reports(&push.id, JobState::Printed, 3).await;
        }
    }
    pushes
}

async fn parked(settings: ScheduleSettings, count: u32) -> (World, Register) {
    let world = World::with(settings).await;
    let credential = world.pair("R1", "aa").await;
    for order in 1..=count {
        world.submit(order).await;
    }
    world.until(count, CloudState::Parked).await;
    let register = world.connect(&credential, hello("aa", &["front"])).await.unwrap();
    (world, register)
}

#[tokio::test(start_paused = true)]
async fn two_hundred_parked_jobs_come_oldest_first_five_every_two_seconds() {
    let settings = ScheduleSettings { deadline: s(300), ..ScheduleSettings::default() };
    let (world, mut register) = parked(settings, 200).await;
    let pushes = print_all(&mut register, Instant::now()).await;
    let orders: Vec<_> = pushes.iter().map(|(order, _)| *order).collect();
    assert_eq!(orders, (1..=200).collect::<Vec<_>>());
    let first = pushes[0].1;
    for six in pushes.windows(6) {
        assert!(six[5].1 - six[0].1 >= s(2), "six within {:?}", six[5].1 - six[0].1);
    }
    let took = pushes[199].1 - first;
    assert!((s(78)..s(79)).contains(&took), "{took:?}");
    assert_eq!(world.state(200).await.0, CloudState::Printed);
}

#[tokio::test(start_paused = true)]
async fn without_a_ceiling_results_set_the_pace_and_never_more_than_five_are_open() {
    let every = Duration::ZERO;
    let settings = ScheduleSettings { recovery_every: every, ..ScheduleSettings::default() };
    let (world, mut register) = parked(settings, 200).await;
    let (mut open, mut most) = (BTreeSet::new(), 0);
    let start = Instant::now();
    let mut printed = 0;
    while printed < 200 {
        match register.next_within(ms(200)).await {
            Some(Down::Push(push)) => {
                register.accepts(&push).await;
                open.insert(push.id);
                most = most.max(open.len());
            }
            Some(_) => {}
            None => {
                // The printer takes 200 ms for what it has.
                for done in std::mem::take(&mut open) {
                    register.reports(&done, JobState::Printed, 3).await;
                    printed += 1;
                }
            }
        }
    }
    assert_eq!(most, 5);
    assert!(start.elapsed() <= s(9), "{:?} for 40 rounds of 200 ms", start.elapsed());
    world.until(200, CloudState::Printed).await;
}

#[tokio::test(start_paused = true)]
async fn live_jobs_are_not_starved_by_recovery() {
    let settings = ScheduleSettings { deadline: s(300), ..ScheduleSettings::default() };
    let (world, mut register) = parked(settings, 100).await;
    let start = Instant::now();
    for order in 1_001..=1_010 {
        world.submit(order).await;
    }
    let pushes = print_all(&mut register, start).await;
    let last_live = pushes.iter().filter(|(order, _)| *order > 1_000).map(|(_, at)| *at).max();
    assert!(last_live.unwrap() <= ms(100), "{last_live:?}");
    assert_eq!(pushes.len(), 110);
}

#[tokio::test(start_paused = true)]
async fn many_registers_that_come_back_together_stay_under_the_rate() {
    let settings = ScheduleSettings { recovery_per_s: 40, ..ScheduleSettings::default() };
    let world = World::with(settings).await;
    let mut credentials = Vec::new();
    for number in 0..20_u32 {
        let credential = world.pair(&format!("R{number}"), &format!("i{number}")).await;
        credentials.push(credential);
        for job in 0..6 {
            let printer = format!("p{number}");
            world.submit_for(&printer, number * 10 + job + 1, AfterDeadline::Hold).await;
        }
    }
    let (start, mut tasks) = (Instant::now(), tokio::task::JoinSet::new());
    for (number, credential) in credentials.iter().enumerate() {
        let hello = hello(&format!("i{number}"), &[&format!("p{number}")]);
        let mut register = world.connect(credential, hello).await.unwrap();
        tasks.spawn(async move { print_all(&mut register, start).await });
    }
    let mut times: Vec<_> = tasks.join_all().await.concat().into_iter().map(|(_, at)| at).collect();
    times.sort();
    assert_eq!(times.len(), 120);
    for (n, at) in times.iter().enumerate() {
        let within = times[n..].iter().take_while(|later| **later - *at < s(1)).count();
        assert!(within <= 40, "{within} in the second from {at:?}");
    }
    assert!(times[119] < s(5), "{:?}", times[119]);
    assert_eq!(world.state(196).await.0, CloudState::Printed);
}

#[tokio::test(start_paused = true)]
async fn jobs_submitted_for_a_connected_printer_are_not_recovery() {
    let world = World::new().await;
    let mut register = world.register().await;
    let start = Instant::now();
    for order in 1..=20 {
        world.submit(order).await;
        let push = register.pushed().await;
        assert_eq!(push.id, id(order));
        register.accepts(&push).await;
    }
    assert!(start.elapsed() < ms(100), "{:?}", start.elapsed());
}
