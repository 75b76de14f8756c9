//! Where the files of a run lie, and how databases are opened in simulated time.

use tempfile::TempDir;
use tillroll_sqlite::Options;

/// A folder in memory where there is one: no run asks what a disk keeps.
pub fn in_memory() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap()
}

/// A database without threads, and with a short log, since there are many.
pub fn inline() -> Options {
    Options {
        inline: true,
        readers: 2,
        checkpoint_bytes: 128 << 10,
        wal_limit_bytes: 512 << 10,
        ..Options::default()
    }
}
