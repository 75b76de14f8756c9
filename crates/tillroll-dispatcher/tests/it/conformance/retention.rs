//! What goes with time, and what stays.

use tillroll_dispatcher::job::{Inserted, Job, NewJob};
use tillroll_dispatcher::store::{DispatcherStore, Hook};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_wire::job::CloudState;

use super::world::{World, later};

async fn has_body<S: DispatcherStore>(world: &World<S>, job: &Job) -> bool {
    !world.store.bodies(vec![job.key]).await.unwrap().is_empty()
}

pub async fn bodies_of_ended_jobs_go_and_ids_stay<S: DispatcherStore>(world: &World<S>) {
    let (old, open) = (world.job(1).await, world.job(2).await);
    let old = world.to(&old, CloudState::Printed).await;
    assert_eq!(world.store.drop_old(later(5), 100).await.unwrap(), 0, "ended at 5 s");
    assert_eq!(world.store.drop_old(later(6), 100).await.unwrap(), 1);
    assert!(!has_body(world, &old).await);
    assert!(has_body(world, &open).await);
    let again = world.store.insert_job(world.new_job(1)).await.unwrap();
    assert_eq!(again, Inserted::Replayed(old.clone()));
    let other = NewJob { fingerprint: Fingerprint::of(b"other"), ..world.new_job(1) };
    let conflict = world.store.insert_job(other).await.unwrap();
    assert_eq!(conflict, Inserted::Conflict { stored: old.fingerprint });
}

pub async fn body_of_a_job_to_be_held_at_return_stays<S: DispatcherStore>(world: &World<S>) {
    let job = world.job(1).await;
    let job = world
        .change(&job, |change| {
            change.state = CloudState::TimedOut;
            change.hold_at_return = true;
        })
        .await;
    assert_eq!(world.store.drop_old(later(99), 100).await.unwrap(), 0);
    assert!(has_body(world, &job).await);
    world.change(&job, |change| change.hold_at_return = false).await;
    assert_eq!(world.store.drop_old(later(99), 100).await.unwrap(), 1);
}

pub async fn settled_deliveries_go_within_the_limit<S: DispatcherStore>(world: &World<S>) {
    let hook = Hook {
        api_key: world.key.id,
        url: "https://platform.test/hook".into(),
        secret: "whsec_".into(),
    };
    world.store.set_hook(hook).await.unwrap();
    for n in 0..4 {
        let job = world.job(n).await;
        world.to(&job, CloudState::Printed).await;
    }
    let due = world.store.due_deliveries(later(9), 100).await.unwrap();
    for delivery in &due[..3] {
        world.store.settle_delivery(delivery.id, true, None, later(6)).await.unwrap();
    }
    // Four bodies and three deliveries; the one that waits stays.
    assert_eq!(world.store.drop_old(later(99), 6).await.unwrap(), 6);
    assert_eq!(world.store.drop_old(later(99), 6).await.unwrap(), 1);
    assert_eq!(world.store.drop_old(later(99), 6).await.unwrap(), 0);
    assert_eq!(world.store.due_deliveries(later(9), 100).await.unwrap(), due[3..]);
}
