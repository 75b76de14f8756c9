//! A database without threads, for simulated time.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tillroll_sqlite::{Condition, Database, Options};

use super::support::{Till, options, sale};

fn inline() -> Options {
    Options { inline: true, ..options() }
}

/// What a future comes to at its first poll.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("somebody else is waited for"),
    }
}

fn count(database: &Database) -> i64 {
    let counted = database
        .read_async(|c| c.query_row("SELECT count(*) FROM sales", [], |row| row.get::<_, i64>(0)));
    at_once(counted).unwrap()
}

#[test]
fn async_calls_are_done_at_their_first_poll() {
    let till = Till::with(inline());
    for number in 1..=3 {
        at_once(till.database.write_async(sale(number, 10))).unwrap();
    }
    till.database.write(sale(4, 10)).unwrap();
    assert_eq!(count(&till.database), 4);
    assert_eq!(till.database.health().commits, 4);
}

#[test]
fn log_stays_bounded_by_the_checkpoints_of_the_writes() {
    let limits = Options { checkpoint_bytes: 64 << 10, wal_limit_bytes: 256 << 10, ..inline() };
    let till = Till::with(limits);
    for number in 1..=400 {
        till.database.write(sale(number, 4_000)).unwrap();
    }
    let health = till.database.health();
    assert!(health.checkpoints > 4, "{health:?}");
    assert!(health.wal_bytes < 512 << 10, "{health:?}");
}

#[test]
fn closing_ends_it_for_every_handle_and_the_next_open_is_clean() {
    let till = Till::with(inline());
    let other = till.database.clone();
    other.write(sale(1, 10)).unwrap();
    let (till, opening) = till.reopen(inline());
    assert!(opening.clean);
    assert_eq!(other.health().condition, Condition::Closed);
    assert!(other.write(sale(2, 10)).is_err());
    other.close().unwrap();
    assert_eq!(count(&till.database), 1);
}
