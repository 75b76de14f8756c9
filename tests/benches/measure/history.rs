//! A database with a past: receipts that were printed and reported long ago, or that wait.

use std::path::Path;

use anyhow::{Context, Result};
use jiff::Timestamp;
use rusqlite::{Connection, params};
use tillroll_store::{PrinterId, Store, StoreOptions};
use tokio::runtime::Runtime;

use crate::{fresh_store, receipt_rows};

/// What the rows of the past look like.
#[derive(Debug, Clone, Copy)]
pub struct Past {
    /// Receipts on paper, acknowledged by the head office.
    pub printed: u32,
    /// Receipts that wait for their printer, after those.
    pub waiting: u32,
}

/// A register with a past in an empty folder.
pub fn store(runtime: &Runtime, folder: &Path, past: Past) -> Result<(Store, PrinterId)> {
    let (store, printer) = fresh_store::open(runtime, folder)?;
    if past.printed + past.waiting == 0 {
        return Ok((store, printer));
    }
    store.close()?;
    write(&folder.join("register.db"), past, printer).context("writing the past")?;
    let (store, _) = Store::open(folder, StoreOptions::default(), Timestamp::UNIX_EPOCH)?;
    Ok((store, printer))
}

fn write(database: &Path, past: Past, printer: PrinterId) -> Result<()> {
    let mut db = Connection::open(database)?;
    db.execute_batch(
        "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536",
    )?;
    let all = past.printed + past.waiting;
    let numbers =
        "WITH RECURSIVE numbers(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)";
    let transaction = db.transaction()?;
    transaction.execute(
        "INSERT INTO sessions (z_no, business_day, opened_at) VALUES (1, '2026-10-09', 0)",
        [],
    )?;
    transaction.execute(
        &format!(
            "{numbers} INSERT INTO receipts (flow_no, kind, format, fingerprint, body, session, epoch, recorded_at, recorded_boot_ms, takings_minor, tenders)
             SELECT n, 'receipt', 'receipt', randomblob(32), ?3, 1, 1, n, n, 600, '{{\"card\":600}}' FROM numbers"
        ),
        params![1, all, receipt_rows::body()?],
    )?;
    transaction.execute(
        &format!(
            "{numbers} INSERT INTO print_jobs (id, job_id, flow_no, printer, priority, state, confirmation, attempts, row_version, due_at, accepted_at, changed_at)
             SELECT n, printf('S1:L0-%09d:receipt:v1', n), n, ?3, 0, iif(n > ?4, 'pending', 'printed'), iif(n > ?4, NULL, 'token'),
                    n <= ?4, iif(n > ?4, 1, 3), iif(n > ?4, n, NULL), n, n FROM numbers"
        ),
        params![1, all, printer.0, past.printed],
    )?;
    transaction.execute(
        &format!(
            "{numbers} INSERT INTO outbox (request_id, kind, flow_no, state, recorded_at)
             SELECT printf('S1:L0-%09d:receipt:v1/receipt/e1/r1', n), 'receipt', n, iif(n > ?3, 'waiting', 'acknowledged'), n FROM numbers"
        ),
        params![1, all, past.printed],
    )?;
    if past.printed > 0 {
        transaction.execute(
            &format!(
                "{numbers} INSERT INTO attempts (id, job, number, printer, started_at, ended_at, outcome, cuts, byte_count, sha256)
                 SELECT n, n, 1, ?3, n, n, 'printed', 1, 600, randomblob(32) FROM numbers"
            ),
            params![1, past.printed, printer.0],
        )?;
    }
    transaction.commit()?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    Ok(())
}
