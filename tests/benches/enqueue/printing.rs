//! The printing side without a device: settle a job and claim the next, in one commit.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};
use tillroll_domain::print_job::{Confirmation, Event};
use tillroll_store::{Claim, Claimed, DrawerState, PlannedAttempt, PrinterId, Settlement, Store};
use tokio::runtime::Runtime;

use crate::latencies::Latencies;
use crate::raw_sqlite;
use crate::receipt_rows::instant;
use crate::turns::Rival;

/// What a printer's worker asks of the store.
pub struct StorePrinting {
    runtime: Arc<Runtime>,
    store: Store,
    printer: PrinterId,
    at_device: Option<Claimed>,
}

impl StorePrinting {
    /// The side of a printer whose jobs wait.
    pub fn new(runtime: &Arc<Runtime>, store: Store, printer: PrinterId) -> Self {
        Self { runtime: Arc::clone(runtime), store, printer, at_device: None }
    }

    async fn settle_and_claim(&mut self) -> Result<()> {
        let now = instant(0);
        let due = self.store.due_job(self.printer, now).await?;
        let claim = due.map(|due| Claim {
            job: due.job.id,
            row_version: due.job.row_version,
            planned: planned(),
            drawer: DrawerState::None,
        });
        let settlement = self.at_device.take().map(|claimed| Settlement {
            job: claimed.job,
            attempt: claimed.attempt,
            event: Event::Confirmed(Confirmation::Token),
            random: 0,
        });
        let (_, claimed) =
            self.store.settle_and_claim(self.printer, settlement, claim, now).await?;
        ensure!(claimed.is_some(), "the backlog is used up");
        self.at_device = claimed;
        Ok(())
    }
}

impl Rival for StorePrinting {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        let runtime = Arc::clone(&self.runtime);
        repeat(deadline, calls, || runtime.block_on(self.settle_and_claim()))
    }
}

fn planned() -> PlannedAttempt {
    PlannedAttempt {
        lines_before: Some(1),
        cuts_before: Some(1),
        cuts: 1,
        byte_count: 600,
        sha256: [7; 32],
    }
}

/// The same rows by bare SQLite.
pub struct RawPrinting {
    db: Connection,
    at_device: Option<i64>,
    attempts: i64,
}

impl RawPrinting {
    /// The printing side of a register's database that nobody has open.
    pub fn of_database(path: &Path) -> Result<Self> {
        Ok(Self { db: raw_sqlite::open(path)?, at_device: None, attempts: 0 })
    }

    fn settle_and_claim(&mut self) -> Result<()> {
        let transaction = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if let Some(job) = self.at_device.take() {
            settle(&transaction, job, self.attempts)?;
        }
        self.attempts += 1;
        self.at_device = claim(&transaction, self.attempts)?;
        transaction.commit()?;
        ensure!(self.at_device.is_some(), "the backlog is used up");
        Ok(())
    }
}

impl Rival for RawPrinting {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        repeat(deadline, calls, || self.settle_and_claim())
    }
}

fn settle(db: &Connection, job: i64, attempt: i64) -> Result<()> {
    db.prepare_cached(
        "UPDATE print_jobs SET state = 'printed', confirmation = 'token', row_version = row_version + 1
         WHERE id = ?1 AND state = 'printing'",
    )?
    .execute([job])?;
    db.prepare_cached("UPDATE attempts SET ended_at = 1, outcome = 'printed' WHERE id = ?1")?
        .execute([attempt])?;
    db.prepare_cached(
        "INSERT INTO outbox (request_id, kind, flow_no, body, recorded_at) VALUES (?1, 'print', ?2, ?3, 1)",
    )?
    .execute(params![
        format!("S1:L0-{job:09}:receipt:v1/print/e1/r3"),
        job,
        r#"{"state":"printed","confirmation":"token","reason":null}"#
    ])?;
    Ok(())
}

fn claim(db: &Connection, attempt: i64) -> Result<Option<i64>> {
    let due: Option<i64> = db
        .prepare_cached(
            "SELECT id FROM print_jobs WHERE printer = 1 AND state = 'pending' AND due_at <= ?1
             ORDER BY priority, flow_no, copy_no LIMIT 1",
        )?
        .query_row([instant(0).as_millisecond()], |row| row.get(0))
        .optional()?;
    let Some(job) = due else { return Ok(None) };
    db.prepare_cached(
        "UPDATE print_jobs SET state = 'printing', due_at = NULL, attempts = attempts + 1, row_version = row_version + 1
         WHERE id = ?1 AND state = 'pending'",
    )?
    .execute([job])?;
    db.prepare_cached(
        "INSERT INTO attempts (id, job, number, printer, started_at, lines_before, cuts_before, cuts, byte_count, sha256)
         VALUES (?1, ?2, 1, 1, 1, 1, 1, 1, 600, ?3)",
    )?
    .execute(params![attempt, job, [7_u8; 32]])?;
    Ok(Some(job))
}

fn repeat(
    deadline: Instant,
    calls: &mut Latencies,
    mut step: impl FnMut() -> Result<()>,
) -> Result<u64> {
    let mut done = 0;
    while Instant::now() < deadline {
        let begun = Instant::now();
        step()?;
        calls.note(begun.elapsed());
        done += 1;
    }
    Ok(done)
}
