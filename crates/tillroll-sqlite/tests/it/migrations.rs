//! Migrations: once, in order, all or none, with a copy before.

use std::path::Path;

use tempfile::TempDir;
use tillroll_sqlite::rusqlite::{self, Connection};
use tillroll_sqlite::{Database, Migration, OpenError, Opening, Options};

const V1: Migration = Migration {
    number: 1,
    name: "shops",
    sql: "CREATE TABLE shops(id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
};
const V2: Migration = Migration {
    number: 2,
    name: "tills",
    sql:
        "CREATE TABLE tills(id INTEGER PRIMARY KEY, shop INTEGER NOT NULL REFERENCES shops) STRICT;
          INSERT INTO shops(name) VALUES('first')",
};
const V3_BROKEN: Migration = Migration {
    number: 3,
    name: "broken",
    sql: "CREATE TABLE x(a); INSERT INTO nowhere VALUES(1)",
};
const V3_DANGLING: Migration =
    Migration { number: 3, name: "dangling", sql: "INSERT INTO tills(shop) VALUES(77)" };

const ONE: &[Migration] = &[V1];
const TWO: &[Migration] = &[V1, V2];

fn open(
    folder: &TempDir,
    migrations: &'static [Migration],
) -> Result<(Database, Opening), OpenError> {
    let options = Options { migrations, ..Options::default() };
    Database::open(&folder.path().join("till.db"), options)
}

fn open_and_close(folder: &TempDir, migrations: &'static [Migration]) -> Opening {
    let (database, opening) = open(folder, migrations).unwrap();
    database.close().unwrap();
    opening
}

fn version(path: &Path) -> i64 {
    Connection::open(path).unwrap().pragma_query_value(None, "user_version", |r| r.get(0)).unwrap()
}

#[test]
fn new_database_gets_all_and_an_old_one_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let first = open_and_close(&folder, ONE);
    assert_eq!((first.migrated_from, first.copy), (Some(0), None));
    let second = open_and_close(&folder, TWO);
    assert_eq!(second.migrated_from, Some(1));
    assert_eq!(open_and_close(&folder, TWO).migrated_from, None);
    let copy = second.copy.unwrap();
    assert_eq!(copy, folder.path().join("till.db.before-0002"));
    assert_eq!(version(&copy), 1);
}

#[test]
fn landed_migrations_are_listed_with_name_and_time() {
    let folder = tempfile::tempdir().unwrap();
    let (database, _) = open(&folder, TWO).unwrap();
    let listed: Vec<(u32, String, bool)> = database
        .read(|c| {
            c.prepare(
                "SELECT number, name, applied_at GLOB '20??-??-??T??:??:??.???Z' AND
                 length(checksum) = 64 FROM schema_migrations ORDER BY number",
            )?
            .query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?
            .collect::<rusqlite::Result<_>>()
        })
        .unwrap();
    assert_eq!(listed, [(1, "shops".to_owned(), true), (2, "tills".to_owned(), true)]);
}

#[test]
fn newer_schema_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    open_and_close(&folder, TWO);
    let before = std::fs::read(folder.path().join("till.db")).unwrap();
    let refused = open(&folder, ONE).unwrap_err();
    assert!(matches!(refused, OpenError::NewerSchema { found: 2, supported: 1 }), "{refused}");
    assert_eq!(std::fs::read(folder.path().join("till.db")).unwrap(), before);
    open_and_close(&folder, TWO);
}

#[test]
fn changed_text_of_a_landed_migration_is_refused() {
    const CHANGED: &[Migration] = &[Migration { sql: "CREATE TABLE shops(id INTEGER)", ..V1 }, V2];
    let folder = tempfile::tempdir().unwrap();
    open_and_close(&folder, ONE);
    let refused = open(&folder, CHANGED).unwrap_err();
    assert!(
        matches!(refused, OpenError::ChangedMigration { number: 1, name: "shops" }),
        "{refused}"
    );
}

#[test]
fn failed_migration_undoes_all_of_its_start() {
    const BROKEN: &[Migration] = &[V1, V2, V3_BROKEN];
    let folder = tempfile::tempdir().unwrap();
    open_and_close(&folder, ONE);
    let refused = open(&folder, BROKEN).unwrap_err();
    assert!(matches!(refused, OpenError::Migration { number: 3, .. }), "{refused}");
    assert_eq!(version(&folder.path().join("till.db")), 1);
    assert_eq!(open_and_close(&folder, TWO).migrated_from, Some(1));
}

#[test]
fn migration_that_leaves_a_dangling_row_is_refused() {
    const DANGLING: &[Migration] = &[V1, V2, V3_DANGLING];
    let folder = tempfile::tempdir().unwrap();
    let refused = open(&folder, DANGLING).unwrap_err();
    assert!(
        matches!(&refused, OpenError::BrokenReference { table } if table == "tills"),
        "{refused}"
    );
    assert_eq!(open_and_close(&folder, TWO).migrated_from, Some(0));
}

#[test]
fn lists_that_cannot_be_applied_are_refused() {
    const GAP: &[Migration] = &[V1, V3_BROKEN];
    const TWICE: &[Migration] = &[V1, V1];
    const DEFERRED: &[Migration] =
        &[Migration { sql: "CREATE TABLE t(a REFERENCES b DEFERRABLE INITIALLY DEFERRED)", ..V1 }];
    const COMMITS: &[Migration] = &[Migration { sql: "COMMIT", ..V1 }];
    for migrations in [GAP, TWICE, DEFERRED, COMMITS] {
        let folder = tempfile::tempdir().unwrap();
        let refused = open(&folder, migrations).unwrap_err();
        assert!(matches!(refused, OpenError::InvalidMigration { .. }), "{refused}");
    }
}

#[test]
fn last_three_copies_are_kept() {
    const FIVE: &[Migration] = &[
        V1,
        V2,
        Migration { number: 3, name: "c", sql: "" },
        Migration { number: 4, name: "d", sql: "" },
        Migration { number: 5, name: "e", sql: "" },
    ];
    let folder = tempfile::tempdir().unwrap();
    for upto in 1..=5 {
        open_and_close(&folder, &FIVE[..upto]);
    }
    let mut copies: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter(|name| name.contains(".before-"))
        .collect();
    copies.sort();
    assert_eq!(copies, ["till.db.before-0003", "till.db.before-0004", "till.db.before-0005"]);
}

#[test]
fn open_names_the_option_that_cannot_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("till.db");
    let readers = Database::open(&path, Options { readers: 0, ..Options::default() });
    assert!(matches!(readers, Err(OpenError::InvalidOption { field: "readers", .. })));
    let wal = Database::open(&path, Options { wal_limit_bytes: 1, ..Options::default() });
    assert!(matches!(wal, Err(OpenError::InvalidOption { field: "wal_limit_bytes", .. })));
    let folderless = Database::open(Path::new("/nowhere/till.db"), Options::default());
    assert!(folderless.is_err());
}

#[test]
fn locked_database_says_so() {
    let folder = tempfile::tempdir().unwrap();
    open_and_close(&folder, ONE);
    let other = Connection::open(folder.path().join("till.db")).unwrap();
    other.execute_batch("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    let options = Options {
        migrations: ONE,
        busy_timeout: std::time::Duration::from_millis(10),
        ..Options::default()
    };
    let refused = Database::open(&folder.path().join("till.db"), options).unwrap_err();
    assert!(matches!(refused, OpenError::Locked), "{refused}");
}
