//! Jobs stored, found and listed.

use tillroll_dispatcher::job::{Inserted, JobKey, NewJob, StoreNo};
use tillroll_dispatcher::store::{DispatcherStore, StoreError};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::JobKind;
use tillroll_wire::job::CloudState;

use super::world::{World, api_key, hash, later, noon, part, shop};

pub async fn new_job_is_scheduled_and_due_at_once<S: DispatcherStore>(world: &World<S>) {
    let new = world.new_job(1);
    let job = world.insert(new.clone()).await;
    assert_eq!(job.id, new.id);
    assert_eq!((job.kind, job.fingerprint), (JobKind::Kitchen, new.fingerprint));
    assert_eq!((job.printer.clone(), job.state), (Some(part("front")), CloudState::Scheduled));
    assert_eq!((job.created_at, job.next_push_at), (noon(), Some(noon())));
    assert_eq!((job.deadline_at, job.after_deadline), (later(90), new.after_deadline));
    assert_eq!((job.pushes, job.row_version, job.late), (0, 1, false));
    assert_eq!(world.store.job(world.shop.no, new.id).await.unwrap(), Some(job.clone()));
    let bodies = world.store.bodies(vec![job.key]).await.unwrap();
    assert_eq!(bodies, [(job.key, new.body)]);
}

pub async fn same_id_with_the_same_body_is_a_replay<S: DispatcherStore>(world: &World<S>) {
    let job = world.job(1).await;
    let parked = world.to(&job, CloudState::Parked).await;
    let again = NewJob { now: later(30), deadline_at: later(120), ..world.new_job(1) };
    let answer = world.store.insert_job(again).await.unwrap();
    assert_eq!(answer, Inserted::Replayed(parked), "the row as it is now");
}

pub async fn same_id_with_another_body_conflicts_and_changes_nothing<S: DispatcherStore>(
    world: &World<S>,
) {
    let job = world.job(1).await;
    let other = NewJob { fingerprint: Fingerprint::of(b"other"), ..world.new_job(1) };
    for _ in 0..2 {
        let answer = world.store.insert_job(other.clone()).await.unwrap();
        assert_eq!(answer, Inserted::Conflict { stored: job.fingerprint });
    }
    assert_eq!(world.store.job(world.shop.no, job.id.clone()).await.unwrap(), Some(job));
}

pub async fn hundred_copies_at_once_store_one_job<S: DispatcherStore>(world: &World<S>) {
    let mut copies = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let (store, new) = (world.store.clone(), world.new_job(1));
        copies.spawn(async move { store.insert_job(new).await.unwrap() });
    }
    let mut made = Vec::new();
    let mut replayed = Vec::new();
    for answer in copies.join_all().await {
        match answer {
            Inserted::New(job) => made.push(job),
            Inserted::Replayed(job) => replayed.push(job),
            Inserted::Conflict { stored } => panic!("conflict with {stored}"),
        }
    }
    assert_eq!((made.len(), replayed.len()), (1, 99));
    assert!(replayed.iter().all(|job| *job == made[0]));
}

pub async fn stores_with_the_same_code_do_not_meet<S: DispatcherStore>(world: &World<S>) {
    let other = world.store.add_tenant("Chloé".into(), noon()).await.unwrap();
    let shop = world.store.add_store(shop(other.id, "uid-2", "S1")).await.unwrap();
    let key = api_key(other.id, "own", vec![shop.no]);
    let key = world.store.add_api_key(key, hash("own")).await.unwrap();
    let job = world.job(1).await;
    let theirs = NewJob { store: shop.no, api_key: key.id, ..world.new_job(1) };
    let theirs = world.insert(NewJob { fingerprint: Fingerprint::of(b"other"), ..theirs }).await;
    assert_eq!((theirs.key.store, &theirs.id), (shop.no, &job.id));
    assert_eq!(world.store.jobs(shop.no, None, None, 9).await.unwrap(), [theirs]);
    assert_eq!(world.store.jobs(world.shop.no, None, None, 9).await.unwrap(), [job]);
}

pub async fn job_of_an_unknown_store_or_key_is_refused<S: DispatcherStore>(world: &World<S>) {
    let nowhere = NewJob { store: StoreNo(99), ..world.new_job(1) };
    let nobody = NewJob { api_key: 99, ..world.new_job(1) };
    for new in [nowhere, nobody] {
        let answer = world.store.insert_job(new).await;
        assert!(matches!(answer, Err(StoreError::Refused(_))), "{answer:?}");
    }
    world.job(1).await;
}

pub async fn list_is_newest_first_and_pages_by_key<S: DispatcherStore>(world: &World<S>) {
    let mut jobs = Vec::new();
    for n in 0..7 {
        jobs.push(world.job(n).await);
    }
    let parked = world.to(&jobs[2], CloudState::Parked).await;
    let list = async |state, before, limit| {
        let jobs = world.store.jobs(world.shop.no, state, before, limit).await.unwrap();
        jobs.into_iter().map(|job| job.key).collect::<Vec<_>>()
    };
    let newest: Vec<JobKey> = jobs.iter().rev().map(|job| job.key).collect();
    assert_eq!(list(None, None, 4).await, newest[..4]);
    assert_eq!(list(None, Some(newest[3]), 9).await, newest[4..]);
    assert_eq!(list(Some(CloudState::Parked), None, 9).await, [parked.key]);
    assert_eq!(list(Some(CloudState::Parked), Some(parked.key), 9).await, []);
    assert_eq!(list(Some(CloudState::Scheduled), None, 9).await.len(), 6);
}

pub async fn jobs_by_key_keep_the_order_and_leave_out_the_missing<S: DispatcherStore>(
    world: &World<S>,
) {
    let (a, b) = (world.job(1).await, world.job(2).await);
    let missing = JobKey { seq: 99, ..a.key };
    let found = world.store.jobs_by_key(vec![b.key, missing, a.key]).await.unwrap();
    assert_eq!(found, [b.clone(), a]);
    let bodies = world.store.bodies(vec![missing, b.key]).await.unwrap();
    assert_eq!(bodies.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [b.key]);
}

pub async fn unconfirmed_jobs_are_counted_since_an_instant<S: DispatcherStore>(world: &World<S>) {
    for (n, state) in [CloudState::Unconfirmed, CloudState::Printed, CloudState::Unconfirmed]
        .into_iter()
        .enumerate()
    {
        let job = world.job(u32::try_from(n).unwrap()).await;
        world.to(&job, state).await;
    }
    let count = async |since| world.store.unconfirmed_since(since).await.unwrap();
    assert_eq!((count(noon()).await, count(later(5)).await), (2, 0));
}

pub async fn open_jobs_are_counted_by_state<S: DispatcherStore>(world: &World<S>) {
    for (n, state) in CloudState::ALL.into_iter().enumerate() {
        for copy in 0..2 {
            let n = u32::try_from(2 * n + copy).unwrap();
            let now = later(i64::from(n));
            let job = world.insert(NewJob { now, ..world.new_job(n) }).await;
            world.to(&job, state).await;
        }
    }
    let mut counts = world.store.open_counts().await.unwrap();
    counts.sort_unstable();
    let mut open: Vec<_> = (0..).step_by(2).zip(CloudState::ALL).collect();
    open.retain(|(_, state)| !state.is_final());
    let expected: Vec<_> = open.into_iter().map(|(n, state)| (state, 2, later(n))).collect();
    assert_eq!(counts, expected);
}
