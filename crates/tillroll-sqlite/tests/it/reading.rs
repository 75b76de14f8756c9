//! Reads: one state of the database, read-only, bounded in number and time.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use tillroll_sqlite::Options;
use tillroll_sqlite::rusqlite::{self, ErrorCode};

use crate::support::{Till, numbers, options, read_numbers, sell};

#[test]
fn read_sees_one_state_while_writes_go_on() {
    let till = Till::new();
    sell(&till.database, 1).unwrap();
    let (first, second) = till
        .database
        .read(|c| {
            let first = read_numbers(c)?;
            sell(&till.database, 2).unwrap();
            Ok::<_, rusqlite::Error>((first, read_numbers(c)?))
        })
        .unwrap();
    assert_eq!(first, second);
    assert_eq!(numbers(&till.database), [1, 2]);
}

#[test]
fn reader_cannot_write() {
    let till = Till::new();
    let answer = till.database.read(|c| c.execute("DELETE FROM sales", []));
    assert_eq!(answer.unwrap_err().sqlite_error_code(), Some(ErrorCode::ReadOnly));
}

#[test]
fn read_past_its_limit_is_interrupted() {
    let till = Till::with(Options { read_limit: Duration::from_millis(30), ..options() });
    let endless = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n)
                   SELECT count(*) FROM n";
    let answer = till.database.read(|c| c.query_row(endless, [], |r| r.get::<_, i64>(0)));
    let code = answer.unwrap_err().sqlite_error_code();
    assert_eq!(code, Some(ErrorCode::OperationInterrupted));
    assert_eq!(numbers(&till.database), Vec::<i64>::new(), "the reader works again");
}

#[test]
fn read_waits_for_a_free_reader_only_so_long() {
    let limits = Options { readers: 1, busy_timeout: Duration::from_millis(20), ..options() };
    let till = Till::with(limits);
    let (entered, has_entered) = channel();
    let (release, released) = channel::<()>();
    thread::scope(|scope| {
        let database = &till.database;
        scope.spawn(move || {
            database.read(move |_| {
                entered.send(()).unwrap();
                released.recv().unwrap();
                Ok::<_, rusqlite::Error>(())
            })
        });
        has_entered.recv().unwrap();
        let code = database.read(read_numbers).unwrap_err().sqlite_error_code();
        assert_eq!(code, Some(ErrorCode::DatabaseBusy));
        release.send(()).unwrap();
    });
    assert!(till.database.read(read_numbers).is_ok());
}

#[test]
fn reader_of_a_panicking_read_is_used_again() {
    let till = Till::with(Options { readers: 1, ..options() });
    for _ in 0..3 {
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            till.database.read(|c| {
                read_numbers(c)?;
                std::panic::resume_unwind(Box::new("a bug"));
                #[expect(unreachable_code, reason = "gives the closure its type")]
                Ok::<(), rusqlite::Error>(())
            })
        }));
        assert!(panicked.is_err());
    }
    sell(&till.database, 1).unwrap();
    assert_eq!(numbers(&till.database), [1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn look_up_stays_on_its_thread_and_sees_what_was_answered() {
    let till = Till::new();
    sell(&till.database, 1).unwrap();
    // Opens the reader that is idle from then on.
    numbers(&till.database);
    let look_up = till
        .database
        .look_up_async(|c| Ok::<_, rusqlite::Error>((thread::current().id(), read_numbers(c)?)));
    assert_eq!(look_up.await.unwrap(), (thread::current().id(), vec![1]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn look_up_waits_for_a_reader_when_none_is_idle() {
    let till = Till::with(Options { readers: 1, ..options() });
    let (entered, has_entered) = channel();
    let (release, released) = channel::<()>();
    let database = till.database.clone();
    let holder = thread::spawn(move || {
        database.read(move |_| {
            entered.send(()).unwrap();
            released.recv().unwrap();
            Ok::<_, rusqlite::Error>(())
        })
    });
    has_entered.recv().unwrap();
    let database = till.database.clone();
    let looking = tokio::spawn(async move { database.look_up_async(read_numbers).await });
    release.send(()).unwrap();
    assert_eq!(looking.await.unwrap().unwrap(), Vec::<i64>::new());
    holder.join().unwrap().unwrap();
}
