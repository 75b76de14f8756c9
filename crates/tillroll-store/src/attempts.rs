//! Attempts: committed before the first byte; a committed attempt counts as sent.

use jiff::Timestamp;
use tillroll_domain::print_job::JobReason;
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use crate::columns::{all, at, first, ms, optional_at, optional_word};
use crate::{JobRowId, PrinterId, StoreError, register};

/// Row of an attempt: grows over all printers and epochs, so a token made of it is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttemptId(pub i64);

/// What is known before the first byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedAttempt {
    /// Lines the device had printed, where it counts them.
    pub lines_before: Option<i64>,
    /// Cuts the device had made, where it counts them.
    pub cuts_before: Option<i64>,
    /// Cuts the job will make.
    pub cuts: i64,
    /// Bytes of the job, tokens and status requests not counted.
    pub byte_count: i64,
    /// SHA-256 of those bytes.
    pub sha256: [u8; 32],
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Proved by the device, or assumed on the owner's trust.
    Printed,
    /// The device took all bytes and cannot confirm.
    Sent,
    /// Certainly nothing on paper.
    LeftNothing,
    /// It may be on paper.
    Unconfirmed,
}

impl Outcome {
    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Sent => "sent",
            Self::LeftNothing => "left_nothing",
            Self::Unconfirmed => "unconfirmed",
        }
    }
}

impl std::str::FromStr for Outcome {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        [Self::Printed, Self::Sent, Self::LeftNothing, Self::Unconfirmed]
            .into_iter()
            .find(|outcome| outcome.as_str() == text)
            .ok_or_else(|| StoreError::unreadable(text))
    }
}

/// An attempt as stored.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// Its row.
    pub id: AttemptId,
    /// Its job.
    pub job: JobRowId,
    /// First, second, ... of its job.
    pub number: u32,
    /// Name of the printer it went to.
    pub printer: String,
    /// When it was committed.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why it ended so.
    pub cause: Option<JobReason>,
    /// What was known before the first byte.
    pub planned: PlannedAttempt,
}

/// Commits an attempt of a job that has been claimed in the same transaction.
pub(crate) fn insert(
    db: &Connection,
    job: JobRowId,
    printer: PrinterId,
    planned: &PlannedAttempt,
    now: Timestamp,
) -> Result<AttemptId, StoreError> {
    let id = register::next_number(db, register::LAST_ATTEMPT)?;
    db.prepare_cached(
        "INSERT INTO attempts (id, job, number, printer, started_at, lines_before, cuts_before, cuts, byte_count, sha256)
         SELECT ?1, id, attempts, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM print_jobs WHERE id = ?2",
    )?
    .execute(params![
        id,
        job.0,
        printer.0,
        ms(now),
        planned.lines_before,
        planned.cuts_before,
        planned.cuts,
        planned.byte_count,
        planned.sha256
    ])?;
    Ok(AttemptId(id))
}

/// Ends an attempt. A late proof ends it a second time.
pub(crate) fn end(
    db: &Connection,
    id: AttemptId,
    outcome: Outcome,
    cause: Option<JobReason>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let changed = db
        .prepare_cached(
            "UPDATE attempts SET ended_at = ?2, outcome = ?3, cause = ?4 WHERE id = ?1",
        )?
        .execute(params![id.0, ms(now), outcome.as_str(), cause.map(JobReason::as_str)])?;
    if changed == 1 { Ok(()) } else { Err(StoreError::not_found("attempt", id.0)) }
}

const SELECT: &str = "SELECT a.id, a.job, a.number, p.name AS printer, a.started_at, a.ended_at, a.outcome, a.cause, a.lines_before,
    a.cuts_before, a.cuts, a.byte_count, a.sha256 FROM attempts a JOIN printers p ON p.id = a.printer";

pub(crate) fn by_id(db: &Connection, id: AttemptId) -> Result<Attempt, StoreError> {
    let sql = format!("{SELECT} WHERE a.id = ?1");
    first(db, &sql, [id.0], attempt)?.ok_or_else(|| StoreError::not_found("attempt", id.0))
}

/// Found in the index, not by going back through the attempts at all other printers.
pub(crate) fn last_at_sql() -> String {
    format!("{SELECT} WHERE a.id = (SELECT max(id) FROM attempts WHERE printer = ?1)")
}

/// The last attempt at a printer.
pub(crate) fn last_at(db: &Connection, printer: PrinterId) -> Result<Option<Attempt>, StoreError> {
    first(db, &last_at_sql(), [printer.0], attempt)
}

/// The attempts of a job, first to last.
pub(crate) fn of_job(db: &Connection, job: JobRowId) -> Result<Vec<Attempt>, StoreError> {
    let sql = format!("{SELECT} WHERE a.job = ?1 ORDER BY a.number");
    all(db, &sql, [job.0], attempt)
}

/// The last attempt of a job.
pub(crate) fn last_of(db: &Connection, job: JobRowId) -> Result<Option<Attempt>, StoreError> {
    let sql = format!("{SELECT} WHERE a.job = ?1 ORDER BY a.number DESC LIMIT 1");
    first(db, &sql, [job.0], attempt)
}

fn attempt(row: &Row<'_>) -> Result<Attempt, StoreError> {
    Ok(Attempt {
        id: AttemptId(row.get("id")?),
        job: JobRowId(row.get("job")?),
        number: row.get("number")?,
        printer: row.get("printer")?,
        started_at: at(row, "started_at")?,
        ended_at: optional_at(row, "ended_at")?,
        outcome: optional_word(row, "outcome")?,
        cause: optional_word(row, "cause")?,
        planned: PlannedAttempt {
            lines_before: row.get("lines_before")?,
            cuts_before: row.get("cuts_before")?,
            cuts: row.get("cuts")?,
            byte_count: row.get("byte_count")?,
            sha256: row.get("sha256")?,
        },
    })
}
