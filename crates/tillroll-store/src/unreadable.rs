//! A print job whose row does not read back: a damaged page, a hand in the database. It costs its printer
//! nothing but itself: what cannot be read of it is replaced, it goes on the list of those a person is asked
//! about, and a notice says what happened.

use jiff::Timestamp;
use tillroll_domain::print_job::JobState;
use tillroll_sqlite::rusqlite::{Connection, OptionalExtension as _, params};

use crate::columns::ms;
use crate::{JobRowId, StoreError, notices, print_jobs};

/// Sets aside every open job that cannot be read. Returns whether there was one.
pub(crate) fn set_aside_all(db: &Connection, now: Timestamp) -> Result<bool, StoreError> {
    let found = find(db)?;
    for (id, state, error) in &found {
        set_aside(db, *id, *state, error, now)?;
    }
    Ok(!found.is_empty())
}

/// The open jobs that cannot be read.
pub(crate) fn find(db: &Connection) -> Result<Vec<(JobRowId, JobState, StoreError)>, StoreError> {
    let mut found = Vec::new();
    for state in JobState::ALL.into_iter().filter(|state| !state.is_settled()) {
        if print_jobs::in_state(db, state).is_ok() {
            continue;
        }
        for id in print_jobs::ids_in_state(db, state)? {
            match print_jobs::by_id(db, id) {
                Err(error) if error.is_of_one_row() => found.push((id, state, error)),
                read => drop(read?),
            }
        }
    }
    Ok(found)
}

/// Sets a job in that state aside. Of one that was given to the device something may be on paper; of any
/// other nothing is.
pub(crate) fn set_aside(
    db: &Connection,
    id: JobRowId,
    state: JobState,
    error: &StoreError,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (becomes, reason) = match state {
        JobState::Printing | JobState::Sent | JobState::Unconfirmed => {
            (JobState::Unconfirmed, "interrupted")
        }
        JobState::Pending
        | JobState::Held
        | JobState::Failed
        | JobState::Printed
        | JobState::Skipped => (JobState::Failed, "cannot_render"),
    };
    let (was, kind): (String, Option<String>) = db
        .query_row(NAMES, [id.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .ok_or_else(|| StoreError::not_found("job", id.0))?;
    let job_id = readable_id(db, id, &was, kind.as_deref())?;
    db.execute(
        SET_ASIDE,
        params![id.0, state.as_str(), becomes.as_str(), reason, job_id, ms(now)],
    )?;
    tracing::error!(job.row = id.0, job.id = %was, %error, "a print job cannot be read");
    let detail = format!(
        "the print job {was:?} cannot be read ({error}): it is {becomes} now, as {job_id}; compare it with the POS"
    );
    notices::insert(db, "unreadable_job", &detail, now)
}

const NAMES: &str =
    "SELECT CAST(job_id AS TEXT), (SELECT kind FROM receipts r WHERE r.flow_no = j.flow_no)
    FROM print_jobs j WHERE id = ?1";

const SET_ASIDE: &str =
    "UPDATE print_jobs SET state = ?3, reason = ?4, job_id = ?5, confirmation = NULL, due_at = NULL,
         drawer = CASE drawer WHEN 'due' THEN 'dropped' ELSE drawer END, failures = 0,
         accepted_at = CASE WHEN accepted_at BETWEEN 0 AND ?6 THEN accepted_at ELSE ?6 END, changed_at = ?6,
         row_version = row_version + 1
     WHERE id = ?1 AND state = ?2";

/// The job's id where it is one, else one made of its row, so that a person can answer it.
fn readable_id(
    db: &Connection,
    id: JobRowId,
    was: &str,
    kind: Option<&str>,
) -> Result<String, StoreError> {
    if was.parse::<tillroll_domain::ids::JobId>().is_ok() {
        return Ok(was.to_owned());
    }
    let store: String = db.query_row("SELECT store FROM register", [], |row| row.get(0))?;
    Ok(format!("{store}:unreadable~{}:{}:v1", id.0, kind.unwrap_or("report")))
}
