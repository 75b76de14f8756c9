//! Bare SQLite: one connection with the register's pragmas and schema that writes the rows of a
//! recorded receipt and nothing else. No check, no answer, no other caller.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use rusqlite::{Connection, TransactionBehavior, params};

use crate::latencies::Latencies;
use crate::receipt_rows;
use crate::turns::Rival;

const SCHEMA: &str = include_str!("../../../migrations/register/0001_initial.sql");

/// One writer with a fixed number of receipts a commit.
pub struct RawSqlite {
    db: Connection,
    a_commit: u32,
    next: u64,
    body: String,
}

impl RawSqlite {
    /// A new database in an empty folder.
    pub fn in_folder(folder: &Path, a_commit: u32) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let db = open(&folder.join("raw.db"))?;
        db.execute_batch(SCHEMA)?;
        db.execute_batch(
            "INSERT INTO printers (id, name, uri, profile, level, unproven) VALUES (1, 'front', 'tcp://x', 'default', 'token', 'ask');
             INSERT INTO sessions (z_no, business_day, opened_at) VALUES (1, '2026-10-09', 0);",
        )?;
        Ok(Self { db, a_commit, next: 1, body: receipt_rows::body()? })
    }

    fn commit(&mut self) -> Result<()> {
        let transaction = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for n in self.next..self.next + u64::from(self.a_commit) {
            insert(&transaction, n, &self.body)?;
        }
        transaction.commit()?;
        self.next += u64::from(self.a_commit);
        Ok(())
    }
}

impl Rival for RawSqlite {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        let mut done = 0;
        while Instant::now() < deadline {
            let begun = Instant::now();
            self.commit()?;
            calls.note(begun.elapsed());
            done += u64::from(self.a_commit);
        }
        Ok(done)
    }
}

/// Opens with the pragmas of the register's writer. SQLite's own checkpoints stay on: without a
/// second connection that makes them, the log would grow for ever.
pub fn open(path: &Path) -> Result<Connection> {
    let db = Connection::open(path)?;
    db.execute_batch(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;
         PRAGMA temp_store=MEMORY; PRAGMA cache_size=-8192; PRAGMA trusted_schema=OFF",
    )?;
    db.set_prepared_statement_cache_capacity(64);
    Ok(db)
}

/// The id of receipt number `n`: ids grow with time, as order numbers do.
pub fn job_id(n: u64) -> String {
    format!("S1:L1-{n:09}:receipt:v1")
}

fn insert(db: &Connection, n: u64, body: &str) -> Result<()> {
    let (flow_no, at) = (i64::try_from(n)?, receipt_rows::instant(n).as_millisecond());
    let job_id = job_id(n);
    db.prepare_cached(
        "INSERT INTO receipts (flow_no, kind, format, fingerprint, body, session, epoch, recorded_at, recorded_boot_ms, takings_minor, tenders)
         VALUES (?1, 'receipt', 'receipt', ?2, ?3, 1, 1, ?4, 3600000, 600, '{\"card\":600}')",
    )?
    .execute(params![flow_no, [7_u8; 32], body, at])?;
    db.prepare_cached(
        "INSERT INTO print_jobs (job_id, flow_no, printer, priority, state, due_at, accepted_at, changed_at)
         VALUES (?1, ?2, 1, 0, 'pending', ?3, ?3, ?3)",
    )?
    .execute(params![job_id, flow_no, at])?;
    db.prepare_cached(
        "INSERT INTO outbox (request_id, kind, flow_no, recorded_at) VALUES (?1, 'receipt', ?2, ?3)",
    )?
    .execute(params![format!("{job_id}/receipt/e1/r1"), flow_no, at])?;
    Ok(())
}
