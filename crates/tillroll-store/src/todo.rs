//! What the clerk sees: jobs by state, and the one list of what waits for a person.

use jiff::Timestamp;
use tillroll_domain::print_job::JobState;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{all_readable, at, first, ms};
use crate::{JobRow, Store, StoreError, print_jobs};

/// A row of the to-do list.
pub type TodoRow = JobRow;

/// A job that comes on the to-do list when it has waited too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The job.
    pub job_id: String,
    /// Since when it is pending, or at its device.
    pub since: Timestamp,
}

impl Store {
    /// The job of that id.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] without such a job.
    pub async fn job(&self, job_id: String) -> Result<JobRow, StoreError> {
        self.read(move |db| print_jobs::by_job_id(db, &job_id)).await
    }

    /// The newest jobs, or the newest in one state, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn jobs(
        &self,
        state: Option<JobState>,
        most: u32,
    ) -> Result<Vec<JobRow>, StoreError> {
        self.read(move |db| newest(db, state, most)).await
    }

    /// Everything that waits for a person, oldest first: jobs that ask, jobs pending since before
    /// `waiting_since`, and jobs at a device since before then.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn todo(
        &self,
        waiting_since: Timestamp,
        most: u32,
    ) -> Result<Vec<TodoRow>, StoreError> {
        self.read(move |db| todo(db, waiting_since, most)).await
    }

    /// The job that waits, or is at a device, since `from` or the next moment after it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn next_waiting(&self, from: Timestamp) -> Result<Option<Waiting>, StoreError> {
        self.read(move |db| {
            first(db, NEXT_WAITING, [ms(from)], |row| {
                Ok(Waiting { job_id: row.get("job_id")?, since: at(row, "since")? })
            })
        })
        .await
    }

    /// How many jobs of each open state there are, counting to `most` each.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn open_counts(&self, most: u32) -> Result<Vec<(JobState, i64)>, StoreError> {
        self.read(move |db| {
            let open = JobState::ALL.into_iter().filter(|state| !state.is_settled());
            open.map(|state| Ok((state, count_of(db, state, most)?))).collect()
        })
        .await
    }

    /// Jobs a printer has waiting, counting to `most`, and when the oldest was accepted.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn queue_of(
        &self,
        printer: crate::PrinterId,
        most: u32,
    ) -> Result<(i64, Option<Timestamp>), StoreError> {
        self.read(move |db| {
            let mut statement = db.prepare_cached(QUEUE_OF)?;
            let (count, oldest): (i64, Option<i64>) = statement
                .query_row(params![printer.0, most], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok((count, oldest.map(crate::columns::instant).transpose()?))
        })
        .await
    }
}

fn newest(db: &Connection, state: Option<JobState>, most: u32) -> Result<Vec<JobRow>, StoreError> {
    let sql = match state {
        Some(state) => newest_sql(state),
        None => print_jobs::select_sql(NEWEST),
    };
    all_readable(db, &sql, [most], print_jobs::job)
}

/// A printer's waiting jobs, as far as they are counted.
pub(crate) const QUEUE_OF: &str =
    "SELECT count(*), min(accepted_at) FROM (SELECT accepted_at FROM print_jobs
         WHERE printer = ?1 AND state = 'pending' ORDER BY priority, flow_no, copy_no LIMIT ?2)";
/// The first that waits, or is at a device, since a moment or after it.
pub(crate) const NEXT_WAITING: &str =
    "SELECT job_id, accepted_at AS since FROM print_jobs INDEXED BY print_jobs_due
         WHERE state = 'pending' AND accepted_at >= ?1
     UNION ALL
     SELECT job_id, changed_at FROM print_jobs INDEXED BY print_jobs_printing
         WHERE state = 'printing' AND changed_at >= ?1
     ORDER BY since LIMIT 1";
const NEWEST: &str = "ORDER BY j.id DESC LIMIT ?1";
const OLDEST: &str = "ORDER BY j.id LIMIT ?1";

/// The newest jobs in a state.
pub(crate) fn newest_sql(state: JobState) -> String {
    print_jobs::in_state_sql(state, NEWEST)
}

/// The oldest jobs in a state that asks.
pub(crate) fn asking_sql(state: JobState) -> String {
    print_jobs::in_state_sql(state, OLDEST)
}

/// The oldest jobs that wait for their printer longer than is right.
pub(crate) fn waiting_sql() -> String {
    print_jobs::in_state_sql(JobState::Pending, &format!("AND j.accepted_at < ?2 {OLDEST}"))
}

/// The oldest jobs that are at their device longer than is right.
pub(crate) fn at_device_sql() -> String {
    print_jobs::in_state_sql(JobState::Printing, &format!("AND j.changed_at < ?2 {OLDEST}"))
}

fn count_of(db: &Connection, state: JobState, most: u32) -> Result<i64, StoreError> {
    let jobs = print_jobs::in_state_sql(state, "LIMIT ?1");
    let sql = format!("SELECT count(*) FROM ({jobs})");
    Ok(db.prepare_cached(&sql)?.query_row([most], |row| row.get(0))?)
}

fn todo(db: &Connection, waiting_since: Timestamp, most: u32) -> Result<Vec<JobRow>, StoreError> {
    let mut rows = Vec::new();
    for state in JobState::ALL.into_iter().filter(|state| state.asks()) {
        rows.extend(all_readable(db, &asking_sql(state), [most], print_jobs::job)?);
    }
    let waiting = params![most, ms(waiting_since)];
    rows.extend(all_readable(db, &waiting_sql(), waiting, print_jobs::job)?);
    rows.extend(all_readable(db, &at_device_sql(), waiting, print_jobs::job)?);
    rows.sort_by_key(|job| job.id);
    rows.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    Ok(rows)
}
