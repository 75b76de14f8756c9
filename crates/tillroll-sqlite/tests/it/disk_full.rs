//! A full disk refuses before anything counts, and recovers without a restart.

use std::time::Duration;

use tillroll_sqlite::{Condition, Database, Options, WriteError};
use tillroll_testkit::SmallDisk;

use crate::support::{Till, numbers, options, sale, sell};

#[test]
fn full_database_refuses_and_recovers_when_space_returns() {
    let till = Till::new();
    let limit = |pages: u32| {
        till.database
            .write(move |c| c.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())))
            .unwrap();
    };
    limit(40);
    let stored = (0..1000).take_while(|n| till.database.write(sale(*n, 1000)).is_ok()).count();
    assert!((10..200).contains(&stored), "{stored}");
    let refused = till.database.write(sale(5000, 1000));
    assert!(matches!(refused, Err(WriteError::DiskFull)), "{refused:?}");
    assert_eq!(till.database.health().condition, Condition::DiskFull);
    assert_eq!(numbers(&till.database).len(), stored);
    limit(100_000);
    sell(&till.database, 5000).unwrap();
    assert_eq!(till.database.health().condition, Condition::Healthy);
    assert_eq!(numbers(&till.database).len(), stored + 1);
}

#[test]
fn real_full_disk_loses_no_acknowledged_sale_and_recovers_without_restart() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 2) else { return };
    let path = disk.path().join("till.db");
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 1 << 20]).unwrap();
    let (database, _) = Database::open(&path, options()).unwrap();

    let mut acknowledged = Vec::new();
    let mut refusals = 0;
    for number in 0..3000 {
        match database.write(sale(number, 2000)) {
            Ok(_) => acknowledged.push(number),
            Err(WriteError::DiskFull) => refusals += 1,
            Err(other) => panic!("sale {number}: {other}"),
        }
        if refusals == 5 {
            break;
        }
    }
    assert_eq!(refusals, 5, "the disk never filled");
    assert!(acknowledged.len() > 20);
    assert_eq!(numbers(&database), acknowledged);

    std::fs::remove_file(&ballast).unwrap();
    sell(&database, 10_000).unwrap();
    acknowledged.push(10_000);
    assert_eq!(numbers(&database), acknowledged);
    assert_eq!(database.health().condition, Condition::Healthy);
    database.close().unwrap();
    let (database, opening) = Database::open(&path, options()).unwrap();
    assert!(opening.clean);
    assert_eq!(numbers(&database), acknowledged);
    database.close().unwrap();
    drop(disk);
}

/// Killed with a full log and then no room to copy it into the main file.
#[test]
fn database_killed_on_a_full_disk_opens_for_reading_and_takes_writes_once_there_is_space() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 2) else { return };
    let till = Till::new();
    for number in 0..50 {
        till.database.write(sale(number, 3000)).unwrap();
    }
    let path = disk.path().join("till.db");
    crate::support::snapshot(&till.path(), &path);
    let ballast = disk.path().join("ballast");
    let mut file = std::fs::File::create(&ballast).unwrap();
    // All but the room of the shared memory (32 KB) goes.
    std::fs::write(disk.path().join("room"), vec![1; 64 << 10]).unwrap();
    while std::io::Write::write_all(&mut file, &[0; 4096]).is_ok() {}
    drop(file);
    std::fs::remove_file(disk.path().join("room")).unwrap();

    let (database, opening) = Database::open(&path, options()).unwrap();
    assert!(!opening.clean && opening.rescue.is_none());
    assert_eq!(numbers(&database).len(), 50);
    assert_eq!(database.health().condition, Condition::Rewriting);
    assert!(matches!(sell(&database, 500), Err(WriteError::Unavailable)));
    std::fs::remove_file(&ballast).unwrap();
    sell(&database, 500).unwrap();
    assert_eq!(numbers(&database).len(), 51);
    database.close().unwrap();
    drop(disk);
}

/// What filled the disk is mostly the log: once there is a little room, it is copied away and used again.
#[test]
fn log_that_filled_the_disk_makes_room_for_what_comes() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 2) else { return };
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 256 << 10]).unwrap();
    // Nothing is copied away by size, which takes more than there is, or in idle time.
    let options = Options { idle_after: Duration::from_secs(3_600), ..options() };
    let (database, _) = Database::open(&disk.path().join("till.db"), options).unwrap();
    let stored = (0..3_000).take_while(|n| database.write(sale(*n, 100)).is_ok()).count();
    assert!(stored > 50, "{stored}");
    std::fs::remove_file(&ballast).unwrap();
    // More than disk and log would hold, were what is copied away not written over.
    for number in 5_000..5_600 {
        sell(&database, number).unwrap();
    }
    assert_eq!(database.health().condition, Condition::Healthy);
    database.close().unwrap();
    drop(disk);
}
