//! After a commit that failed: unknown outcome, nothing acknowledged until the files are new.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use tillroll_sqlite::{CommitFault, Condition, Database, Options, WriteError};

use crate::support::{Till, numbers, numbers_on_disk, options, sale, sell};

/// Options whose next commit fails while the switch is on.
fn failing() -> (Options, Arc<AtomicBool>) {
    let broken = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&broken);
    let fault = CommitFault::new(move || {
        if seen.swap(false, SeqCst) { Err(io::Error::other("sync failed")) } else { Ok(()) }
    });
    (Options { commit_fault: Some(fault), ..options() }, broken)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(format!("{}{suffix}", path.display()))
}

#[test]
fn failed_commit_has_an_unknown_outcome_and_the_next_write_goes_to_new_files() {
    let (options, broken) = failing();
    let till = Till::with(options.clone());
    sell(&till.database, 1).unwrap();
    let old = fs::metadata(till.path()).unwrap().ino();
    broken.store(true, SeqCst);
    assert!(matches!(sell(&till.database, 2), Err(WriteError::OutcomeUnknown)));
    assert_eq!(till.database.health().condition, Condition::Rewriting);
    sell(&till.database, 3).unwrap();
    let health = till.database.health();
    assert_eq!((health.condition, health.rewrites), (Condition::Healthy, 1));
    assert_ne!(fs::metadata(till.path()).unwrap().ino(), old, "a new file");
    assert_eq!(fs::metadata(beside(&till.path(), ".replaced")).unwrap().ino(), old);
    assert_eq!(numbers(&till.database), [1, 3]);
    assert_eq!(numbers_on_disk(&till.path()), [1, 3]);
    let (till, opening) = till.reopen(options);
    assert!(opening.clean && !opening.finished_rewrite);
    assert_eq!(numbers(&till.database), [1, 3]);
}

/// In autocommit `query_row` would hand this row out and drop the commit's error.
#[test]
fn returning_row_of_a_failed_commit_is_not_handed_out() {
    let (options, broken) = failing();
    let till = Till::with(options);
    sell(&till.database, 1).unwrap();
    broken.store(true, SeqCst);
    let answer = till.database.write(|c| {
        c.query_row("UPDATE sales SET number = 2 RETURNING number", [], |r| r.get::<_, i64>(0))
    });
    assert!(matches!(answer, Err(WriteError::OutcomeUnknown)), "{answer:?}");
    assert_eq!(numbers(&till.database), [1]);
}

#[test]
fn every_write_of_a_failed_commit_hears_that_the_outcome_is_unknown() {
    let (options, broken) = failing();
    let till = Till::with(options);
    let (entered, has_entered) = channel();
    let (release, released) = channel::<()>();
    thread::scope(|scope| {
        let database = &till.database;
        scope.spawn(move || {
            database.write(move |c| {
                entered.send(()).unwrap();
                released.recv().unwrap();
                crate::support::read_numbers(c)?;
                Err::<(), _>(tillroll_sqlite::rusqlite::Error::InvalidQuery)
            })
        });
        has_entered.recv().unwrap();
        let writes: Vec<_> = (1..=5).map(|n| scope.spawn(move || sell(database, n))).collect();
        // A refusal may rest on rows that are rolled back with it: it must not be given out.
        let refusing =
            scope.spawn(|| database.write(|c| sale(1, 1)(c).and_then(|_| sale(1, 1)(c))));
        crate::support::wait_until("six wait", || database.health().waiting == 6);
        broken.store(true, SeqCst);
        release.send(()).unwrap();
        for write in writes.into_iter().chain([refusing]) {
            let answer = write.join().unwrap();
            assert!(matches!(answer, Err(WriteError::OutcomeUnknown)), "{answer:?}");
        }
    });
    sell(&till.database, 9).unwrap();
    assert_eq!(numbers(&till.database), [9]);
}

#[test]
fn one_old_generation_is_kept_however_often_commits_fail() {
    let (options, broken) = failing();
    let till = Till::with(options);
    for round in 0..3 {
        sell(&till.database, round * 10).unwrap();
        broken.store(true, SeqCst);
        assert!(sell(&till.database, round * 10 + 1).is_err());
    }
    sell(&till.database, 100).unwrap();
    assert_eq!(numbers(&till.database), [0, 10, 20, 100]);
    let generations = fs::read_dir(till.folder.path())
        .unwrap()
        .filter(|entry| {
            let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
            name.starts_with("till.db.re") && !name.ends_with("-wal") && !name.ends_with("-shm")
        })
        .count();
    assert_eq!(generations, 1);
}

