//! A table of sales and what all tests do with it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tillroll_sqlite::rusqlite::{self, Connection};
use tillroll_sqlite::{Database, Migration, Opening, Options, WriteError};

pub const MIGRATIONS: &[Migration] = &[Migration {
    number: 1,
    name: "sales",
    sql: "CREATE TABLE sales(
              id INTEGER PRIMARY KEY AUTOINCREMENT,
              number INTEGER NOT NULL UNIQUE,
              body BLOB NOT NULL
          ) STRICT",
}];

pub fn options() -> Options {
    Options { migrations: MIGRATIONS, ..Options::default() }
}

/// A database in a folder of its own.
pub struct Till {
    pub folder: TempDir,
    pub database: Database,
}

impl Till {
    pub fn new() -> Self {
        Self::with(options())
    }

    pub fn with(options: Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (database, _) = Database::open(&folder.path().join("till.db"), options).unwrap();
        Self { folder, database }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("till.db")
    }

    /// Closes properly and opens again.
    pub fn reopen(self, options: Options) -> (Self, Opening) {
        let Self { folder, database } = self;
        database.close().unwrap();
        let (database, opening) = Database::open(&folder.path().join("till.db"), options).unwrap();
        (Self { folder, database }, opening)
    }
}

/// Inserts one sale.
pub fn sale(number: i64, size: usize) -> impl Fn(&Connection) -> rusqlite::Result<i64> + Send {
    move |connection| {
        connection
            .prepare_cached("INSERT INTO sales(number, body) VALUES(?1, zeroblob(?2))")?
            .execute(rusqlite::params![number, size as i64])?;
        Ok(connection.last_insert_rowid())
    }
}

pub fn sell(database: &Database, number: i64) -> Result<i64, WriteError<rusqlite::Error>> {
    database.write(sale(number, 100))
}

/// All numbers in the order of their ids.
pub fn numbers(database: &Database) -> Vec<i64> {
    database.read(read_numbers).unwrap()
}

pub fn read_numbers(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    connection
        .prepare("SELECT number FROM sales ORDER BY id")?
        .query_map([], |r| r.get(0))?
        .collect()
}

/// What a fresh connection to the files sees.
pub fn numbers_on_disk(path: &Path) -> Vec<i64> {
    read_numbers(&Connection::open(path).unwrap()).unwrap()
}

/// Copies main file and WAL as they are now: what a machine without power would find, its page
/// cache written out.
pub fn snapshot(from: &Path, to: &Path) {
    for suffix in ["", "-wal", ".open"] {
        let name = |path: &Path| PathBuf::from(format!("{}{suffix}", path.display()));
        if name(from).exists() {
            std::fs::copy(name(from), name(to)).unwrap();
        }
    }
}

/// Waits until `holds`, at most ten seconds.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < deadline, "never came true: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
