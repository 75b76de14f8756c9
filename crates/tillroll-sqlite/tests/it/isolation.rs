//! A write that refuses, panics or fails touches no neighbour of its commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use tillroll_sqlite::rusqlite::{self, Connection, ErrorCode};
use tillroll_sqlite::{Database, Refusal, WriteError};

use crate::support::{Till, numbers, sale, sell, wait_until};

/// A refusal of the caller's own.
#[derive(Debug)]
enum Refused {
    ByRule,
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Refusal for Refused {
    fn sqlite(&self) -> Option<&rusqlite::Error> {
        match self {
            Self::ByRule => None,
            Self::Sqlite(error) => Some(error),
        }
    }
}

/// Runs `bad` in one commit with a sale before and one after it.
fn between_two_sales<T: Send + 'static, E: Refusal>(
    database: &Database,
    bad: impl Fn(&Connection) -> Result<T, E> + Send + 'static,
) -> Result<T, WriteError<E>> {
    let (entered, has_entered) = channel();
    let (release, released) = channel::<()>();
    let waits = |count| wait_until("writes wait", || database.health().waiting == count);
    thread::scope(|scope| {
        scope.spawn(move || {
            database.write(move |_| {
                entered.send(()).unwrap();
                released.recv().unwrap();
                Ok::<_, rusqlite::Error>(())
            })
        });
        has_entered.recv().unwrap();
        let before = scope.spawn(|| sell(database, 1));
        waits(1);
        let middle = scope.spawn(|| database.write(bad));
        waits(2);
        let after = scope.spawn(|| sell(database, 2));
        waits(3);
        release.send(()).unwrap();
        before.join().unwrap().unwrap();
        after.join().unwrap().unwrap();
        middle.join().unwrap()
    })
}

#[test]
fn refusal_undoes_only_its_own_rows() {
    let till = Till::new();
    let answer = between_two_sales(&till.database, |c| {
        sale(99, 10)(c)?;
        Err::<(), _>(Refused::ByRule)
    });
    assert!(matches!(answer, Err(WriteError::Refused(Refused::ByRule))), "{answer:?}");
    assert_eq!(numbers(&till.database), [1, 2]);
    assert_eq!(till.database.health().largest_batch, 2, "both neighbours in one commit");
}

#[test]
fn panic_undoes_only_its_own_rows() {
    let till = Till::new();
    let answer = between_two_sales(&till.database, |c| {
        sale(99, 10)(c)?;
        std::panic::resume_unwind(Box::new("a bug"));
        #[expect(unreachable_code, reason = "gives the closure its type")]
        Ok::<(), rusqlite::Error>(())
    });
    assert!(matches!(answer, Err(WriteError::Panicked)), "{answer:?}");
    assert_eq!(numbers(&till.database), [1, 2]);
}

/// How often a refused write ran.
fn runs_of(bad: impl Fn(&Connection) -> Result<(), Refused> + Send + 'static) -> usize {
    let till = Till::new();
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let answer = between_two_sales(&till.database, move |c| {
        counted.fetch_add(1, Ordering::SeqCst);
        bad(c)
    });
    assert!(matches!(answer, Err(WriteError::Refused(_))), "{answer:?}");
    assert_eq!(numbers(&till.database), [1, 2]);
    runs.load(Ordering::SeqCst)
}

#[test]
fn writes_of_a_commit_run_again_only_when_a_refusal_left_rows() {
    assert_eq!(runs_of(|_| Err(Refused::ByRule)), 1);
    let leaves_a_row = |c: &Connection| {
        sale(99, 10)(c)?;
        Err(Refused::ByRule)
    };
    assert_eq!(runs_of(leaves_a_row), 2);
}

#[test]
fn broken_constraint_is_a_refusal() {
    let till = Till::new();
    let answer = between_two_sales(&till.database, sale(1, 10));
    let Err(WriteError::Refused(error)) = answer else { panic!("{answer:?}") };
    assert_eq!(error.sqlite_error_code(), Some(ErrorCode::ConstraintViolation));
    assert_eq!(numbers(&till.database), [1, 2]);
}

#[test]
fn begin_inside_a_write_is_a_refusal() {
    let till = Till::new();
    let answer = between_two_sales(&till.database, |c| c.execute_batch("BEGIN"));
    assert!(matches!(answer, Err(WriteError::Refused(_))), "{answer:?}");
    assert_eq!(numbers(&till.database), [1, 2]);
}

#[test]
fn lone_refusal_and_panic_leave_nothing_and_cost_no_commit() {
    let till = Till::new();
    let refused = till.database.write(|c| {
        sale(1, 10)(c)?;
        Err::<(), _>(Refused::ByRule)
    });
    assert!(matches!(refused, Err(WriteError::Refused(Refused::ByRule))));
    let panicked: Result<(), WriteError<rusqlite::Error>> = till.database.write(|c| {
        sale(1, 10)(c)?;
        std::panic::resume_unwind(Box::new("a bug"))
    });
    assert!(matches!(panicked, Err(WriteError::Panicked)), "{panicked:?}");
    assert_eq!(till.database.health().commits, 0);
    sell(&till.database, 1).unwrap();
    assert_eq!(numbers(&till.database), [1]);
}

#[test]
fn write_that_ends_its_transaction_has_an_unknown_outcome_and_the_next_one_works() {
    let till = Till::new();
    let answer = till.database.write(|c| {
        sale(1, 10)(c)?;
        c.execute_batch("COMMIT")
    });
    assert!(matches!(answer, Err(WriteError::OutcomeUnknown)), "{answer:?}");
    sell(&till.database, 2).unwrap();
    assert_eq!(numbers(&till.database), [1, 2]);
}

/// A value whose drop panics, as its caller has left.
struct Grenade;

impl Drop for Grenade {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            std::panic::resume_unwind(Box::new("dropped"));
        }
    }
}

#[test]
fn panic_while_answering_does_not_stop_the_committing_thread() {
    let till = Till::new();
    let (entered, has_entered) = channel();
    let (caller_left, has_left) = channel();
    let mut write = Box::pin(till.database.write_async(move |c| {
        entered.send(()).unwrap();
        has_left.recv().unwrap();
        sale(1, 10)(c)?;
        Ok::<_, rusqlite::Error>(Grenade)
    }));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(write.as_mut().poll(&mut context).is_pending());
    drop(write);
    has_entered.recv().unwrap();
    caller_left.send(()).unwrap();
    let (sender, answered) = channel();
    let database = till.database.clone();
    thread::spawn(move || {
        for number in 2..=20 {
            sell(&database, number).unwrap();
        }
        sender.send(()).unwrap();
    });
    answered.recv_timeout(std::time::Duration::from_secs(10)).unwrap();
    assert_eq!(numbers(&till.database).len(), 20);
}
