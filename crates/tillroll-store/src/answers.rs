//! Answers of people: every verb of the state table, for one job or many, each recorded.

use jiff::Timestamp;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::{Event, JobState, Verb};
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{first, ms};
use crate::mark::Numbers;
use crate::print_jobs::InsertJob;
use crate::{
    ClientId, DrawerState, JobRow, Outcome, PrinterId, Store, StoreError, attempts, print_jobs,
    printers, pushed_expiry, receipts, register, routes,
};

/// An answer to a job.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The job's id.
    pub job_id: String,
    /// What is asked for.
    pub verb: Verb,
    /// Why; required for a skip.
    pub note: Option<String>,
    /// Name of the printer to go to, for a reroute.
    pub printer: Option<String>,
}

/// Who answers, and when.
#[derive(Debug, Clone, Copy)]
pub struct Answering {
    /// Who.
    pub client: Option<ClientId>,
    /// When.
    pub now: Timestamp,
}

/// What an answer did.
#[derive(Debug, Clone)]
pub struct Answered {
    /// The job as it stands; for a copy the new job.
    pub job: JobRow,
    /// It is done already: the same answer was given before.
    pub unchanged: bool,
}

impl Store {
    /// Does what a person asks.
    ///
    /// # Errors
    /// [`StoreError::Refused`] with the reason when the job's state forbids it, [`StoreError::Forbidden`]
    /// when the answer lacks something or the job's printer was removed.
    pub async fn answer(&self, answer: Answer, by: Answering) -> Result<Answered, StoreError> {
        let (answered, number, left) = self
            .write(move |db| {
                let before = print_jobs::by_job_id(db, &answer.job_id)?;
                let left = before.printer;
                let answered = answer_one(db, before, &answer, by)?;
                let number = register::next_number(db, register::LAST_ANSWER)? - 1;
                Ok((answered, number, left))
            })
            .await?;
        self.note(Numbers { answer: number, ..Numbers::default() });
        self.feed().wake(left);
        self.feed().job_changed(&answered.job.job_id.to_string(), answered.job.printer);
        Ok(answered)
    }
}

pub(crate) fn answer_one(
    db: &Connection,
    before: JobRow,
    answer: &Answer,
    by: Answering,
) -> Result<Answered, StoreError> {
    if is_repeated(&before, answer.verb) {
        return Ok(Answered { job: before, unchanged: true });
    }
    print_jobs::apply(db, &before, Event::Asked(answer.verb), by.now, 0)?;
    let mut job = print_jobs::by_id(db, before.id)?;
    match answer.verb {
        Verb::Skip if answer.note.is_none() => {
            return Err(StoreError::Forbidden("a skip needs its reason"));
        }
        Verb::Reroute => job = reroute(db, &job, answer, by.now)?,
        Verb::Copy => job = begin_copy(db, &before, by.now)?,
        Verb::OnPaper => confirm_attempt(db, &job, by.now)?,
        Verb::Retry | Verb::NotOnPaper | Verb::Print => printers::require(db, job.printer)?,
        Verb::Skip => {}
    }
    if job.state == JobState::Pending {
        // A person wants it, whenever it was due.
        pushed_expiry::never_expires(db, job.id)?;
    }
    record(db, &before, answer, by)?;
    Ok(Answered { job, unchanged: false })
}

/// The same answer twice, by two people or after a lost reply, is one answer.
fn is_repeated(job: &JobRow, verb: Verb) -> bool {
    use tillroll_domain::print_job::Confirmation;
    match verb {
        Verb::OnPaper => job.confirmation == Some(Confirmation::Clerk),
        Verb::Skip => job.state == JobState::Skipped || job.skip_asked,
        Verb::Retry | Verb::NotOnPaper | Verb::Print | Verb::Reroute | Verb::Copy => false,
    }
}

fn record(
    db: &Connection,
    before: &JobRow,
    answer: &Answer,
    by: Answering,
) -> Result<(), StoreError> {
    let id = register::next_number(db, register::LAST_ANSWER)?;
    let note = answer.note.as_deref().or(answer.printer.as_deref());
    db.prepare_cached(
        "INSERT INTO answers (id, job, verb, was, client, note, answered_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        id,
        before.id.0,
        answer.verb.as_str(),
        before.state.as_str(),
        by.client.map(|client| client.0),
        note,
        ms(by.now)
    ])?;
    Ok(())
}

fn reroute(
    db: &Connection,
    job: &JobRow,
    answer: &Answer,
    now: Timestamp,
) -> Result<JobRow, StoreError> {
    let Some(name) = &answer.printer else {
        return Err(StoreError::Forbidden("reroute needs the printer to go to"));
    };
    let printer: PrinterId = printers::named(db, name)?.id;
    db.prepare_cached("UPDATE print_jobs SET printer = ?2, changed_at = ?3 WHERE id = ?1")?
        .execute(params![job.id.0, printer.0, ms(now)])?;
    print_jobs::by_id(db, job.id)
}

fn begin_copy(db: &Connection, job: &JobRow, now: Timestamp) -> Result<JobRow, StoreError> {
    receipts::body(db, job.flow_no)?;
    let last: u32 = first(
        db,
        "SELECT max(copy_no) AS last FROM print_jobs WHERE flow_no = ?1",
        [job.flow_no],
        |row| Ok(row.get("last")?),
    )?
    .unwrap_or(0);
    let job_id: JobId = job.job_id.copy(last + 1);
    let printer = match printers::require(db, job.printer) {
        Ok(()) => job.printer,
        // The printer of that time was replaced.
        Err(_) => routes::printer_of(db, job.job_id.kind)?,
    };
    print_jobs::insert(
        db,
        &InsertJob {
            job_id: &job_id,
            flow_no: job.flow_no,
            printer,
            drawer: DrawerState::None,
            reprint: false,
            held: None,
            now,
            recorded_at: job.recorded_at,
            takings_minor: job.takings_minor,
        },
    )
}

/// "It is on paper" also tells how the open attempt ended.
fn confirm_attempt(db: &Connection, job: &JobRow, now: Timestamp) -> Result<(), StoreError> {
    match attempts::last_of(db, job.id)? {
        Some(last) => attempts::end(db, last.id, Outcome::Printed, last.cause, now),
        None => Ok(()),
    }
}
