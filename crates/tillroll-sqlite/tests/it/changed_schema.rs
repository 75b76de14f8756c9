//! A schema of which bytes changed: found at start, and no row is lost for it.

use std::fs;
use std::ops::Range;
use std::path::Path;

use tillroll_sqlite::rusqlite::Connection;
use tillroll_sqlite::{Database, Options};

use crate::rescue::{SALES, WITH_LINES, WITH_NOTES, killed_with_sales, open, overwrite, rescued};
use crate::support::{MIGRATIONS, numbers, sell, snapshot};

fn find(file: &[u8], text: &[u8]) -> u64 {
    file.windows(text.len()).position(|found| found == text).unwrap() as u64
}

/// Where the row of the table `sales` lies in the schema: its type and names, and its text.
fn schema_row(path: &Path) -> (u64, u64) {
    let file = fs::read(path).unwrap();
    (find(&file, b"tablesalessales"), find(&file, b"CREATE TABLE sales("))
}

/// The text of the table that lists the migrations.
fn text_of_the_list(path: &Path) -> Range<u64> {
    let file = fs::read(path).unwrap();
    let begin = find(&file, b"CREATE TABLE schema_migrations(");
    begin..begin + find(&file[begin as usize..], b"STRICT")
}

#[test]
fn any_byte_of_the_schema_that_changes_is_found_and_costs_no_sale() {
    let (folder, path) = killed_with_sales();
    let (names, text) = schema_row(&path);
    let length = MIGRATIONS[0].sql.len() as u64;
    let places = (names..names + 15).chain(text..text + length).chain(text_of_the_list(&path));
    // The second is no UTF-8.
    for (at, byte) in places.flat_map(|at| [(at, b'~'), (at, 0xFF)]) {
        let copy = folder.path().join("copy.db");
        snapshot(&path, &copy);
        overwrite(&copy, at, &[byte]);
        let (database, opening) = open(&copy);
        let report = opening.rescue.unwrap_or_else(|| panic!("byte {at} is {byte}"));
        assert_eq!(report.lost_estimate, Some(0), "byte {at} is {byte}: {:?}", report.rescued);
        assert_eq!(numbers(&database).len(), 500, "byte {at} is {byte}");
        sell(&database, SALES + 1).unwrap();
        database.close().unwrap();
        fs::remove_file(report.set_aside).unwrap();
    }
}

#[test]
fn changed_schema_is_found_even_after_a_proper_close() {
    let (_folder, path) = killed_with_sales();
    fs::remove_file(format!("{}.open", path.display())).unwrap();
    overwrite(&path, schema_row(&path).1 + 20, b"~");
    assert_eq!(rescued(&path), 500);
}

#[test]
fn index_that_was_added_by_hand_is_no_damage() {
    let (_folder, path) = killed_with_sales();
    let added = "CREATE INDEX by_length ON sales(length(body))";
    Connection::open(&path).unwrap().execute_batch(added).unwrap();
    assert!(open(&path).1.rescue.is_none());
}

/// The schema number stands in the header of a database (file format, section 1.3.15).
const USER_VERSION: u64 = 60;

#[test]
fn schema_number_that_changed_costs_no_row() {
    for (made_with, changed_to) in
        [(WITH_NOTES, 1_u32), (WITH_NOTES, 0), (WITH_LINES, 2), (WITH_LINES, 0)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("till.db");
        let options = |migrations| Options { migrations, ..Options::default() };
        let (database, _) = Database::open(&path, options(made_with)).unwrap();
        let sell = "INSERT INTO sales(id, body) VALUES(1, 'noodles'), (2, 'tea')";
        database.write(move |c| c.execute(sell, [])).unwrap();
        database.close().unwrap();
        overwrite(&path, USER_VERSION, &changed_to.to_be_bytes());
        let (database, opening) = Database::open(&path, options(WITH_NOTES)).unwrap();
        assert_eq!(opening.rescue.unwrap().lost_estimate, Some(0), "{changed_to}");
        let sold = "SELECT count(*) FROM sales WHERE note = 'none'";
        let sold: i64 = database.read(|c| c.query_row(sold, [], |r| r.get(0))).unwrap();
        assert_eq!(sold, 2, "{changed_to}");
    }
}
