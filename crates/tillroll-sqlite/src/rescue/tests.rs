//! The scan over gaps, on files damaged page by page.

use super::*;
use std::fs;
use std::os::unix::fs::FileExt;

const PAGE: u64 = 4096;

/// 500 rows of about 200 bytes: some 27 leaf pages.
fn sales(path: &Path) {
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE sales(id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL) STRICT;
             WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 500)
             INSERT INTO sales(body) SELECT printf('sale %0200d', i) FROM n",
        )
        .unwrap();
}

fn rescued_of_each_damaged_page(damage: &[u8]) -> Vec<(u64, Tally)> {
    let folder = tempfile::tempdir().unwrap();
    let original = folder.path().join("sales.db");
    sales(&original);
    let pages = fs::metadata(&original).unwrap().len() / PAGE;
    let mut tallies = Vec::new();
    for page in 1..pages {
        let copy = folder.path().join(format!("{page}.db"));
        fs::copy(&original, &copy).unwrap();
        let file = fs::OpenOptions::new().write(true).open(&copy).unwrap();
        file.write_all_at(damage, page * PAGE).unwrap();
        let damaged = open_damaged(&copy, &Options::default()).unwrap();
        let fresh = Connection::open_in_memory().unwrap();
        fresh
            .execute_batch("CREATE TABLE sales(id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")
            .unwrap();
        tallies.push((page, table::copy(&damaged, &fresh, "sales", Some(500)).unwrap()));
    }
    tallies
}

#[test]
fn one_bad_leaf_costs_only_the_rows_on_it() {
    let tallies = rescued_of_each_damaged_page(&[0xA5; PAGE as usize]);
    let whole = tallies.iter().filter(|(_, tally)| tally.rescued >= 500 - 25).count();
    // All but the table's root and its neighbours of other kinds.
    assert!(whole + 2 >= tallies.len(), "{tallies:?}");
    for (page, tally) in &tallies {
        if tally.rescued > 0 && tally.rescued < 500 {
            assert_eq!(tally.rescued + tally.lost, 500, "page {page}: {tally:?}");
        }
    }
}

#[test]
fn zeroed_leaf_is_a_gap_of_known_size() {
    for (page, tally) in rescued_of_each_damaged_page(&[0; PAGE as usize]) {
        if tally.rescued > 0 && tally.rescued < 500 {
            assert_eq!(tally.rescued + tally.lost, 500, "page {page}: {tally:?}");
        }
    }
}
