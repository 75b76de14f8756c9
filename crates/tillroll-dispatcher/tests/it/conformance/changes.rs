//! Changes against a version.

use tillroll_dispatcher::job::JobKey;
use tillroll_dispatcher::store::{Changed, DispatcherStore, JobChange};
use tillroll_wire::job::CloudState;

use super::world::{World, later, noon};

fn to(job: &tillroll_dispatcher::job::Job, state: CloudState) -> JobChange {
    JobChange { state, ..JobChange::of(job) }
}

pub async fn change_is_written_against_its_version_only<S: DispatcherStore>(world: &World<S>) {
    let job = world.job(1).await;
    let pushed = world.to(&job, CloudState::Pushed).await;
    assert_eq!((pushed.state, pushed.row_version), (CloudState::Pushed, 2));
    let late = vec![to(&job, CloudState::Parked)];
    let answer = world.store.change_jobs(late, later(6)).await.unwrap();
    assert_eq!(answer, [Changed::Stale(pushed.clone())]);
    assert_eq!(world.store.jobs_by_key(vec![job.key]).await.unwrap(), [pushed]);
}

pub async fn stale_and_missing_rows_do_not_stop_the_others<S: DispatcherStore>(world: &World<S>) {
    let (a, b, c) = (world.job(1).await, world.job(2).await, world.job(3).await);
    let b_now = world.to(&b, CloudState::Parked).await;
    let nowhere = JobKey { seq: 99, ..a.key };
    let changes = vec![
        to(&a, CloudState::Pushed),
        to(&b, CloudState::Pushed),
        JobChange { key: nowhere, ..to(&a, CloudState::Pushed) },
        to(&c, CloudState::Pushed),
        to(&c, CloudState::Parked),
    ];
    let answer = world.store.change_jobs(changes, later(6)).await.unwrap();
    let now = world.store.jobs_by_key(vec![a.key, c.key]).await.unwrap();
    assert!(now.iter().all(|job| job.state == CloudState::Pushed));
    let expected = [
        Changed::Done(now[0].clone()),
        Changed::Stale(b_now),
        Changed::Gone(nowhere),
        Changed::Done(now[1].clone()),
        Changed::Stale(now[1].clone()),
    ];
    assert_eq!(answer, expected);
}

pub async fn of_two_changes_to_one_version_one_wins<S: DispatcherStore>(world: &World<S>) {
    let job = world.job(1).await;
    let mut racers = tokio::task::JoinSet::new();
    for n in 0..20 {
        let store = world.store.clone();
        let change = JobChange { pushes: n, ..to(&job, CloudState::Pushed) };
        racers.spawn(async move { store.change_jobs(vec![change], later(6)).await.unwrap() });
    }
    let answers = racers.join_all().await;
    let won = answers.iter().flatten().filter(|answer| matches!(answer, Changed::Done(_)));
    assert_eq!(won.count(), 1);
    assert_eq!(world.store.jobs_by_key(vec![job.key]).await.unwrap()[0].row_version, 2);
}

pub async fn every_field_of_a_change_is_read_back<S: DispatcherStore>(world: &World<S>) {
    let job = world.job(1).await;
    let change = JobChange {
        key: job.key,
        row_version: 1,
        state: CloudState::CancelRequested,
        reason: Some("because".into()),
        register: Some(world.r2),
        installation: Some("machine".into()),
        pushes: 3,
        next_push_at: Some(later(7)),
        recovering: true,
        hold_at_return: true,
        late: true,
        result_version: 11,
    };
    let answer = world.store.change_jobs(vec![change.clone()], later(6)).await.unwrap();
    let stored = world.store.jobs_by_key(vec![job.key]).await.unwrap().remove(0);
    assert_eq!(answer, [Changed::Done(stored.clone())]);
    assert_eq!(JobChange { row_version: 1, ..JobChange::of(&stored) }, change);
    assert_eq!((stored.id, stored.created_at), (job.id, job.created_at));
}

pub async fn state_change_alone_moves_changed_at<S: DispatcherStore>(world: &World<S>) {
    let job = world.job(1).await;
    let pushed_again = world.change(&job, |change| change.pushes = 2).await;
    assert_eq!(pushed_again.changed_at, noon());
    let parked = world.to(&pushed_again, CloudState::Parked).await;
    assert_eq!((parked.changed_at, parked.row_version), (later(5), 3));
}
