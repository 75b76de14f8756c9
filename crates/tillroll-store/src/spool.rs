//! What a printer's worker asks of the store: what is due, claim it, settle it.
//!
//! "Settle k" and "claim k + 1" share one commit. A claim that is no longer the first in order, or
//! whose row changed, is not made: the worker looks again.

use jiff::Timestamp;
use tillroll_domain::clock::clamp_due;
use tillroll_domain::print_job::{Event, HoldReason, JobReason, JobState};
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{first, instant, ms};
use crate::mark::Numbers;
use crate::{
    AttemptId, Body, DrawerState, JobRow, JobRowId, Outcome, PlannedAttempt, PrinterId, Store,
    StoreError, StoredExpiry, attempts, print_jobs, pushed_expiry, receipts, unreadable,
};

/// A job whose turn it is, with what is to be printed.
#[derive(Debug)]
pub struct DueJob {
    /// The job.
    pub job: JobRow,
    /// Its content, or why the row that holds it gives none: trying again will not help.
    pub body: Result<Body, StoreError>,
    /// Boot clock when it was accepted, in milliseconds; only comparable within one boot.
    pub accepted_boot_ms: i64,
    /// When it is too late to start it, for a job the head office pushed.
    pub expiry: Option<StoredExpiry>,
}

/// A claim to make.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The job, as it was read.
    pub job: JobRowId,
    /// Its row version then.
    pub row_version: i64,
    /// What is known before the first byte.
    pub planned: PlannedAttempt,
    /// What becomes of its drawer pulse.
    pub drawer: DrawerState,
}

/// A claim that was made: the attempt is durable, the first byte may go.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// The job's row.
    pub job: JobRowId,
    /// The attempt.
    pub attempt: AttemptId,
    /// First, second, ... of its job.
    pub number: u32,
}

/// How an attempt ended.
#[derive(Debug, Clone)]
pub struct Settlement {
    /// The job.
    pub job: JobRowId,
    /// Its attempt.
    pub attempt: AttemptId,
    /// What happened.
    pub event: Event,
    /// Jitters the next try.
    pub random: u32,
}

