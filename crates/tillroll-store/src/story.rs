//! The story of one job: every attempt with its cause, every answer, its copies, its records.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_sqlite::rusqlite::Connection;

use crate::columns::{all, at, word};
use crate::{Attempt, Body, JobRow, Store, StoreError, attempts, print_jobs, receipts};

/// Everything known about a job.
#[derive(Debug, Clone)]
pub struct Story {
    /// The job.
    pub job: JobRow,
    /// Business day of its receipt.
    pub day: Date,
    /// The POS's own time.
    pub issued_at: Option<Timestamp>,
    /// When the register recorded it.
    pub recorded_at: Timestamp,
    /// Its attempts, first to last.
    pub attempts: Vec<Attempt>,
    /// The answers of people, first to last.
    pub answers: Vec<StoryAnswer>,
    /// Ids of the original and all copies but itself.
    pub copies: Vec<String>,
    /// Its records for the head office.
    pub records: Vec<StoryRecord>,
}

/// An answer in a story.
#[derive(Debug, Clone)]
pub struct StoryAnswer {
    /// What was asked for.
    pub verb: Verb,
    /// The state then.
    pub was: JobState,
    /// Who asked.
    pub client: Option<String>,
    /// Why, or where to.
    pub note: Option<String>,
    /// When.
    pub answered_at: Timestamp,
}

/// A record in a story.
#[derive(Debug, Clone)]
pub struct StoryRecord {
    /// Its request id.
    pub request_id: String,
    /// `waiting`, `acknowledged` or `parked`.
    pub state: String,
    /// The head office's verdict.
    pub verdict: Option<String>,
}

impl Store {
    /// The story of a job.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] without such a job.
    pub async fn story(&self, job_id: String) -> Result<Story, StoreError> {
        self.read(move |db| story(db, &job_id)).await
    }

    /// What a job prints.
    ///
    /// # Errors
    /// [`StoreError::BodyGone`] after its time.
    pub async fn body_of(&self, flow_no: i64) -> Result<Body, StoreError> {
        self.read(move |db| receipts::body(db, flow_no)).await
    }
}

fn story(db: &Connection, job_id: &str) -> Result<Story, StoreError> {
    let job = print_jobs::by_job_id(db, job_id)?;
    let times = receipts::times(db, job.flow_no)?;
    Ok(Story {
        day: times.day,
        issued_at: times.issued_at,
        recorded_at: times.recorded_at,
        attempts: attempts::of_job(db, job.id)?,
        answers: answers(db, &job)?,
        copies: copies(db, &job)?,
        records: records(db, &job)?,
        job,
    })
}

fn answers(db: &Connection, job: &JobRow) -> Result<Vec<StoryAnswer>, StoreError> {
    all(db, "SELECT verb, was, name, note, answered_at FROM answers LEFT JOIN clients ON clients.id = client
         WHERE job = ?1 ORDER BY answers.id", [job.id.0], |row| {
        Ok(StoryAnswer {
            verb: word(row, "verb")?,
            was: word(row, "was")?,
            client: row.get("name")?,
            note: row.get("note")?,
            answered_at: at(row, "answered_at")?,
        })
    })
}

fn copies(db: &Connection, job: &JobRow) -> Result<Vec<String>, StoreError> {
    all(
        db,
        "SELECT job_id FROM print_jobs WHERE flow_no = ?1 AND id <> ?2 ORDER BY copy_no",
        [job.flow_no, job.id.0],
        |row| Ok(row.get(0)?),
    )
}

fn records(db: &Connection, job: &JobRow) -> Result<Vec<StoryRecord>, StoreError> {
    all(
        db,
        "SELECT request_id, state, verdict FROM outbox WHERE flow_no = ?1 ORDER BY id",
        [job.flow_no],
        |row| {
            Ok(StoryRecord {
                request_id: row.get("request_id")?,
                state: row.get("state")?,
                verdict: row.get("verdict")?,
            })
        },
    )
}
