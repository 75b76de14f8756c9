//! Bare SQLite: one connection that does the same statements for each row, so many rows a commit.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use rusqlite::{Connection, TransactionBehavior};

use crate::latencies::Latencies;
use crate::turns::Rival;

/// One connection.
pub struct SqliteRows {
    db: Connection,
    statements: Vec<String>,
    a_commit: u64,
    next: u64,
    is_repeated: bool,
}

impl SqliteRows {
    /// A new database of a schema. The statements' only parameter is the row's own id.
    pub fn new(path: &Path, schema: &str, statements: &[&str], a_commit: u64) -> Result<Self> {
        let db = Connection::open(path)?;
        db.execute_batch(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-65536",
        )?;
        db.execute_batch(schema)?;
        let statements = statements.iter().map(|sql| (*sql).to_owned()).collect();
        Ok(Self { db, statements, a_commit, next: 1, is_repeated: false })
    }

    /// The same row again and again.
    pub fn repeated(self) -> Self {
        Self { is_repeated: true, ..self }
    }

    fn commit(&mut self) -> Result<()> {
        let transaction = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for _ in 0..self.a_commit {
            let id = format!("{:016}", if self.is_repeated { 0 } else { self.next });
            self.next += 1;
            for sql in &self.statements {
                transaction.prepare_cached(sql)?.execute([&id])?;
            }
        }
        Ok(transaction.commit()?)
    }
}

impl Rival for SqliteRows {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        let mut done = 0;
        while Instant::now() < deadline {
            let begun = Instant::now();
            self.commit()?;
            calls.note(begun.elapsed());
            done += self.a_commit;
        }
        Ok(done)
    }
}