impl Store {
    /// The first due job of a printer by priority and flow order, with its content. A job whose row cannot
    /// be read is set aside as failed, with a notice.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn due_job(
        &self,
        printer: PrinterId,
        now: Timestamp,
    ) -> Result<Option<DueJob>, StoreError> {
        loop {
            match self.read(move |db| first_due_job(db, printer, now)).await? {
                None => return Ok(None),
                Some(Due::Readable(job)) => return Ok(Some(*job)),
                Some(Due::Unreadable(id, error)) => self.set_aside_due(id, error, now).await?,
            }
        }
    }

    /// The due job cannot be read: its printer goes on with the next.
    async fn set_aside_due(
        &self,
        id: JobRowId,
        error: StoreError,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let set_aside =
            move |db: &Connection| unreadable::set_aside(db, id, JobState::Pending, &error, now);
        self.write(set_aside).await?;
        self.feed().job_hint(id.0);
        Ok(())
    }

    /// When the next job of a printer becomes due; `None` when none is pending.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next_due_at(&self, printer: PrinterId) -> Result<Option<Timestamp>, StoreError> {
        self.read(move |db| {
            let mut statement = db.prepare_cached(NEXT_DUE)?;
            let due: Option<i64> = statement.query_row([printer.0], |row| row.get(0))?;
            due.map(instant).transpose()
        })
        .await
    }

    /// Settles an attempt and claims the next job, either or both, in one commit.
    ///
    /// # Errors
    /// [`StoreError::Occupied`] when another job of the printer is at the device already. When the
    /// commit failed; after [`StoreError::OutcomeUnknown`] neither may be assumed: the claim may stand,
    /// and [`Store::interrupted`] tells.
    pub async fn settle_and_claim(
        &self,
        printer: PrinterId,
        settlement: Option<Settlement>,
        claim: Option<Claim>,
        now: Timestamp,
    ) -> Result<(Option<JobRow>, Option<Claimed>), StoreError> {
        let (settled, claimed) = self
            .write(move |db| {
                let settled =
                    settlement.as_ref().map(|ended| settle(db, ended, now)).transpose()?;
                let claimed = match &claim {
                    Some(claim) => try_claim(db, printer, claim, now)?,
                    None => None,
                };
                Ok((settled, claimed))
            })
            .await?;
        if let Some(claimed) = &claimed {
            self.note(Numbers { attempt: claimed.attempt.0, ..Numbers::default() });
        }
        if let Some(job) = &settled {
            self.feed().job_hint(&job.job_id);
        }
        Ok((settled, claimed))
    }

    /// A job that cannot be turned into bytes becomes failed.
    ///
    /// # Errors
    /// [`StoreError::Stale`] when it changed in the meantime.
    pub async fn fail_unrenderable(&self, job: JobRow, now: Timestamp) -> Result<(), StoreError> {
        let id = job.job_id.to_string();
        self.write(move |db| print_jobs::apply(db, &job, Event::CannotRender, now, 0)).await?;
        self.feed().job_hint(&id);
        Ok(())
    }

    /// Pending jobs of a printer that nothing happened to since `unchanged_since` become held: they
    /// waited so long that a person is asked whether they are still wanted. An answer or an attempt in
    /// the meantime says that they are. Returns how many.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn hold_stale(
        &self,
        printer: PrinterId,
        unchanged_since: Timestamp,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        let held = self
            .write(move |db| {
                unreadable::set_aside_all(db, now)?;
                let mut stale = print_jobs::of_printer(db, printer, &[JobState::Pending])?;
                stale.retain(|job| job.changed_at < unchanged_since);
                for job in &stale {
                    print_jobs::apply(db, job, Event::Hold(HoldReason::Stale), now, 0)?;
                }
                Ok(stale)
            })
            .await?;
        for job in &held {
            self.feed().job_hint(&job.job_id);
        }
        Ok(held.len())
    }

    /// Pulls in due times that a wrong clock left far ahead. Returns how many.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn clamp_due_times(&self, now: Timestamp) -> Result<usize, StoreError> {
        let latest = clamp_due(Timestamp::MAX, now);
        let clamped = self.write(move |db| Ok(db.execute(CLAMP_DUE, [ms(latest)])?)).await?;
        Ok(clamped)
    }
}

/// The first due job of a printer.
pub(crate) const FIRST_DUE: &str =
    "SELECT id FROM print_jobs WHERE printer = ?1 AND state = 'pending' AND due_at <= ?2
    ORDER BY priority, flow_no, copy_no LIMIT 1";
/// The earliest due time of a printer.
pub(crate) const NEXT_DUE: &str =
    "SELECT min(due_at) FROM print_jobs WHERE printer = ?1 AND state = 'pending'";
/// Pulls in every due time beyond the latest that may be believed.
pub(crate) const CLAMP_DUE: &str =
    "UPDATE print_jobs SET due_at = ?1, row_version = row_version + 1
    WHERE state = 'pending' AND due_at > ?1";
/// Whether a job of a printer is at the device.
pub(crate) const IS_PRINTING: &str =
    "SELECT EXISTS (SELECT 1 FROM print_jobs WHERE printer = ?1 AND state = 'printing')";

/// When a job was recorded by the boot clock, and when it is too late for it.
const CLOCKS_OF: &str = "SELECT r.recorded_boot_ms, j.expires_at, j.expires_boot_ms
    FROM print_jobs j JOIN receipts r ON r.flow_no = j.flow_no WHERE j.id = ?1";

pub(crate) fn first_due(
    db: &Connection,
    printer: PrinterId,
    now: Timestamp,
) -> Result<Option<JobRowId>, StoreError> {
    first(db, FIRST_DUE, params![printer.0, ms(now)], |row| Ok(JobRowId(row.get(0)?)))
}

pub(crate) fn is_printing(db: &Connection, printer: PrinterId) -> Result<bool, StoreError> {
    let mut statement = db.prepare_cached(IS_PRINTING)?;
    Ok(statement.query_row([printer.0], |row| row.get(0))?)
}

