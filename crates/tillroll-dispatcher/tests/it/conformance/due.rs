//! What scheduling asks for.

use jiff::{SignedDuration, Timestamp};
use tillroll_dispatcher::job::{Job, NewJob};
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_wire::job::CloudState;

use super::world::{World, api_key, hash, later, noon, part, shop};

async fn due<S: DispatcherStore>(world: &World<S>, until: Timestamp) -> Vec<Job> {
    world.store.due_jobs(until, None, 100).await.unwrap()
}

pub async fn due_are_pushes_and_deadlines_before_the_instant<S: DispatcherStore>(world: &World<S>) {
    let at_once = world.job(1).await;
    let at_ten = world.job(2).await;
    let at_ten = world.change(&at_ten, |change| change.next_push_at = Some(later(10))).await;
    let parked = world.job(3).await;
    let parked = world
        .change(&parked, |change| {
            change.state = CloudState::Parked;
            change.next_push_at = None;
        })
        .await;
    assert_eq!(due(world, noon()).await, []);
    assert_eq!(due(world, later(1)).await, std::slice::from_ref(&at_once));
    assert_eq!(due(world, later(10)).await, std::slice::from_ref(&at_once), "before, not at");
    assert_eq!(due(world, later(11)).await, [at_once.clone(), at_ten.clone()]);
    assert_eq!(due(world, later(90)).await, [at_once.clone(), at_ten.clone()]);
    assert_eq!(due(world, later(91)).await, [at_once, at_ten, parked]);
}

pub async fn final_job_has_no_deadline<S: DispatcherStore>(world: &World<S>) {
    for (n, state) in (0..).zip(CloudState::ALL) {
        let job = world.job(n).await;
        world
            .change(&job, |change| {
                change.state = state;
                change.next_push_at = None;
            })
            .await;
    }
    let found: Vec<_> = due(world, later(91)).await.iter().map(|job| job.state).collect();
    let open: Vec<_> = CloudState::ALL.into_iter().filter(|state| !state.is_final()).collect();
    assert_eq!(found, open);
}

pub async fn due_jobs_page_by_key_over_all_stores<S: DispatcherStore>(world: &World<S>) {
    let shop = world.store.add_store(shop(world.tenant, "uid-2", "S2")).await.unwrap();
    let key = api_key(world.tenant, "second", vec![shop.no]);
    let key = world.store.add_api_key(key, hash("second")).await.unwrap();
    let mut keys = Vec::new();
    for n in (0..5).rev() {
        keys.push(world.job(n).await.key);
    }
    for n in 0..5 {
        let new = NewJob { store: shop.no, api_key: key.id, ..world.new_job(n) };
        keys.push(world.insert(new).await.key);
    }
    let mut paged = Vec::new();
    while let page = world.store.due_jobs(later(1), paged.last().copied(), 3).await.unwrap()
        && !page.is_empty()
    {
        assert!(page.len() <= 3);
        paged.extend(page.iter().map(|job| job.key));
    }
    assert_eq!(paged, keys);
}

pub async fn waiting_are_scheduled_parked_and_held_for_the_return<S: DispatcherStore>(
    world: &World<S>,
) {
    let mut expected = Vec::new();
    for (n, state) in (0..).zip(CloudState::ALL) {
        for hold_at_return in [false, true] {
            let job = world.job(2 * n + u32::from(hold_at_return)).await;
            let job = world
                .change(&job, |change| {
                    change.state = state;
                    change.hold_at_return = hold_at_return;
                })
                .await;
            let waits = matches!(state, CloudState::Scheduled | CloudState::Parked);
            if waits || (state == CloudState::TimedOut && hold_at_return) {
                expected.push(job);
            }
        }
    }
    world.insert(NewJob { printer: Some(part("bar")), ..world.new_job(99) }).await;
    let waiting =
        async |limit| world.store.waiting_jobs(world.shop.no, part("front"), limit).await.unwrap();
    assert_eq!(expected.len(), 5);
    assert_eq!(waiting(100).await, expected);
    assert_eq!(waiting(2).await, expected[..2], "oldest first");
}

pub async fn at_a_register_are_pushed_accepted_and_being_canceled<S: DispatcherStore>(
    world: &World<S>,
) {
    let mut expected = Vec::new();
    for (n, state) in (0..).zip(CloudState::ALL) {
        for (m, register) in (0..).zip([world.r1, world.r2]) {
            let job = world.job(2 * n + m).await;
            let job = world
                .change(&job, |change| {
                    change.state = state;
                    change.register = Some(register);
                })
                .await;
            let is_there = matches!(
                state,
                CloudState::Pushed | CloudState::Accepted | CloudState::CancelRequested
            );
            if is_there && register == world.r1 {
                expected.push(job);
            }
        }
    }
    assert_eq!(expected.len(), 3);
    assert_eq!(world.store.jobs_at(world.r1).await.unwrap(), expected);
}

pub async fn nothing_is_due_early_by_rounding<S: DispatcherStore>(world: &World<S>) {
    let odd = SignedDuration::from_nanos(1_500_001);
    let new = NewJob { deadline_at: later(90) + odd, ..world.new_job(1) };
    let job = world.insert(new.clone()).await;
    assert!(job.deadline_at >= new.deadline_at);
    assert!(job.deadline_at - new.deadline_at < SignedDuration::from_millis(1));
    let job = world.change(&job, |change| change.next_push_at = Some(later(1) + odd)).await;
    assert!(job.next_push_at >= Some(later(1) + odd));
    assert_eq!(due(world, later(1) + odd).await, []);
}

pub async fn deadlines_of_a_stretch_come_in_their_order_and_page<S: DispatcherStore>(
    world: &World<S>,
) {
    let mut expected = Vec::new();
    for (n, second) in (0..).zip([30, 10, 20, 20, 40]) {
        let new = NewJob { deadline_at: later(second), ..world.new_job(n) };
        expected.push((later(second), world.insert(new).await.key));
    }
    let done = world.job(9).await;
    world.change(&done, |change| change.state = CloudState::Printed).await;
    expected.sort();
    expected.retain(|(at, _)| (later(20)..later(40)).contains(at));
    let (mut from, mut past, mut paged) = (later(20), None, Vec::new());
    loop {
        let page = world.store.deadlines(from, past, later(40), 2).await.unwrap();
        let Some((at, key)) = page.last() else { break };
        (from, past) = (*at, Some(*key));
        paged.extend(page);
    }
    assert_eq!(paged, expected);
    assert_eq!(world.store.deadlines(Timestamp::MIN, None, noon(), 9).await.unwrap(), []);
}
