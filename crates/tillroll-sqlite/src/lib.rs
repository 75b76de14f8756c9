//! SQLite as the register uses it: one file in WAL mode, one writer, group commit, read-only
//! readers, migrations, rescue of a damaged file. Knows no table of the product.
//!
//! Invariants:
//! - A write is answered only after its `COMMIT` returned (`synchronous=FULL`): what was answered
//!   with `Ok` survives a power cut, on a disk that obeys syncs.
//! - Every write runs between `BEGIN IMMEDIATE` and `COMMIT`. A bare `UPDATE .. RETURNING` read with
//!   `query_row` hands out its row before the commit and drops the commit's error.
//! - After a commit whose fate is unknown nothing is acknowledged until the database has been
//!   rewritten into new, synced files: reading the old ones back would prove the page cache only.
//! - While a connection is open, nothing here opens the main file by other means: closing any
//!   descriptor of a file drops every POSIX lock the process holds on it.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use tillroll_sqlite::{Database, Migration, Options};
//! const MIGRATIONS: &[Migration] = &[Migration {
//!     number: 1,
//!     name: "notes",
//!     sql: "CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",
//! }];
//! let options = Options { migrations: MIGRATIONS, ..Options::default() };
//! let (database, _opening) = Database::open("notes.db".as_ref(), options)?;
//! database.write(|c| c.execute("INSERT INTO notes(text) VALUES('hello')", []))?;
//! let notes: i64 = database.read(|c| c.query_row("SELECT count(*) FROM notes", [], |r| r.get(0)))?;
//! # assert_eq!(notes, 1);
//! # Ok(()) }
//! ```

mod checkpoint;
mod committer;
mod company;
mod connection;
mod database;
mod error;
mod files;
mod health;
mod marker;
mod migration;
mod open;
mod options;
mod pace;
mod queue;
mod readers;
mod rescue;
mod rewrite;
mod schema;
mod shared;
mod swap;
mod transaction;
mod verdict;
mod wal_gauge;
mod wal_log;
mod work;
mod writer;

pub use company::Company;
pub use database::Database;
pub use error::{CloseError, OpenError, Refusal, WriteError};
pub use health::{Condition, Health};
pub use migration::Migration;
pub use open::Opening;
pub use options::{CommitFault, Options, Synchronous};
pub use rescue::RescueReport;
pub use rusqlite;
