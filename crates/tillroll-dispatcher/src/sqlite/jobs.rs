//! Print jobs: how a row is read, a job stored, found and listed.

use jiff::Timestamp;
use tillroll_domain::ids::JobId;
use tillroll_sqlite::rusqlite::{Connection, Row, params};
use tillroll_wire::job::{AfterDeadline, CloudState};

use super::columns::{
    all, all_readable, at, fingerprint, first, limit, ms, ms_not_before, optional_at,
    optional_word, run, word,
};
use super::fault::Fault;
use crate::job::{Inserted, Job, JobKey, NewJob, RegisterNo, StoreNo};

/// What [`read`] reads, in its order.
macro_rules! columns {
    () => {
        "store, seq, job_id, kind, printer, fingerprint, state, reason, register, installation,
         pushes, created_at, deadline_at, next_push_at, after_deadline, recovering, hold_at_return,
         late, result_version, row_version, changed_at, api_key"
    };
}
pub(super) use columns;

/// Where the number of the key that sent the job stands.
pub(super) const API_KEY: usize = 21;

/// Reads the columns of `columns!`.
pub(super) fn read(row: &Row<'_>) -> Result<Job, Fault> {
    let store = StoreNo(row.get(0)?);
    let register: Option<i64> = row.get(8)?;
    Ok(Job {
        key: JobKey { store, seq: row.get(1)? },
        id: word(row, 2)?,
        kind: word(row, 3)?,
        printer: optional_word(row, 4)?,
        fingerprint: fingerprint(row, 5)?,
        state: state(row, 6)?,
        reason: row.get(7)?,
        register: register.map(|no| RegisterNo { store, no }),
        installation: row.get(9)?,
        pushes: row.get(10)?,
        created_at: at(row, 11)?,
        deadline_at: at(row, 12)?,
        next_push_at: optional_at(row, 13)?,
        after_deadline: after_deadline(row, 14)?,
        recovering: row.get(15)?,
        hold_at_return: row.get(16)?,
        late: row.get(17)?,
        result_version: row.get(18)?,
        row_version: row.get(19)?,
        changed_at: at(row, 20)?,
    })
}

fn state(row: &Row<'_>, column: usize) -> Result<CloudState, Fault> {
    let word = row.get_ref(column)?.as_str().map_err(Fault::unreadable)?;
    CloudState::of(word).ok_or_else(|| Fault::Unreadable(format!("state {word:?}")))
}

fn after_deadline(row: &Row<'_>, column: usize) -> Result<AfterDeadline, Fault> {
    match row.get_ref(column)?.as_str().map_err(Fault::unreadable)? {
        "hold" => Ok(AfterDeadline::Hold),
        "drop" => Ok(AfterDeadline::Drop),
        word => Err(Fault::Unreadable(format!("after_deadline {word:?}"))),
    }
}

/// Stores a job, due at once.
pub(super) fn insert(db: &Connection, new: &NewJob) -> Result<Inserted, Fault> {
    let after_deadline = match new.after_deadline {
        AfterDeadline::Hold => "hold",
        AfterDeadline::Drop => "drop",
    };
    let job = first(
        db,
        INSERT,
        params![
            new.store.0,
            new.id.to_string(),
            new.id.kind.as_str(),
            new.fingerprint.as_bytes(),
            new.api_key,
            new.printer.as_ref().map(|printer| printer.as_str()),
            after_deadline,
            ms(new.now),
            ms_not_before(new.deadline_at),
        ],
        read,
    )?;
    let Some(job) = job else { return stored_before(db, new) };
    run(
        db,
        "INSERT INTO job_bodies (store, seq, body, created_at) VALUES (?1, ?2, ?3, ?4)",
        params![job.key.store.0, job.key.seq, new.body, ms(new.now)],
    )?;
    Ok(Inserted::New(job))
}

/// Number and row in one statement; no row when the id is known.
const INSERT: &str = concat!(
    "INSERT INTO jobs (store, seq, job_id, kind, fingerprint, api_key, printer, state, after_deadline,
         created_at, deadline_at, next_push_at, changed_at)
     VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM jobs WHERE store = ?1), ?2, ?3, ?4, ?5, ?6,
         'scheduled', ?7, ?8, ?9, ?8, ?8)
     ON CONFLICT (store, job_id) DO NOTHING RETURNING ",
    columns!()
);

