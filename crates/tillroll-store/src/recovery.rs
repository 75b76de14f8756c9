//! After a crash or a restored copy: what an open attempt means, and what is held.

use jiff::Timestamp;
use tillroll_domain::print_job::{Event, HoldReason, JobReason, JobState};
use tillroll_sqlite::rusqlite::Connection;

use crate::{
    Attempt, AttemptId, JobRow, Outcome, PrinterId, Store, StoreError, attempts, print_jobs,
};

/// A job and its last attempt, about which the device may have evidence.
#[derive(Debug, Clone)]
pub struct Interrupted {
    /// The job.
    pub job: JobRow,
    /// Its last attempt.
    pub attempt: Attempt,
}

impl Store {
    /// The job of a printer that was being printed when the program ended, if there is one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn interrupted(&self, printer: PrinterId) -> Result<Option<Interrupted>, StoreError> {
        self.read(move |db| {
            let Some(job) = print_jobs::of_printer(db, printer, &[JobState::Printing])?.pop()
            else {
                return Ok(None);
            };
            let attempt = attempts::last_of(db, job.id)?;
            Ok(attempt.map(|attempt| Interrupted { job, attempt }))
        })
        .await
    }

    /// The last attempt at a printer and its job: what the device tells now can only be about that one.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn last_attempt_at(
        &self,
        printer: PrinterId,
    ) -> Result<Option<Interrupted>, StoreError> {
        self.read(move |db| {
            let Some(attempt) = attempts::last_at(db, printer)? else { return Ok(None) };
            let job = print_jobs::by_id(db, attempt.job)?;
            Ok(Some(Interrupted { job, attempt }))
        })
        .await
    }

    /// An attempt.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] without such an attempt.
    pub async fn attempt(&self, id: AttemptId) -> Result<Attempt, StoreError> {
        self.read(move |db| attempts::by_id(db, id)).await
    }
}

/// A database older than what happened: what was open may be on paper already, and a person is asked.
pub(crate) fn hold_restored(db: &Connection, now: Timestamp) -> Result<(), StoreError> {
    doubt_interrupted(db, now)?;
    for job in print_jobs::in_state(db, JobState::Pending)? {
        print_jobs::apply(db, &job, Event::Hold(HoldReason::Restored), now, 0)?;
    }
    // Held ones too wait for the same answer now, and whatever they print next carries the mark.
    db.execute(
        "UPDATE print_jobs SET reprint = 1, reason = 'restored', row_version = row_version + 1 WHERE state = 'held'",
        [],
    )?;
    db.execute(
        "UPDATE print_jobs SET reprint = 1, row_version = row_version + 1 WHERE state = 'failed'",
        [],
    )?;
    Ok(())
}

/// What was at the device when the copy was made was printed, or given back and printed again, by the
/// program that went on without it. The device has counted the tickets since, so what it had counted
/// before an attempt proves nothing any more.
fn doubt_interrupted(db: &Connection, now: Timestamp) -> Result<(), StoreError> {
    let cause = JobReason::from(HoldReason::Restored);
    for job in print_jobs::in_state(db, JobState::Printing)? {
        print_jobs::apply(db, &job, Event::MaybeOnPaper(cause), now, 0)?;
        if let Some(attempt) = attempts::last_of(db, job.id)? {
            attempts::end(db, attempt.id, Outcome::Unconfirmed, Some(cause), now)?;
        }
    }
    db.execute(
        "UPDATE attempts SET lines_before = NULL, cuts_before = NULL
         WHERE job IN (SELECT id FROM print_jobs WHERE state = 'unconfirmed' OR state = 'sent')",
        [],
    )?;
    Ok(())
}
