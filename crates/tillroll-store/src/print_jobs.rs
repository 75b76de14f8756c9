//! Print jobs: one row each, moved only by the pure transition function.

use jiff::{SignedDuration, Timestamp};
use tillroll_domain::ids::{JobId, JobKind};
use tillroll_domain::print_job::{
    Change, Confirmation, Due, Event, Facts, JobReason, JobState, Step, transition,
};
use tillroll_domain::printer::Unproven;
use tillroll_domain::retry::ATTEMPT;
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use crate::columns::{all, at, first, ms, optional_at, optional_word, word};
use crate::outbox::RecordRow;
use crate::{PrinterId, StoreError, outbox, receipts};

/// Row of a print job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobRowId(pub i64);

/// What became of the drawer pulse a job asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawerState {
    /// It asked for none.
    None,
    /// It is to be given with the first attempt.
    Due,
    /// It was given; never again for this job.
    Opened,
    /// It came too late and was dropped.
    Dropped,
}

impl DrawerState {
    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Due => "due",
            Self::Opened => "opened",
            Self::Dropped => "dropped",
        }
    }
}

impl std::str::FromStr for DrawerState {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        [Self::None, Self::Due, Self::Opened, Self::Dropped]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| StoreError::unreadable(text))
    }
}

/// A print job as stored.
#[derive(Debug, Clone)]
pub struct JobRow {
    /// Its row.
    pub id: JobRowId,
    /// Its business id.
    pub job_id: JobId,
    /// The flow number of its receipt.
    pub flow_no: i64,
    /// Where it prints.
    pub printer: PrinterId,
    /// That printer's name.
    pub printer_name: String,
    /// What that printer's owner chose for jobs without proof.
    pub unproven: Unproven,
    /// Where it stands.
    pub state: JobState,
    /// Why, where the state has a why.
    pub reason: Option<JobReason>,
    /// What proves it.
    pub confirmation: Option<Confirmation>,
    /// Attempts in a row that left nothing on paper.
    pub failures: u32,
    /// Attempts in all.
    pub attempts: u32,
    /// Its next paper carries the REPRINT mark.
    pub reprint: bool,
    /// A person asked to skip it while it was printing.
    pub skip_asked: bool,
    /// What became of its drawer pulse.
    pub drawer: DrawerState,
    /// One more with each change.
    pub row_version: i64,
    /// When it is due, while it is pending.
    pub due_at: Option<Timestamp>,
    /// When it was accepted.
    pub accepted_at: Timestamp,
    /// When its receipt was recorded; for a copy that was earlier.
    pub recorded_at: Timestamp,
    /// When it changed last.
    pub changed_at: Timestamp,
    /// Net takings of its receipt, in minor units.
    pub takings_minor: i64,
}

impl JobRow {
    /// What the machine needs to know of it.
    #[must_use]
    pub fn facts(&self) -> Facts {
        Facts {
            state: self.state,
            failures: self.failures,
            reprint: self.reprint,
            skip_asked: self.skip_asked,
            unproven: self.unproven,
        }
    }
}

/// A job to insert.
pub(crate) struct InsertJob<'a> {
    pub job_id: &'a JobId,
    pub flow_no: i64,
    pub printer: PrinterId,
    pub drawer: DrawerState,
    pub reprint: bool,
    pub held: Option<JobReason>,
    pub now: Timestamp,
    pub recorded_at: Timestamp,
    pub takings_minor: i64,
}

/// Inserts a job, pending and due now, or held. A removed printer takes none: nobody would print it.
pub(crate) fn insert(db: &Connection, job: &InsertJob<'_>) -> Result<JobRow, StoreError> {
    let printer = first(db, TAKES_JOBS, [job.printer.0], |row| Ok((row.get(0)?, word(row, 1)?)))?;
    let (printer_name, unproven) =
        printer.ok_or_else(|| StoreError::not_found("printer", job.printer.0))?;
    let state = if job.held.is_some() { JobState::Held } else { JobState::Pending };
    let due_at = (state == JobState::Pending).then_some(job.now);
    let mut statement = db.prepare_cached(
        "INSERT INTO print_jobs (job_id, flow_no, copy_no, printer, priority, state, reason, reprint, drawer, due_at, accepted_at, changed_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)",
    )?;
    statement.execute(params![
        job.job_id.to_string(),
        job.flow_no,
        job.job_id.copy.unwrap_or(0),
        job.printer.0,
        job.job_id.kind.priority(),
        state.as_str(),
        job.held.map(JobReason::as_str),
        job.reprint,
        job.drawer.as_str(),
        due_at.map(ms),
        ms(job.now),
    ])?;
    Ok(JobRow {
        id: JobRowId(db.last_insert_rowid()),
        job_id: job.job_id.clone(),
        flow_no: job.flow_no,
        printer: job.printer,
        printer_name,
        unproven,
        state,
        reason: job.held,
        confirmation: None,
        failures: 0,
        attempts: 0,
        reprint: job.reprint,
        skip_asked: false,
        drawer: job.drawer,
        row_version: 1,
        due_at,
        accepted_at: job.now,
        recorded_at: job.recorded_at,
        changed_at: job.now,
        takings_minor: job.takings_minor,
    })
}

