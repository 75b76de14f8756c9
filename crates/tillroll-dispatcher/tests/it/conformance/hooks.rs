//! Webhooks.

use tillroll_dispatcher::job::NewJob;
use tillroll_dispatcher::store::{DispatcherStore, Hook, HookDelivery};
use tillroll_wire::job::{CloudJobView, CloudState};

use super::world::{World, api_key, hash, later};

async fn hooked<S: DispatcherStore>(world: &World<S>) -> Hook {
    let hook = Hook {
        api_key: world.key.id,
        url: "https://platform.test/hook".into(),
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".into(),
    };
    world.store.set_hook(hook.clone()).await.unwrap();
    hook
}

async fn due<S: DispatcherStore>(world: &World<S>, at: i64) -> Vec<HookDelivery> {
    world.store.due_deliveries(later(at), 100).await.unwrap()
}

fn view(delivery: &HookDelivery) -> CloudJobView {
    serde_json::from_str(&delivery.body).unwrap()
}

pub async fn each_end_is_told_once_and_a_late_one_again<S: DispatcherStore>(world: &World<S>) {
    let hook = hooked(world).await;
    let job = world.job(1).await;
    let pushed = world
        .change(&job, |change| {
            change.state = CloudState::Pushed;
            change.register = Some(world.r1);
        })
        .await;
    assert_eq!(due(world, 9).await, [], "nothing ended yet");
    let timed_out = world
        .change(&pushed, |change| {
            change.state = CloudState::TimedOut;
            change.reason = Some("no_ack".into());
        })
        .await;
    let same = world.change(&timed_out, |change| change.result_version = 4).await;
    let printed = world
        .change(&same, |change| {
            change.state = CloudState::Printed;
            change.late = true;
        })
        .await;
    world.change(&printed, |change| change.result_version = 5).await;
    let told = due(world, 9).await;
    let ends: Vec<_> = told.iter().map(|told| (view(told).state, view(told).late)).collect();
    assert_eq!(ends, [(CloudState::TimedOut, false), (CloudState::Printed, true)]);
    assert_eq!((&told[0].hook, told[0].tries, told[0].created_at), (&hook, 0, later(5)));
    let body = view(&told[0]);
    assert_eq!(body, timed_out.view(Some("R1"), false));
    assert_eq!(body.register.as_deref(), Some("R1"));
}

pub async fn key_without_hook_or_revoked_gets_nothing<S: DispatcherStore>(world: &World<S>) {
    let other = api_key(world.tenant, "other", vec![world.shop.no]);
    let other = world.store.add_api_key(other, hash("other")).await.unwrap();
    hooked(world).await;
    let theirs = world.insert(NewJob { api_key: other.id, ..world.new_job(1) }).await;
    world.to(&theirs, CloudState::Canceled).await;
    assert_eq!(due(world, 9).await, []);
    let (waits, ends) = (world.job(2).await, world.job(3).await);
    world.to(&waits, CloudState::Printed).await;
    assert_eq!(due(world, 9).await.len(), 1);
    world.store.revoke_api_key(world.key.id, later(6)).await.unwrap();
    assert_eq!(due(world, 9).await, [], "what waited goes nowhere");
    world.to(&ends, CloudState::Printed).await;
    assert_eq!(due(world, 9).await, []);
}

pub async fn delivery_is_tried_again_then_given_up<S: DispatcherStore>(world: &World<S>) {
    hooked(world).await;
    for n in 0..2 {
        let job = world.job(n).await;
        world.to(&job, CloudState::Printed).await;
    }
    let first = due(world, 5).await;
    assert_eq!(first.len(), 2);
    let (again, other) = (first[0].id, first[1].id);
    let settle = async |id, delivered, again_at| {
        world.store.settle_delivery(id, delivered, again_at, later(6)).await.unwrap();
    };
    settle(other, true, None).await;
    settle(again, false, Some(later(60))).await;
    assert_eq!(due(world, 59).await, []);
    let retried = due(world, 60).await;
    assert_eq!((retried[0].id, retried[0].tries), (again, 1));
    settle(again, false, None).await;
    assert_eq!(due(world, 9_999).await, [], "given up");
    settle(again, false, Some(later(70))).await;
    assert_eq!(due(world, 9_999).await, [], "and stays so");
}

pub async fn deliveries_come_due_longest_first<S: DispatcherStore>(world: &World<S>) {
    hooked(world).await;
    for n in 0..3 {
        let job = world.job(n).await;
        world.to(&job, CloudState::Printed).await;
    }
    let ids: Vec<_> = due(world, 9).await.iter().map(|told| told.id).collect();
    assert!(ids.is_sorted() && ids.len() == 3);
    world.store.settle_delivery(ids[0], false, Some(later(7)), later(6)).await.unwrap();
    let two = world.store.due_deliveries(later(9), 2).await.unwrap();
    assert_eq!(two.iter().map(|told| told.id).collect::<Vec<_>>(), ids[1..]);
}

pub async fn given_up_deliveries_are_listed_newest_first<S: DispatcherStore>(world: &World<S>) {
    hooked(world).await;
    for n in 0..3 {
        let job = world.job(n).await;
        world.to(&job, CloudState::Printed).await;
    }
    let ids: Vec<_> = due(world, 9).await.iter().map(|told| told.id).collect();
    for (id, delivered, at) in [(ids[0], false, 10), (ids[1], true, 11), (ids[2], false, 12)] {
        world.store.settle_delivery(id, delivered, None, later(at)).await.unwrap();
    }
    let listed = world.store.given_up(9).await.unwrap();
    assert_eq!(listed.iter().map(|row| row.id).collect::<Vec<_>>(), [ids[2], ids[0]]);
    assert_eq!((listed[0].api_key, listed[0].tries), (world.key.id, 1));
    assert_eq!((listed[0].created_at, listed[0].given_up_at), (later(5), later(12)));
    assert_eq!(world.store.given_up(1).await.unwrap().len(), 1);
}
