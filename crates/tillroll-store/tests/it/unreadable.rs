//! A job whose row cannot be read costs nobody but itself.

use tillroll_domain::print_job::{JobCause, JobState, Verb};
use tillroll_store::JobRow;

use crate::support::Till;

/// What a damaged page or a hand may leave in a job's row.
const DAMAGES: [&str; 3] =
    ["reason = 'martian'", "job_id = 'S1//1'", "accepted_at = -9000000000000000000"];

fn damage(till: &Till, job: &JobRow, what: &str) {
    let sql = format!("UPDATE print_jobs SET {what} WHERE id = {}", job.id.0);
    till.connection().execute(&sql, []).unwrap();
}

#[tokio::test]
async fn due_job_that_cannot_be_read_fails_and_the_next_one_prints() {
    for what in DAMAGES {
        let till = Till::new().await;
        let bad = till.sell(1).await;
        let good = till.sell(2).await;
        damage(&till, &bad, what);
        assert_eq!(till.print(till.front).await.job_id, good.job_id, "{what}");

        let todo = till.store.todo(till.now(), 9).await.unwrap();
        assert_eq!(todo.len(), 1, "{what}");
        assert_eq!((todo[0].id, todo[0].state), (bad.id, JobState::Failed), "{what}");
        assert_eq!(todo[0].reason, Some(JobCause::CannotRender.into()), "{what}");
        let notices = till.store.notices().await.unwrap();
        assert_eq!((notices.len(), notices[0].code.as_str()), (1, "unreadable_job"), "{what}");
        till.ask(&todo[0], Verb::Skip).await.unwrap();
    }
}

#[tokio::test]
async fn lists_leave_out_what_cannot_be_read_and_the_next_start_sets_it_aside() {
    let till = Till::new().await;
    let held = till.job_in(1, JobState::Held).await;
    let doubtful = till.job_in(2, JobState::Unconfirmed).await;
    for job in [&held, &doubtful] {
        damage(&till, job, DAMAGES[0]);
    }
    till.sell(3).await;
    assert!(till.store.todo(till.now(), 9).await.unwrap().is_empty());
    assert_eq!(till.store.jobs(None, 9).await.unwrap().len(), 1);

    let (till, opened) = till.reopen();
    assert_eq!(opened.new_epoch, None);
    assert_eq!(till.job(&held).await.state, JobState::Failed);
    assert_eq!(till.job(&doubtful).await.state, JobState::Unconfirmed, "it may be on paper");
    assert_eq!(till.store.notices().await.unwrap().len(), 2);
}