const TAKES_JOBS: &str = "SELECT name, unproven FROM printers WHERE id = ?1 AND removed_at IS NULL";

/// Columns of [`JobRow`].
const COLUMNS: &str = "SELECT j.id, j.job_id, j.flow_no, j.printer, p.name AS printer_name, p.unproven, j.state, j.reason,
    j.confirmation, j.failures, j.attempts, j.reprint, j.skip_asked, j.drawer, j.row_version, j.due_at, j.accepted_at, j.changed_at, r.takings_minor, r.recorded_at";
/// Its printer and its receipt.
const JOINED: &str = "JOIN printers p ON p.id = j.printer JOIN receipts r ON r.flow_no = j.flow_no";

/// The jobs that `rest`, conditions or order, picks out of all.
pub(crate) fn select_sql(rest: &str) -> String {
    format!("{COLUMNS} FROM print_jobs j {JOINED} {rest}")
}

/// Reads a row of [`COLUMNS`], by position: looking twenty names up costs as much as the query.
pub(crate) fn job(row: &Row<'_>) -> Result<JobRow, StoreError> {
    Ok(JobRow {
        id: JobRowId(row.get(0)?),
        job_id: word(row, 1)?,
        flow_no: row.get(2)?,
        printer: PrinterId(row.get(3)?),
        printer_name: row.get(4)?,
        unproven: word(row, 5)?,
        state: word(row, 6)?,
        reason: optional_word(row, 7)?,
        confirmation: optional_word(row, 8)?,
        failures: row.get(9)?,
        attempts: row.get(10)?,
        reprint: row.get(11)?,
        skip_asked: row.get(12)?,
        drawer: word(row, 13)?,
        row_version: row.get(14)?,
        due_at: optional_at(row, 15)?,
        accepted_at: at(row, 16)?,
        changed_at: at(row, 17)?,
        takings_minor: row.get(18)?,
        recorded_at: at(row, 19)?,
    })
}

pub(crate) fn by_id(db: &Connection, id: JobRowId) -> Result<JobRow, StoreError> {
    let sql = select_sql("WHERE j.id = ?1");
    first(db, &sql, [id.0], job)?.ok_or_else(|| StoreError::not_found("job", id.0))
}

pub(crate) fn by_job_id(db: &Connection, job_id: &str) -> Result<JobRow, StoreError> {
    let sql = select_sql("WHERE j.job_id = ?1");
    first(db, &sql, [job_id], job)?.ok_or_else(|| StoreError::not_found("job", job_id))
}

/// The jobs of a printer that are in one of the states.
pub(crate) fn of_printer(
    db: &Connection,
    printer: PrinterId,
    states: &[JobState],
) -> Result<Vec<JobRow>, StoreError> {
    let mut jobs = Vec::new();
    for state in states {
        let sql = in_state_sql(*state, "AND j.printer = ?1 ORDER BY j.id");
        jobs.extend(all(db, &sql, [printer.0], job)?);
    }
    Ok(jobs)
}

/// Every open job of any printer in one of the states.
pub(crate) fn in_state(db: &Connection, state: JobState) -> Result<Vec<JobRow>, StoreError> {
    all(db, &in_state_sql(state, "ORDER BY j.id"), [], job)
}

/// The jobs in a state, over the partial index of that state: beside a million printed jobs the few
/// others are never looked for row by row. `rest` is more conditions (`AND ..`), order and limit.
pub(crate) fn in_state_sql(state: JobState, rest: &str) -> String {
    let from = index_of(state);
    format!("{COLUMNS} FROM print_jobs j{from} {JOINED} WHERE j.state = '{state}' {rest}")
}

