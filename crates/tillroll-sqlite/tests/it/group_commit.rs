//! Many callers share commits; each is answered after its own is durable.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use tillroll_sqlite::{Options, WriteError};

use crate::support::{Till, numbers, numbers_on_disk, options, sale, sell};

#[test]
fn every_acknowledged_write_of_eight_threads_is_stored_once() {
    let till = Till::new();
    let start = Barrier::new(8);
    thread::scope(|scope| {
        for caller in 0..8 {
            let (database, start) = (&till.database, &start);
            scope.spawn(move || {
                start.wait();
                for n in 0..100 {
                    sell(database, caller * 1000 + n).unwrap();
                }
            });
        }
    });
    let mut found = numbers(&till.database);
    found.sort_unstable();
    let expected: Vec<i64> = (0..8).flat_map(|c| (0..100).map(move |n| c * 1000 + n)).collect();
    assert_eq!(found, expected);
    let health = till.database.health();
    assert_eq!(health.writes, 800);
    assert!(health.batches > 0, "no commit was shared: {health:?}");
    assert!(health.commits < 800, "{health:?}");
}

#[test]
fn acknowledged_write_is_in_the_files_at_once() {
    let till = Till::new();
    for number in 1..=20 {
        sell(&till.database, number).unwrap();
        assert_eq!(numbers_on_disk(&till.path()).last(), Some(&number));
    }
}

#[test]
fn lone_caller_commits_on_its_own_thread() {
    let till = Till::new();
    let here = thread::current().id();
    let there = till
        .database
        .write(|_| Ok::<_, tillroll_sqlite::rusqlite::Error>(thread::current().id()))
        .unwrap();
    assert_eq!(there, here);
}

#[test]
fn writes_that_wait_share_one_commit_in_their_order() {
    let till = Till::new();
    let before = till.database.health();
    let (entered, has_entered) = channel();
    let (release, released) = channel::<()>();
    thread::scope(|scope| {
        let database = &till.database;
        scope.spawn(move || {
            database.write(move |c| {
                entered.send(()).unwrap();
                released.recv().unwrap();
                sale(0, 10)(c)
            })
        });
        has_entered.recv().unwrap();
        for number in 1..=10 {
            scope.spawn(move || sell(database, number).unwrap());
            crate::support::wait_until("the write waits", || {
                database.health().waiting == number as usize
            });
        }
        release.send(()).unwrap();
    });
    assert_eq!(numbers(&till.database), (0..=10).collect::<Vec<_>>());
    let health = till.database.health();
    assert_eq!(health.commits - before.commits, 2);
    assert_eq!(health.largest_batch, 10);
}

#[test]
fn write_beyond_the_queue_limit_is_refused_at_once() {
    let till = Till::with(Options { queue_limit: 2, ..options() });
    let (entered, has_entered) = channel();
    let (release, released) = channel::<()>();
    thread::scope(|scope| {
        let database = &till.database;
        scope.spawn(move || {
            database.write(move |c| {
                entered.send(()).unwrap();
                released.recv().unwrap();
                sale(0, 10)(c)
            })
        });
        has_entered.recv().unwrap();
        for number in 1..=2 {
            scope.spawn(move || sell(database, number).unwrap());
        }
        crate::support::wait_until("two wait", || database.health().waiting == 2);
        assert!(matches!(sell(database, 3), Err(WriteError::Overloaded)));
        release.send(()).unwrap();
    });
    assert_eq!(numbers(&till.database).len(), 3);
}

#[test]
fn close_commits_what_waits_and_refuses_what_comes_after() {
    let till = Till::new();
    let closed = Arc::new(AtomicBool::new(false));
    let (entered, has_entered) = channel();
    let (release, released) = channel::<()>();
    thread::scope(|scope| {
        let database = &till.database;
        scope.spawn(move || {
            database.write(move |c| {
                entered.send(()).unwrap();
                released.recv().unwrap();
                sale(0, 10)(c)
            })
        });
        has_entered.recv().unwrap();
        scope.spawn(move || sell(database, 1).unwrap());
        crate::support::wait_until("one waits", || database.health().waiting == 1);
        let (flag, closing) = (Arc::clone(&closed), database.clone());
        scope.spawn(move || {
            closing.close().unwrap();
            flag.store(true, Ordering::SeqCst);
        });
        release.send(()).unwrap();
    });
    assert!(closed.load(Ordering::SeqCst));
    assert!(matches!(sell(&till.database, 2), Err(WriteError::Closed)));
    assert!(till.database.read(crate::support::read_numbers).is_err());
    assert_eq!(numbers_on_disk(&till.path()), [0, 1]);
}

#[test]
fn after_a_burst_commits_are_no_more_frequent_than_the_pace_and_share_what_comes() {
    let pace = Duration::from_millis(5);
    let till = Till::with(Options { pace, ..options() });
    let (before, began) = (till.database.health(), Instant::now());
    thread::scope(|scope| {
        for caller in 0..8 {
            let database = &till.database;
            scope.spawn(move || {
                (0..100).for_each(|n| assert!(sell(database, caller * 1000 + n).is_ok()))
            });
        }
    });
    let spans = began.elapsed().as_millis() / pace.as_millis() + 1;
    let after = till.database.health();
    assert_eq!(after.writes - before.writes, 800);
    let commits = u128::from(after.commits - before.commits);
    assert!(commits <= 20 + spans + 1, "{commits} commits in {spans} spans");
}
