//! A database with a past: receipts that were printed and reported long ago, or that wait; a thousand a day, up to
//! the day before the first receipt that is measured.

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

/// The day of the newest thousand receipts.
pub const NEWEST_DAY: &str = "2026-10-02";

/// Numbers of receipts, their instants, and their days counted back from the newest.
const NUMBERS: &str = "WITH RECURSIVE numbers (n, back) AS (
         SELECT 1, (?1 - 1) / 1000 UNION ALL
         SELECT n + 1, (?1 - n - 1) / 1000 FROM numbers WHERE n < ?1),
     rows AS (SELECT n, back, 1790899200000 - back * 86400000 + (999 - (?1 - n) % 1000) * 36000 AS at
         FROM numbers)";

fn write(database: &Path, past: Past, printer: PrinterId) -> Result<()> {
    let mut db = Connection::open(database)?;
    db.execute_batch(
        "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536",
    )?;
    let all = past.printed + past.waiting;
    let days = all.div_ceil(1_000);
    let transaction = db.transaction()?;
    transaction.execute(
        "WITH RECURSIVE days (day) AS (SELECT 1 UNION ALL SELECT day + 1 FROM days WHERE day < ?1)
         INSERT INTO sessions (z_no, business_day, opened_at, closed_at)
         SELECT day, date(?2, printf('-%d days', ?1 - day)), 0, 0 FROM days",
        params![days, NEWEST_DAY],
    )?;
    transaction.execute(
        &format!(
            "{NUMBERS} INSERT INTO receipts (flow_no, kind, format, fingerprint, body, session, epoch, recorded_at, recorded_boot_ms, takings_minor, tenders)
             SELECT n, 'receipt', 'receipt', randomblob(32), ?2, ?3 - back, 1, at, n, 600, '{{\"card\":600}}' FROM rows"
        ),
        params![all, receipt_rows::body()?, days],
    )?;
    transaction.execute(
        &format!(
            "{NUMBERS} INSERT INTO print_jobs (id, job_id, flow_no, printer, priority, state, confirmation, attempts, row_version, due_at, accepted_at, changed_at)
             SELECT n, printf('S1:L0-%09d:receipt:v1', n), n, ?2, 0, iif(n > ?3, 'pending', 'printed'), iif(n > ?3, NULL, 'token'),
                    n <= ?3, iif(n > ?3, 1, 3), iif(n > ?3, at, NULL), at, at FROM rows"
        ),
        params![all, printer.0, past.printed],
    )?;
    transaction.execute(
        &format!(
            "{NUMBERS} INSERT INTO outbox (request_id, kind, flow_no, state, recorded_at)
             SELECT printf('S1:L0-%09d:receipt:v1/receipt/e1/r1', n), 'receipt', n, iif(n > ?2, 'waiting', 'acknowledged'), at FROM rows"
        ),
        params![all, past.printed],
    )?;
    transaction.execute(
        "INSERT INTO attempts (job, number, printer, started_at, ended_at, outcome, cuts, byte_count, sha256)
         SELECT id, 1, printer, accepted_at, changed_at, 'printed', 1, 600, randomblob(32)
         FROM print_jobs WHERE state = 'printed' ORDER BY id",
        [],
    )?;
    transaction.commit()?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    Ok(())
}