/// The rows of the jobs in a state, without what stands in them.
pub(crate) fn ids_in_state(db: &Connection, state: JobState) -> Result<Vec<JobRowId>, StoreError> {
    let from = index_of(state);
    let sql =
        format!("SELECT j.id FROM print_jobs j{from} WHERE j.state = '{state}' ORDER BY j.id");
    all(db, &sql, [], |row| Ok(JobRowId(row.get(0)?)))
}

fn index_of(state: JobState) -> &'static str {
    match state {
        JobState::Pending => " INDEXED BY print_jobs_due",
        JobState::Printing => " INDEXED BY print_jobs_printing",
        JobState::Skipped => " INDEXED BY print_jobs_skipped",
        JobState::Held | JobState::Sent | JobState::Unconfirmed | JobState::Failed => {
            " INDEXED BY print_jobs_asking"
        }
        // Most jobs are printed: the newest of them lie at the end of the table.
        JobState::Printed => "",
    }
}

/// Lets an event happen to a job and writes what becomes of it. `random` jitters the next try.
///
/// # Errors
/// [`StoreError::Refused`] by the machine, [`StoreError::Stale`] when the row changed since it was read.
pub(crate) fn apply(
    db: &Connection,
    row: &JobRow,
    event: Event,
    now: Timestamp,
    random: u32,
) -> Result<JobState, StoreError> {
    match transition(row.facts(), event)? {
        Step::Become(change) => {
            write(db, row, change, now, random)?;
            Ok(change.to)
        }
        Step::FlagSkip => {
            flag_skip(db, row, now)?;
            Ok(row.state)
        }
        Step::BeginCopy => Ok(row.state),
    }
}

fn write(
    db: &Connection,
    row: &JobRow,
    change: Change,
    now: Timestamp,
    random: u32,
) -> Result<(), StoreError> {
    let claimed = change.to == JobState::Printing;
    let mut statement = db.prepare_cached(
        "UPDATE print_jobs SET state = ?4, reason = ?5, confirmation = ?6, failures = ?7, reprint = ?8, due_at = ?9,
             changed_at = ?10, attempts = attempts + ?11, skip_asked = skip_asked AND ?12, row_version = row_version + 1
         WHERE id = ?1 AND state = ?2 AND row_version = ?3",
    )?;
    let changed = statement.execute(params![
        row.id.0,
        row.state.as_str(),
        row.row_version,
        change.to.as_str(),
        change.reason.map(JobReason::as_str),
        change.confirmation.map(Confirmation::as_str),
        change.failures,
        change.reprint,
        due_at(change.due, now, random).map(ms),
        ms(now),
        i64::from(claimed),
        claimed,
    ])?;
    if changed != 1 {
        return Err(StoreError::Stale);
    }
    if change.to.is_settled() { settled(db, row, change, now) } else { Ok(()) }
}

fn due_at(due: Due, now: Timestamp, random: u32) -> Option<Timestamp> {
    match due {
        Due::Never => None,
        Due::Now => Some(now),
        Due::AfterFailures(failures) => {
            let delay = SignedDuration::try_from(ATTEMPT.delay(failures, random)).ok()?;
            Some(now.saturating_add(delay).unwrap_or(now))
        }
    }
}

/// A settled job is told to the head office, and to the books of a session that is closed already.
fn settled(
    db: &Connection,
    row: &JobRow,
    change: Change,
    now: Timestamp,
) -> Result<(), StoreError> {
    if row.job_id.copy.is_some() {
        return Ok(());
    }
    outbox::insert(db, &RecordRow::print(row, change, now))?;
    let (session, closed) = receipts::session_of(db, row.flow_no)?;
    if closed && matches!(row.job_id.kind, JobKind::Receipt | JobKind::Refund) {
        crate::day::correct(db, session, row, change.to, now)?;
    }
    Ok(())
}

fn flag_skip(db: &Connection, row: &JobRow, now: Timestamp) -> Result<(), StoreError> {
    let changed = db
        .prepare_cached(
            "UPDATE print_jobs SET skip_asked = 1, changed_at = ?3, row_version = row_version + 1
             WHERE id = ?1 AND row_version = ?2",
        )?
        .execute(params![row.id.0, row.row_version, ms(now)])?;
    if changed == 1 { Ok(()) } else { Err(StoreError::Stale) }
}
