//! The engine on embedded SQLite: the suite of every engine, and what is its own.

mod counters;
mod faults;
mod files;
mod plans;
mod speed;

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tillroll_dispatcher::sqlite::{Calls, SqliteOptions, SqliteStore};
use tillroll_sqlite::rusqlite::Connection;

use crate::conformance::world::{Opened, World};

mod suite {
    crate::conformance::suite!(super::super::open);
}

/// An empty store in a folder of its own.
pub async fn open() -> Opened<SqliteStore> {
    let folder = tempfile::tempdir().unwrap();
    let store = open_at(&path(&folder), SqliteOptions::default());
    Opened { store, kept: Box::new(folder) }
}

pub fn path(folder: &TempDir) -> PathBuf {
    folder.path().join("dispatcher.db")
}

pub fn open_at(path: &Path, options: SqliteOptions) -> SqliteStore {
    SqliteStore::open(path, options).unwrap().0
}

/// A world and the folder of its file.
pub async fn world(options: SqliteOptions) -> (World<SqliteStore>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = open_at(&path(&folder), options);
    (World::new(Opened { store, kept: Box::new(()) }).await, folder)
}

/// A connection of its own to a store's file.
pub fn connect(folder: &TempDir) -> Connection {
    Connection::open(path(folder)).unwrap()
}

/// Options for a thread where nothing else may run meanwhile.
pub fn inline() -> SqliteOptions {
    SqliteOptions { calls: Calls::Inline, ..SqliteOptions::default() }
}
