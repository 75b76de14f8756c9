//! Changes of jobs' rows: each only against the version it was made from.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, params};

use super::columns::{first, ms, ms_not_before};
use super::fault::Fault;
use super::{hooks, jobs};
use crate::job::Job;
use crate::store::{Changed, JobChange};

/// Applies changes in their order; each that comes too late is given back with the row as it is.
pub(super) fn apply(
    db: &Connection,
    changes: &[JobChange],
    now: Timestamp,
) -> Result<Vec<Changed>, Fault> {
    changes.iter().map(|change| apply_one(db, change, now)).collect()
}

fn apply_one(db: &Connection, change: &JobChange, now: Timestamp) -> Result<Changed, Fault> {
    if change.state.is_final() {
        return end(db, change, now);
    }
    if let Some(job) = update(db, change, now)? {
        return Ok(Changed::Done(job));
    }
    Ok(row(db, change)?.map_or(Changed::Gone(change.key), |(is, _)| Changed::Stale(is)))
}

/// A change to a final state: what the job was before says whether the business hears of it.
fn end(db: &Connection, change: &JobChange, now: Timestamp) -> Result<Changed, Fault> {
    let Some((was, api_key)) = row(db, change)? else { return Ok(Changed::Gone(change.key)) };
    let Some(job) = update(db, change, now)? else { return Ok(Changed::Stale(was)) };
    if (was.state, was.late) != (job.state, job.late) {
        hooks::queue(db, api_key, &job, now)?;
    }
    Ok(Changed::Done(job))
}

/// The row as it is, with the number of the key that sent the job.
fn row(db: &Connection, change: &JobChange) -> Result<Option<(Job, i64)>, Fault> {
    let key = change.key;
    first(db, jobs::BY_KEY, params![key.store.0, key.seq], |row| {
        Ok((jobs::read(row)?, row.get(jobs::API_KEY)?))
    })
}

fn update(db: &Connection, change: &JobChange, now: Timestamp) -> Result<Option<Job>, Fault> {
    let params = params![
        change.key.store.0,
        change.key.seq,
        change.row_version,
        change.state.as_str(),
        change.reason,
        change.register.map(|register| register.no),
        change.installation,
        change.pushes,
        change.next_push_at.map(ms_not_before),
        change.recovering,
        change.hold_at_return,
        change.late,
        change.result_version,
        ms(now),
    ];
    first(db, UPDATE, params, jobs::read)
}

const UPDATE: &str = concat!(
    "UPDATE jobs SET changed_at = CASE state WHEN ?4 THEN changed_at ELSE ?14 END, state = ?4,
         reason = ?5, register = ?6, installation = ?7, pushes = ?8, next_push_at = ?9, recovering = ?10,
         hold_at_return = ?11, late = ?12, result_version = ?13, row_version = row_version + 1
     WHERE store = ?1 AND seq = ?2 AND row_version = ?3 RETURNING ",
    jobs::columns!()
);