fn stored_before(db: &Connection, new: &NewJob) -> Result<Inserted, Fault> {
    let found = find(db, new.store, &new.id)?;
    let job = found.ok_or_else(|| Fault::Unreadable(format!("job {} is half there", new.id)))?;
    if job.fingerprint == new.fingerprint {
        Ok(Inserted::Replayed(job))
    } else {
        Ok(Inserted::Conflict { stored: job.fingerprint })
    }
}

/// The job of an id.
pub(super) fn find(db: &Connection, store: StoreNo, id: &JobId) -> Result<Option<Job>, Fault> {
    first(db, BY_ID, params![store.0, id.to_string()], read)
}

pub(super) const BY_ID: &str =
    concat!("SELECT ", columns!(), " FROM jobs WHERE store = ?1 AND job_id = ?2");
pub(super) const BY_KEY: &str =
    concat!("SELECT ", columns!(), " FROM jobs WHERE store = ?1 AND seq = ?2");

/// The jobs of keys; a key without a row is left out.
pub(super) fn by_key(db: &Connection, keys: &[JobKey]) -> Result<Vec<Job>, Fault> {
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        found.extend(all_readable(db, BY_KEY, params![key.store.0, key.seq], read)?);
    }
    Ok(found)
}

/// The bodies of jobs that still have one.
pub(super) fn bodies(db: &Connection, keys: &[JobKey]) -> Result<Vec<(JobKey, String)>, Fault> {
    let mut found = Vec::with_capacity(keys.len());
    for key in keys {
        let body = first(db, BODY, params![key.store.0, key.seq], |row| Ok(row.get(0)?))?;
        found.extend(body.map(|body| (*key, body)));
    }
    Ok(found)
}

pub(super) const BODY: &str = "SELECT body FROM job_bodies WHERE store = ?1 AND seq = ?2";

/// The jobs of a store, newest first.
pub(super) fn list(
    db: &Connection,
    store: StoreNo,
    state: Option<CloudState>,
    before: Option<JobKey>,
    rows: u32,
) -> Result<Vec<Job>, Fault> {
    let before = before.map_or(i64::MAX, |key| key.seq);
    let rows = limit(rows);
    match state {
        None => all_readable(db, NEWEST, params![store.0, before, rows], read),
        Some(state) => {
            let params = params![store.0, before, rows, state.as_str()];
            all_readable(db, NEWEST_IN_STATE, params, read)
        }
    }
}

pub(super) const NEWEST: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs WHERE store = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3"
);
pub(super) const NEWEST_IN_STATE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs INDEXED BY jobs_by_state
     WHERE store = ?1 AND state = ?4 AND seq < ?2 ORDER BY seq DESC LIMIT ?3"
);

/// How many jobs are not final, by state, with the creation of the oldest.
pub(super) fn open_counts(db: &Connection) -> Result<Vec<(CloudState, u64, Timestamp)>, Fault> {
    all(db, OPEN_COUNTS, [], |row| {
        let count = row.get::<_, i64>(1)?.try_into().map_err(Fault::unreadable)?;
        Ok((state(row, 0)?, count, at(row, 2)?))
    })
}

pub(super) const OPEN_COUNTS: &str = concat!(
    "SELECT state, count(*), min(created_at) FROM jobs WHERE ",
    super::schedule::open!(),
    " GROUP BY state"
);

/// Jobs that ended unconfirmed since an instant, and are so still.
pub(super) fn unconfirmed_since(db: &Connection, since: Timestamp) -> Result<u64, Fault> {
    let count = first(db, UNCONFIRMED, [ms(since)], |row| Ok(row.get::<_, i64>(0)?))?;
    count.unwrap_or(0).try_into().map_err(Fault::unreadable)
}

pub(super) const UNCONFIRMED: &str =
    "SELECT count(*) FROM jobs WHERE state = 'unconfirmed' AND changed_at > ?1";

/// Jobs taken between two instants, by state.
pub(super) fn count_taken(
    db: &Connection,
    store: StoreNo,
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<(CloudState, i64)>, Fault> {
    all(db, TAKEN, params![store.0, ms(from), ms(to)], |row| Ok((state(row, 0)?, row.get(1)?)))
}

pub(super) const TAKEN: &str = "SELECT state, count(*) FROM jobs INDEXED BY jobs_by_creation
    WHERE store = ?1 AND created_at >= ?2 AND created_at < ?3 GROUP BY state";
