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
    let key = change.key;
    let found = first(db, jobs::BY_KEY, params![key.store.0, key.seq], |row| {
        Ok((jobs::read(row)?, row.get::<_, i64>(jobs::API_KEY)?))
    })?;
    let Some((was, api_key)) = found else { return Ok(Changed::Gone(key)) };
    if was.row_version != change.row_version {
        return Ok(Changed::Stale(was));
    }
    let Some(job) = update(db, change, now)? else { return Ok(Changed::Stale(was)) };
    if tells_of_an_end(&was, &job) {
        hooks::queue(db, api_key, &job, now)?;
    }
    Ok(Changed::Done(job))
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

/// Whether the business hears of it: a final state that is new, or reached anew by a late result.
fn tells_of_an_end(was: &Job, is: &Job) -> bool {
    is.state.is_final() && (was.state, was.late) != (is.state, is.late)
}
