//! What the clerk sees: the to-do list, jobs by state, the queue of a printer.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tillroll_domain::print_job::JobState;
use tillroll_store::NewReceipt;

use crate::support::{Till, claiming};

#[tokio::test]
async fn to_do_list_shows_what_asks_and_what_waits_too_long_oldest_first() {
    let till = Till::new().await;
    let waiting = till.job_in(1, JobState::Pending).await;
    let at_device = till.job_in(99, JobState::Printing).await;
    till.clock.advance(Duration::from_secs(61));
    let since = till.now() - SignedDuration::from_secs(60);
    let mut expected = vec![waiting.id, at_device.id];
    for (n, state) in (2..).zip(JobState::ALL) {
        let job = till.job_in(n, state).await;
        if state.asks() {
            expected.push(job.id);
        }
    }
    let ids =
        |rows: Vec<tillroll_store::TodoRow>| rows.iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(till.store.todo(since, 100).await.unwrap()), expected);
    assert_eq!(ids(till.store.todo(since, 2).await.unwrap()), expected[..2]);
    assert_eq!(till.store.todo(Timestamp::MIN, 100).await.unwrap().len(), expected.len() - 2);
}

#[tokio::test]
async fn next_to_wait_too_long_is_the_oldest_since_a_moment_that_waits_or_is_at_a_device() {
    let till = Till::new().await;
    let begun = till.now();
    let next = async |from| {
        let next = till.store.next_waiting(from).await.unwrap();
        next.map(|waiting| (waiting.job_id, waiting.since))
    };
    assert_eq!(next(begun).await, None);
    let mut waiting = Vec::new();
    for (n, state) in (1..).zip([JobState::Printing, JobState::Pending, JobState::Failed]) {
        let job = till.job_in(n, state).await;
        waiting.push((job.job_id.to_string(), till.now()));
        till.clock.advance(Duration::from_secs(5));
    }
    assert_eq!(next(Timestamp::MIN).await, Some(waiting[0].clone()));
    assert_eq!(next(begun).await, Some(waiting[0].clone()), "the moment itself counts");
    let after = begun + SignedDuration::from_millis(1);
    assert_eq!(next(after).await, Some(waiting[1].clone()));
    assert_eq!(next(waiting[2].1).await, None, "what failed is on the list at once");
}

#[tokio::test]
async fn jobs_are_listed_and_counted_by_state() {
    let till = Till::new().await;
    for (n, state) in (1..).zip(JobState::ALL.into_iter().chain(JobState::ALL)) {
        till.job_in(n, state).await;
    }
    for state in JobState::ALL {
        let jobs = till.store.jobs(Some(state), 10).await.unwrap();
        assert_eq!(jobs.len(), 2, "{state}");
        assert!(jobs[0].id > jobs[1].id && jobs.iter().all(|job| job.state == state));
        assert_eq!(till.store.jobs(Some(state), 1).await.unwrap()[0].id, jobs[0].id);
    }
    assert_eq!(till.store.jobs(None, 100).await.unwrap().len(), 16);
    let counts = till.store.open_counts(1_000).await.unwrap();
    assert_eq!(counts.len(), 6, "printed and skipped are not open");
    assert!(counts.iter().all(|(_, count)| *count == 2), "{counts:?}");
    assert!(till.store.open_counts(1).await.unwrap().iter().all(|(_, count)| *count == 1));
}

#[tokio::test]
async fn queue_of_a_printer_is_counted_with_the_age_of_its_oldest() {
    let till = Till::new().await;
    assert_eq!(till.store.queue_of(till.front, 10).await.unwrap(), (0, None));
    let oldest = till.now();
    till.record(NewReceipt { claiming: Some(claiming()), ..till.sale(1) }).await;
    till.sell(2).await;
    till.clock.advance(Duration::from_secs(5));
    till.sell(3).await;
    assert_eq!(till.store.queue_of(till.front, 10).await.unwrap(), (2, Some(oldest)));
    assert_eq!(till.store.queue_of(till.front, 1).await.unwrap(), (1, Some(oldest)));
}