/// The first due job, as far as its row can be read.
enum Due {
    Readable(Box<DueJob>),
    Unreadable(JobRowId, StoreError),
}

fn first_due_job(
    db: &Connection,
    printer: PrinterId,
    now: Timestamp,
) -> Result<Option<Due>, StoreError> {
    let Some(id) = first_due(db, printer, now)? else { return Ok(None) };
    match due_job(db, id) {
        Err(error) if error.is_of_one_row() => Ok(Some(Due::Unreadable(id, error))),
        read => Ok(Some(Due::Readable(Box::new(read?)))),
    }
}

fn due_job(db: &Connection, id: JobRowId) -> Result<DueJob, StoreError> {
    let job = print_jobs::by_id(db, id)?;
    let body = match receipts::body(db, job.flow_no) {
        Err(error) if !error.is_of_one_row() => return Err(error),
        body => body,
    };
    let clocks =
        first(db, CLOCKS_OF, [id.0], |row| Ok((row.get(0)?, pushed_expiry::expiry(row, 1, 2)?)))?;
    let (accepted_boot_ms, expiry) = clocks.unwrap_or_default();
    Ok(DueJob { job, body, accepted_boot_ms, expiry })
}

fn settle(db: &Connection, ended: &Settlement, now: Timestamp) -> Result<JobRow, StoreError> {
    let row = print_jobs::by_id(db, ended.job)?;
    print_jobs::apply(db, &row, ended.event, now, ended.random)?;
    let (outcome, cause) = outcome_of(ended.event, &row);
    attempts::end(db, ended.attempt, outcome, cause, now)?;
    print_jobs::by_id(db, ended.job)
}

pub(crate) fn outcome_of(event: Event, row: &JobRow) -> (Outcome, Option<JobReason>) {
    use tillroll_domain::printer::Unproven;
    match event {
        Event::Confirmed(_) => (Outcome::Printed, None),
        Event::BytesTaken if row.unproven == Unproven::Trust => (Outcome::Printed, None),
        Event::BytesTaken => (Outcome::Sent, None),
        Event::LeftNothing(cause) => (Outcome::LeftNothing, Some(cause)),
        Event::MaybeOnPaper(cause) => (Outcome::Unconfirmed, Some(cause)),
        Event::Claim
        | Event::CannotRender
        | Event::PrinterRemoved
        | Event::Hold(_)
        | Event::Asked(_) => (Outcome::Unconfirmed, None),
    }
}

fn try_claim(
    db: &Connection,
    printer: PrinterId,
    claim: &Claim,
    now: Timestamp,
) -> Result<Option<Claimed>, StoreError> {
    if first_due(db, printer, now)? != Some(claim.job) {
        return Ok(None);
    }
    let row = print_jobs::by_id(db, claim.job)?;
    if row.row_version != claim.row_version {
        return Ok(None);
    }
    if is_printing(db, printer)? {
        return Err(StoreError::Occupied);
    }
    print_jobs::apply(db, &row, Event::Claim, now, 0)?;
    let attempt = attempts::insert(db, claim.job, printer, &claim.planned, now)?;
    settle_drawer(db, claim.job, claim.drawer)?;
    claim_row(db, claim.job, attempt).map(Some)
}

pub(crate) fn claim_row(
    db: &Connection,
    job: JobRowId,
    attempt: AttemptId,
) -> Result<Claimed, StoreError> {
    let mut statement = db.prepare_cached("SELECT attempts FROM print_jobs WHERE id = ?1")?;
    let number = statement.query_row([job.0], |row| row.get(0))?;
    Ok(Claimed { job, attempt, number })
}

/// Records what becomes of a pulse that was due; anything else stays as it is.
pub(crate) fn settle_drawer(
    db: &Connection,
    job: JobRowId,
    drawer: DrawerState,
) -> Result<(), StoreError> {
    if matches!(drawer, DrawerState::Opened | DrawerState::Dropped) {
        db.prepare_cached("UPDATE print_jobs SET drawer = ?2 WHERE id = ?1 AND drawer = 'due'")?
            .execute(params![job.0, drawer.as_str()])?;
    }
    Ok(())
}
