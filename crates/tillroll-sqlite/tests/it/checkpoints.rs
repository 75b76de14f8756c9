//! The WAL is copied aside and stays bounded.

use std::time::Duration;

use tillroll_sqlite::Options;

use crate::support::{Till, numbers, options, sale, sell, wait_until};

fn wal_of(till: &Till) -> u64 {
    till.database.health().wal_bytes
}

#[test]
fn wal_stays_within_its_limit_under_load() {
    let limit = 1 << 20;
    let till = Till::with(Options {
        checkpoint_bytes: 256 << 10,
        wal_limit_bytes: limit,
        idle_after: Duration::from_secs(60),
        ..options()
    });
    let mut largest = 0;
    for number in 0..600 {
        till.database.write(sale(number, 20_000)).unwrap();
        largest = largest.max(wal_of(&till));
    }
    assert!(largest < 2 * limit, "{largest} bytes");
    wait_until("checkpoints were made", || till.database.health().checkpoints > 0);
    assert_eq!(till.database.health().failed_checkpoints, 0);
    assert_eq!(numbers(&till.database).len(), 600);
}

#[test]
fn idle_database_is_in_its_main_file() {
    let till = Till::with(Options { idle_after: Duration::from_millis(10), ..options() });
    for number in 1..=5 {
        sell(&till.database, number).unwrap();
    }
    wait_until("a checkpoint in idle time", || till.database.health().checkpoints > 0);
    // The main file alone, without its WAL.
    let alone = till.folder.path().join("alone.db");
    std::fs::copy(till.path(), &alone).unwrap();
    assert_eq!(crate::support::numbers_on_disk(&alone), [1, 2, 3, 4, 5]);
    sell(&till.database, 6).unwrap();
    assert_eq!(numbers(&till.database).len(), 6);
}

#[test]
fn checkpoint_in_idle_time_that_a_reader_held_up_is_made_when_it_has_gone() {
    let till = Till::with(Options { idle_after: Duration::from_millis(10), ..options() });
    let read = till.database.read(|c| {
        let before = crate::support::read_numbers(c)?;
        sell(&till.database, 1).unwrap();
        // The reader's own time: a checkpoint gives up waiting for it meanwhile.
        std::thread::sleep(Duration::from_millis(300));
        Ok::<_, tillroll_sqlite::rusqlite::Error>(before)
    });
    assert!(read.unwrap().is_empty());
    wait_until("a checkpoint in idle time", || till.database.health().checkpoints > 0);
}

#[test]
fn long_reader_only_delays_the_checkpoint() {
    let till =
        Till::with(Options { checkpoint_bytes: 64 << 10, wal_limit_bytes: 128 << 10, ..options() });
    till.database
        .read(|c| {
            let before = crate::support::read_numbers(c)?;
            for number in 0..100 {
                till.database.write(sale(number, 20_000)).unwrap();
            }
            assert_eq!(crate::support::read_numbers(c)?, before);
            Ok::<_, tillroll_sqlite::rusqlite::Error>(())
        })
        .unwrap();
    for number in 100..200 {
        till.database.write(sale(number, 20_000)).unwrap();
    }
    wait_until("the WAL was emptied", || {
        let number = 1000 + i64::try_from(till.database.health().writes).unwrap();
        till.database.write(sale(number, 20_000)).unwrap();
        wal_of(&till) < 1 << 20
    });
}

#[test]
fn close_empties_the_wal() {
    let till = Till::new();
    sell(&till.database, 1).unwrap();
    let (till, opening) = till.reopen(options());
    assert!(opening.clean);
    assert_eq!(numbers(&till.database), [1]);
}
