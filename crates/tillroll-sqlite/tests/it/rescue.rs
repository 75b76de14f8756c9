//! Damage found at start: set aside, rescued, reported. A torn WAL simply recovers.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tillroll_sqlite::{Database, Migration, OpenError, Opening, Options};

use crate::support::{Till, numbers, options, sale, sell, snapshot};

const PAGE: u64 = 4096;
pub const SALES: i64 = 500;

/// The files of a database with 500 sales that was killed, its WAL already in the main file.
pub fn killed_with_sales() -> (TempDir, PathBuf) {
    let till = Till::new();
    for number in 1..=SALES {
        till.database.write(sale(number, 300)).unwrap();
    }
    let path = till.path();
    till.database.close().unwrap();
    fs::write(format!("{}.open", path.display()), "").unwrap();
    (till.folder, path)
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

pub fn overwrite(path: &Path, at: u64, bytes: &[u8]) {
    OpenOptions::new().write(true).open(path).unwrap().write_all_at(bytes, at).unwrap();
}

fn truncate(path: &Path, length: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

pub fn open(path: &Path) -> (Database, Opening) {
    Database::open(path, options()).unwrap()
}

/// Opens a damaged database; checks what must hold of every rescue and returns the rows saved.
pub fn rescued(path: &Path) -> u64 {
    let damaged = fs::read(path).unwrap();
    let (database, opening) = open(path);
    let report = opening.rescue.expect("the damage was found");
    assert!(fs::read(&report.set_aside).unwrap() == damaged, "the damaged file is kept as it was");
    let found = numbers(&database);
    assert_eq!(report.rescued, [("sales".to_owned(), found.len() as u64)]);
    assert!(found.is_sorted() && found.iter().all(|n| (1..=SALES).contains(n)), "{found:?}");
    sell(&database, SALES + 1).unwrap();
    database.close().unwrap();
    let (database, opening) = open(path);
    assert!(opening.rescue.is_none() && opening.clean, "rescued once, told once");
    assert_eq!(numbers(&database).len(), found.len() + 1);
    found.len() as u64
}

#[test]
fn undamaged_database_that_was_killed_is_checked_and_kept() {
    let (_folder, path) = killed_with_sales();
    let (database, opening) = open(&path);
    assert!(!opening.clean && opening.rescue.is_none());
    assert_eq!(numbers(&database).len(), 500);
}

#[test]
fn torn_last_page_costs_at_most_its_rows() {
    let (_folder, path) = killed_with_sales();
    let last = size(&path) - PAGE;
    overwrite(&path, last + 512, &[0xFF; 3584]);
    assert!(rescued(&path) >= 400);
}

#[test]
fn truncated_main_file_gives_back_what_is_left() {
    let (_folder, path) = killed_with_sales();
    truncate(&path, size(&path) / 2 / PAGE * PAGE);
    assert!(rescued(&path) >= 200);
}

#[test]
fn main_file_cut_within_a_page_gives_back_what_is_left() {
    let (_folder, path) = killed_with_sales();
    truncate(&path, size(&path) / 2 + 1234);
    assert!(rescued(&path) >= 200);
}

#[test]
fn garbage_in_the_middle_costs_only_the_rows_there() {
    let (_folder, path) = killed_with_sales();
    let middle = size(&path) / 2 / PAGE * PAGE;
    overwrite(&path, middle, &[0xA5; 2 * PAGE as usize]);
    assert!(rescued(&path) >= 450);
}

#[test]
fn loss_is_estimated_and_no_id_is_given_twice() {
    let (_folder, path) = killed_with_sales();
    let middle = size(&path) / 2 / PAGE * PAGE;
    overwrite(&path, middle, &[0xA5; PAGE as usize]);
    let (database, opening) = open(&path);
    let report = opening.rescue.unwrap();
    assert_eq!(report.rescued[0].1 + report.lost_estimate.unwrap(), 500);
    assert_eq!(sell(&database, SALES + 1).unwrap(), SALES + 1, "ids go on above the highest");
}

#[test]
fn any_damaged_page_is_set_aside_or_read_over() {
    let (folder, path) = killed_with_sales();
    let pages = size(&path) / PAGE;
    for page in 0..pages {
        let copy = folder.path().join(format!("page{page}.db"));
        snapshot(&path, &copy);
        overwrite(&copy, page * PAGE, &[0x5A; PAGE as usize]);
        let (database, opening) = open(&copy);
        let found = numbers(&database).len();
        assert!(found == 500 || opening.rescue.is_some(), "page {page}: {found} rows, no report");
        sell(&database, SALES + 1).unwrap();
    }
}

#[test]
fn file_that_is_no_database_is_set_aside_empty_handed() {
    let (_folder, path) = killed_with_sales();
    fs::write(&path, vec![7; 100_000]).unwrap();
    assert_eq!(rescued(&path), 0);
}

#[test]
fn vanished_or_emptied_file_is_reported() {
    let (_folder, path) = killed_with_sales();
    truncate(&path, 0);
    let report = open(&path).1.rescue.unwrap();
    assert_eq!((report.rescued, report.lost_estimate), (vec![("sales".to_owned(), 0)], None));
    let (_folder, path) = killed_with_sales();
    fs::remove_file(&path).unwrap();
    assert!(open(&path).1.rescue.is_some());
}

#[test]
fn damage_is_found_even_after_a_proper_close_when_the_file_is_short() {
    let (_folder, path) = killed_with_sales();
    fs::remove_file(format!("{}.open", path.display())).unwrap();
    truncate(&path, size(&path) / 2);
    assert!(rescued(&path) >= 200);
}

#[test]
fn torn_wal_tail_keeps_every_acknowledged_sale() {
    let till = Till::new();
    for number in 1..=50 {
        sell(&till.database, number).unwrap();
    }
    let acknowledged = numbers(&till.database);
    let wal = PathBuf::from(format!("{}-wal", till.path().display()));
    let synced = size(&wal);
    sell(&till.database, 51).unwrap();
    let longer = size(&wal);
    for (round, cut) in (synced..=longer).step_by(509).enumerate() {
        let copy = till.folder.path().join(format!("cut{round}.db"));
        snapshot(&till.path(), &copy);
        truncate(&PathBuf::from(format!("{}-wal", copy.display())), cut);
        let (database, opening) = open(&copy);
        assert!(opening.rescue.is_none() && !opening.clean);
        assert!(numbers(&database).starts_with(&acknowledged), "cut at {cut}");
    }
}

#[test]
fn damage_in_the_middle_of_the_wal_is_not_taken_for_its_end() {
    let till = Till::new();
    for number in 1..=50 {
        sell(&till.database, number).unwrap();
    }
    let copy = till.folder.path().join("copy.db");
    snapshot(&till.path(), &copy);
    let wal = PathBuf::from(format!("{}-wal", copy.display()));
    overwrite(&wal, size(&wal) / 2, &[0xA5; 100]);
    let damaged = fs::read(&wal).unwrap();
    let (database, opening) = open(&copy);
    let report = opening.rescue.expect("acknowledged sales are gone");
    let found = numbers(&database);
    assert_eq!(found, (1..=found.len() as i64).collect::<Vec<_>>());
    assert!(found.len() < 50);
    // The commit of the damaged frame is missing in the count, for its page may be a later one's.
    let lost = 50 - found.len() as u64;
    assert!(report.lost_estimate.is_some_and(|estimate| estimate + 1 >= lost), "{report:?}");
    let aside = PathBuf::from(format!("{}-wal", report.set_aside.display()));
    assert!(fs::read(aside).unwrap() == damaged, "the log is kept as it was");
}

#[test]
fn copies_at_random_moments_hold_every_acknowledged_sale() {
    let till = Till::new();
    for number in 1..=500 {
        sell(&till.database, number).unwrap();
        if number % 50 == 0 {
            let copy = till.folder.path().join(format!("copy{number}.db"));
            snapshot(&till.path(), &copy);
            assert_eq!(numbers(&open(&copy).0).len(), number as usize);
        }
    }
}

#[test]
fn damaged_database_of_a_newer_program_is_not_rescued() {
    let (_folder, path) = killed_with_sales();
    let damaged = fs::read(&path).unwrap();
    let older = Options { migrations: &[], ..Options::default() };
    overwrite(&path, size(&path) / 2 / PAGE * PAGE, &[0xA5; PAGE as usize]);
    let refused = Database::open(&path, older).unwrap_err();
    assert!(matches!(refused, OpenError::NewerSchema { found: 1, supported: 0 }), "{refused}");
    assert_eq!(size(&path), damaged.len() as u64);
}

pub const WITH_LINES: &[Migration] = &[Migration {
    number: 1,
    name: "lines",
    sql:
        "CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
          CREATE TABLE sales(id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
          CREATE TABLE lines(
              id INTEGER PRIMARY KEY,
              sale INTEGER NOT NULL REFERENCES sales,
              amount_minor INTEGER NOT NULL CHECK(amount_minor >= 0)
          ) STRICT;
          INSERT INTO counters VALUES('lines', 0);
          CREATE TRIGGER count_lines AFTER INSERT ON lines BEGIN
              UPDATE counters SET value = value + 1 WHERE name = 'lines';
          END;",
}];
pub const WITH_NOTES: &[Migration] = &[
    WITH_LINES[0],
    Migration {
        number: 2,
        name: "notes",
        sql: "ALTER TABLE sales ADD COLUMN note TEXT NOT NULL DEFAULT 'none'",
    },
];

/// Rows lost drag their children along, triggers do not count twice, pending migrations follow.
#[test]
fn rescue_keeps_references_counters_and_goes_on_to_the_newest_schema() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("till.db");
    let (database, _) =
        Database::open(&path, Options { migrations: WITH_LINES, ..Options::default() }).unwrap();
    database
        .write(|c| {
            c.execute_batch(
                "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                 INSERT INTO sales(id, body) SELECT i, printf('%0300d', i) FROM n;
                 INSERT INTO lines(sale, amount_minor) SELECT id, 100 FROM sales",
            )
        })
        .unwrap();
    let root: u32 = database
        .read(|c| {
            c.query_row("SELECT rootpage FROM sqlite_schema WHERE name='sales'", [], |r| r.get(0))
        })
        .unwrap();
    database.close().unwrap();
    fs::write(format!("{}.open", path.display()), "").unwrap();
    // A leaf of `sales`: the page its root's first cell points to (big-endian, at the cell's start).
    let page = fs::read(&path).unwrap()[(root as usize - 1) * 4096..][..4096].to_vec();
    let cell = usize::from(u16::from_be_bytes([page[12], page[13]]));
    let leaf = u32::from_be_bytes(page[cell..cell + 4].try_into().unwrap());
    overwrite(&path, u64::from(leaf - 1) * PAGE, &[0xEE; PAGE as usize]);

    let (database, opening) =
        Database::open(&path, Options { migrations: WITH_NOTES, ..Options::default() }).unwrap();
    let report = opening.rescue.unwrap();
    assert_eq!(opening.migrated_from, Some(1));
    let count = |sql: &'static str| -> i64 {
        database.read(|c| c.query_row(sql, [], |r| r.get(0))).unwrap()
    };
    let sales = count("SELECT count(*) FROM sales WHERE note = 'none'");
    assert!((250..300).contains(&sales), "{sales}");
    assert_eq!(count("SELECT count(*) FROM lines"), sales);
    assert_eq!(count("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_eq!(count("SELECT value FROM counters"), 300);
    let lost = report.lost_estimate.unwrap();
    assert_eq!(lost, 2 * (300 - sales.unsigned_abs()), "the sales and their lines");
}
