//! Jobs the head office pushed: ordinary receipts whose results are told.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::{HoldReason, JobState, Verb};
use tillroll_sqlite::rusqlite::{Connection, Row, params};
use tillroll_wire::channel::JobResult;

use crate::columns::{all_readable, at, first, optional_word, word};
use crate::mark::Numbers;
use crate::{
    Answer, Answering, ClientId, Expiry, JobRow, JobRowId, Store, StoreError, answers, print_jobs,
    register,
};

/// What the head office wants of a receipt it pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pushed {
    /// When it is too late to start it.
    pub expiry: Option<Expiry>,
}

impl Pushed {
    /// Why it may not be started any more at a reading of the boot clock.
    pub(crate) fn held_at(&self, boot: Duration) -> Option<HoldReason> {
        self.expiry.filter(|expiry| expiry.boot <= boot).map(|_| HoldReason::Expired)
    }
}

impl Store {
    /// Results the head office has not acknowledged, those of the newest jobs first: one it will never
    /// know of stands in no newer one's way.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn results_to_tell(&self, most: usize) -> Result<Vec<JobResult>, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.read(move |db| all_readable(db, UNTOLD, [most], result)).await
    }

    /// Where a job stands; `None` when it is not known here.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn job_result(&self, job_id: &JobId) -> Result<Option<JobResult>, StoreError> {
        let job_id = job_id.to_string();
        self.read(move |db| first(db, RESULT_OF, [job_id], result)).await
    }

    /// The head office has results: each of that version of its job's row.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn results_told(&self, told: Vec<(JobId, i64)>) -> Result<(), StoreError> {
        self.write(move |db| {
            let mut statement = db.prepare_cached(
                "UPDATE print_jobs SET told_version = ?2
                 WHERE job_id = ?1 AND told_version < ?2 AND row_version >= ?2",
            )?;
            for (job_id, row_version) in &told {
                statement.execute(params![job_id.to_string(), row_version])?;
            }
            Ok(())
        })
        .await
    }

    /// The head office takes a job back. What has not begun is skipped; what is at the device settles when
    /// that answers; what may be on paper stays a question for the clerk. Returns where it stands.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn cancel_pushed(
        &self,
        job_id: &JobId,
        client: ClientId,
        now: Timestamp,
    ) -> Result<Option<JobResult>, StoreError> {
        let text = job_id.to_string();
        let number = self.write(move |db| cancel(db, &text, client, now)).await?;
        if let Some(number) = number {
            self.note(Numbers { answer: number, ..Numbers::default() });
            self.feed().job_hint(job_id);
        }
        self.job_result(job_id).await
    }
}

/// What was just inserted is a job of the head office. One that is held has no deadline: it waits for a
/// person.
pub(crate) fn mark(db: &Connection, job: &JobRow, pushed: &Pushed) -> Result<(), StoreError> {
    let expiry = pushed.expiry.filter(|_| job.state == JobState::Pending);
    db.prepare_cached(
        "UPDATE print_jobs SET told_version = 0, expires_at = ?2, expires_boot_ms = ?3 WHERE id = ?1",
    )?
    .execute(params![
        job.id.0,
        expiry.map(|expiry| expiry.at_ms()),
        expiry.map(|expiry| expiry.boot_ms())
    ])?;
    Ok(())
}

/// A job that was here already is pushed: the head office is told of it from now on.
pub(crate) fn adopt(db: &Connection, id: JobRowId) -> Result<(), StoreError> {
    let sql = "UPDATE print_jobs SET told_version = 0 WHERE id = ?1 AND told_version IS NULL";
    db.prepare_cached(sql)?.execute([id.0])?;
    Ok(())
}

/// Results the head office has not acknowledged.
pub(crate) const UNTOLD: &str =
    "SELECT job_id, state, reason, confirmation, row_version, changed_at
    FROM print_jobs INDEXED BY print_jobs_untold
    WHERE told_version < row_version AND state <> 'pending' AND state <> 'held' AND state <> 'printing'
    ORDER BY id DESC LIMIT ?1";
const RESULT_OF: &str = "SELECT job_id, state, reason, confirmation, row_version, changed_at
    FROM print_jobs WHERE job_id = ?1";

fn result(row: &Row<'_>) -> Result<JobResult, StoreError> {
    Ok(JobResult {
        id: word(row, 0)?,
        state: word(row, 1)?,
        reason: optional_word(row, 2)?,
        confirmation: optional_word(row, 3)?,
        row_version: row.get(4)?,
        at: at(row, 5)?,
    })
}

/// Skips what has not begun; the number of the answer that says so.
fn cancel(
    db: &Connection,
    job_id: &str,
    client: ClientId,
    now: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let job = match print_jobs::by_job_id(db, job_id) {
        Err(StoreError::NotFound { .. }) => return Ok(None),
        job => job?,
    };
    match job.state {
        JobState::Pending | JobState::Held | JobState::Failed | JobState::Printing => {}
        JobState::Printed | JobState::Sent | JobState::Unconfirmed | JobState::Skipped => {
            return Ok(None);
        }
    }
    let note = Some("canceled by the head office".to_owned());
    let skip = Answer { job_id: job_id.to_owned(), verb: Verb::Skip, note, printer: None };
    let by = Answering { client: Some(client), now };
    if answers::answer_one(db, job, &skip, by)?.unchanged {
        return Ok(None);
    }
    Ok(Some(register::next_number(db, register::LAST_ANSWER)? - 1))
}
