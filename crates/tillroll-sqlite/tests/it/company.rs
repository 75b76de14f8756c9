//! Writes that can wait share commits once there were many; those that cannot take them along.

use std::time::Duration;

use tillroll_sqlite::{Company, Options};
use tokio::task::JoinSet;

use crate::support::{Till, options, sale, sell, wait_until};

/// Commits that may follow each other before anything waits.
const BURST: i64 = 20;
const LONG: Duration = Duration::from_secs(600);

/// A database whose burst is used up: only a third write or an urgent one begins the next commit.
fn busy_till() -> Till {
    let company = Company { span: LONG, quiet: LONG, crowd: 3, longest: LONG };
    let till = Till::with(Options { company: Some(company), ..options() });
    for number in 1..=BURST + 1 {
        sell(&till.database, number).unwrap();
    }
    till
}

fn spawn(till: &Till, writes: &mut JoinSet<i64>, number: i64) {
    let database = till.database.clone();
    writes.spawn(async move { database.write_in_company_async(sale(number, 10)).await.unwrap() });
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_in_company_share_a_commit_once_they_are_a_crowd() {
    let till = busy_till();
    let before = till.database.health();
    let mut writes = JoinSet::new();
    spawn(&till, &mut writes, 100);
    spawn(&till, &mut writes, 101);
    wait_until("two wait", || till.database.health().waiting == 2);
    spawn(&till, &mut writes, 102);
    writes.join_all().await;
    let after = till.database.health();
    assert_eq!((after.commits - before.commits, after.writes - before.writes), (1, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn urgent_write_waits_for_nobody_and_takes_those_along_that_wait() {
    let till = busy_till();
    let before = till.database.health();
    let mut writes = JoinSet::new();
    spawn(&till, &mut writes, 100);
    wait_until("one waits", || till.database.health().waiting == 1);
    till.database.write_async(sale(101, 10)).await.unwrap();
    writes.join_all().await;
    let after = till.database.health();
    assert_eq!((after.commits - before.commits, after.writes - before.writes), (1, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn lone_write_of_a_quiet_database_waits_for_no_company() {
    let company = Company { span: Duration::from_millis(1), quiet: LONG, crowd: 3, longest: LONG };
    let till = Till::with(Options { company: Some(company), ..options() });
    for number in 1..=BURST {
        till.database.write_in_company_async(sale(number, 10)).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn close_commits_what_waits_for_company() {
    let till = busy_till();
    let mut writes = JoinSet::new();
    spawn(&till, &mut writes, 100);
    wait_until("one waits", || till.database.health().waiting == 1);
    let database = till.database.clone();
    tokio::task::spawn_blocking(|| database.close().unwrap()).await.unwrap();
    writes.join_all().await;
}
