//! A full disk refuses before anything counts, and recovers without a restart.

use std::path::{Path, PathBuf};
use std::process::Command;

use tillroll_sqlite::{Condition, Database, WriteError};

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

/// A file system of 2 MB, unmounted at the end.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(at)
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then(|| Self(at.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _left_to_the_system = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn real_full_disk_loses_no_acknowledged_sale_and_recovers_without_restart() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk")) else {
        println!("skipped: a small file system cannot be mounted here");
        return;
    };
    let path = disk.0.join("till.db");
    let ballast = disk.0.join("ballast");
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
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk")) else {
        println!("skipped: a small file system cannot be mounted here");
        return;
    };
    let till = Till::new();
    for number in 0..50 {
        till.database.write(sale(number, 3000)).unwrap();
    }
    let path = disk.0.join("till.db");
    crate::support::snapshot(&till.path(), &path);
    let ballast = disk.0.join("ballast");
    let mut file = std::fs::File::create(&ballast).unwrap();
    // All but the room of the shared memory (32 KB) goes.
    std::fs::write(disk.0.join("room"), vec![1; 64 << 10]).unwrap();
    while std::io::Write::write_all(&mut file, &[0; 4096]).is_ok() {}
    drop(file);
    std::fs::remove_file(disk.0.join("room")).unwrap();

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
