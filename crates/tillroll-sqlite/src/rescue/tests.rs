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

/// Makes every child of a table's root the first one.
fn lead_back_to_the_first_leaf(path: &Path) {
    let connection = Connection::open(path).unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'sales'";
    let root: u64 = connection.query_row(root, [], |row| row.get::<_, i64>(0)).unwrap() as u64;
    drop(connection);
    let file = fs::OpenOptions::new().read(true).write(true).open(path).unwrap();
    let mut page = [0; PAGE as usize];
    file.read_exact_at(&mut page, (root - 1) * PAGE).unwrap();
    // File format, section 1.6: an interior page's cells begin with their child, the last child is in its head.
    assert_eq!(page[0], 5, "an interior page of a table");
    let cells = usize::from(u16::from_be_bytes([page[3], page[4]]));
    let cell = |n: usize| usize::from(u16::from_be_bytes([page[12 + 2 * n], page[13 + 2 * n]]));
    let places: Vec<_> = (0..cells).map(cell).chain([8]).collect();
    let first: [u8; 4] = page[places[0]..places[0] + 4].try_into().unwrap();
    places.iter().for_each(|at| page[*at..at + 4].copy_from_slice(&first));
    file.write_all_at(&page, (root - 1) * PAGE).unwrap();
}

#[test]
fn tree_that_leads_back_to_pages_that_were_read_is_no_circle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sales.db");
    let rows = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO sales(amount) SELECT i % 100 FROM n";
    let table = "CREATE TABLE sales(id INTEGER PRIMARY KEY, amount INTEGER NOT NULL) STRICT";
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(&format!("{table}; {rows}")).unwrap();
    drop(connection);
    lead_back_to_the_first_leaf(&path);
    let damaged = open_damaged(&path, &Options::default()).unwrap();
    let fresh = Connection::open_in_memory().unwrap();
    fresh.execute_batch(table).unwrap();
    let tally = table::copy(&damaged, &fresh, "sales", Some(3000)).unwrap();
    // A leaf that holds more rows than are read ahead.
    assert!((257..3000).contains(&tally.rescued), "{tally:?}");
    assert!(tally.lost > 0, "{tally:?}");
}