#[test]
fn database_stays_refusing_while_it_cannot_be_rewritten_and_recovers_by_itself() {
    let (options, broken) = failing();
    let till = Till::with(options);
    sell(&till.database, 1).unwrap();
    broken.store(true, SeqCst);
    assert!(matches!(sell(&till.database, 2), Err(WriteError::OutcomeUnknown)));
    // A folder in the draft's place: the new file cannot be made.
    let obstacle = beside(&till.path(), ".rewriting");
    fs::create_dir_all(obstacle.join("in the way")).unwrap();
    for number in 3..6 {
        let answer = sell(&till.database, number);
        assert!(matches!(answer, Err(WriteError::Unavailable)), "{answer:?}");
        assert_eq!(numbers(&till.database), [1], "reads go on");
    }
    fs::remove_dir_all(&obstacle).unwrap();
    sell(&till.database, 6).unwrap();
    assert_eq!(numbers(&till.database), [1, 6]);
}

#[test]
fn rewrite_waits_for_a_reader_only_so_long() {
    let (options, broken) = failing();
    let till = Till::with(Options { busy_timeout: Duration::from_millis(20), ..options });
    sell(&till.database, 1).unwrap();
    till.database
        .read(|c| {
            broken.store(true, SeqCst);
            assert!(matches!(sell(&till.database, 2), Err(WriteError::OutcomeUnknown)));
            assert!(matches!(sell(&till.database, 3), Err(WriteError::Unavailable)));
            assert_eq!(crate::support::read_numbers(c)?, [1]);
            Ok::<_, tillroll_sqlite::rusqlite::Error>(())
        })
        .unwrap();
    sell(&till.database, 4).unwrap();
    assert_eq!(numbers(&till.database), [1, 4]);
}

#[test]
fn open_finishes_a_published_rewrite_and_never_replays_the_old_wal() {
    let till = Till::new();
    sell(&till.database, 1).unwrap();
    let copy = till.folder.path().join("copy.db");
    let ready = beside(&copy, ".rewritten");
    till.database
        .write({
            let ready = ready.to_str().unwrap().to_owned();
            move |_| Ok::<_, tillroll_sqlite::rusqlite::Error>(ready.clone())
        })
        .unwrap();
    tillroll_sqlite::rusqlite::Connection::open(till.path())
        .unwrap()
        .execute("VACUUM INTO ?1", [ready.to_str().unwrap()])
        .unwrap();
    // The old generation's WAL holds a row that the new one does not have.
    sell(&till.database, 2).unwrap();
    crate::support::snapshot(&till.path(), &copy);
    let (database, opening) = Database::open(&copy, options()).unwrap();
    assert!(opening.finished_rewrite);
    assert_eq!(numbers(&database), [1]);
    assert!(!ready.exists());
    assert!(beside(&copy, ".replaced-wal").exists());
}

#[test]
fn unfinished_draft_is_dropped_at_open() {
    let till = Till::new();
    sell(&till.database, 1).unwrap();
    let path = till.path();
    let folder = till.folder;
    till.database.close().unwrap();
    fs::write(beside(&path, ".rewriting"), "half a database").unwrap();
    let (database, _) = Database::open(&path, options()).unwrap();
    assert!(!beside(&path, ".rewriting").exists());
    assert_eq!(numbers(&database), [1]);
    drop((database, folder));
}

#[test]
fn callers_and_readers_live_through_many_rewrites() {
    let count = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&count);
    let fault = CommitFault::new(move || {
        if seen.fetch_add(1, SeqCst) % 20 == 19 {
            Err(io::Error::other("sync failed"))
        } else {
            Ok(())
        }
    });
    let till = Till::with(Options { commit_fault: Some(fault), ..options() });
    let stored: usize = thread::scope(|scope| {
        let database = &till.database;
        let reading = scope.spawn(|| {
            for _ in 0..200 {
                numbers(database);
            }
        });
        let callers: Vec<_> = (0..4_i64)
            .map(|caller| {
                scope.spawn(move || {
                    let sell = |n: i64| database.write(sale(caller * 1000 + n, 50)).is_ok();
                    (0..50_i64).filter(|n| sell(*n)).count()
                })
            })
            .collect();
        reading.join().unwrap();
        callers.into_iter().map(|caller| caller.join().unwrap()).sum()
    });
    assert_eq!(numbers(&till.database).len(), stored);
    assert!(till.database.health().rewrites > 0);
}
