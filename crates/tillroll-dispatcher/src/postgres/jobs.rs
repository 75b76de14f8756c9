//! Print jobs: how a row is read, a job stored, found and listed.

use deadpool_postgres::{Client, GenericClient};
use jiff::Timestamp;
use tillroll_domain::ids::JobId;
use tillroll_wire::job::{AfterDeadline, CloudState};
use tokio_postgres::Row;

use super::columns::{
    all, all_readable, at, column, fingerprint, first, get, get_u32, limit, ms, ms_not_before,
    optional_at, optional_word, word,
};
use super::fault::Fault;
use super::owners::{self, node_of_job};
use crate::job::{Inserted, Job, JobKey, NewJob, RegisterNo, StoreNo};
use crate::nodes::NodeNo;

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
pub(super) fn read(row: &Row) -> Result<Job, Fault> {
    let store = StoreNo(get(row, 0)?);
    let register: Option<i64> = get(row, 8)?;
    Ok(Job {
        key: JobKey { store, seq: get(row, 1)? },
        id: word(row, 2)?,
        kind: word(row, 3)?,
        printer: optional_word(row, 4)?,
        fingerprint: fingerprint(row, 5)?,
        state: state(row, 6)?,
        reason: get(row, 7)?,
        register: register.map(|no| RegisterNo { store, no }),
        installation: get(row, 9)?,
        pushes: get_u32(row, 10)?,
        created_at: at(row, 11)?,
        deadline_at: at(row, 12)?,
        next_push_at: optional_at(row, 13)?,
        after_deadline: after_deadline(row, 14)?,
        recovering: get(row, 15)?,
        hold_at_return: get(row, 16)?,
        late: get(row, 17)?,
        result_version: get(row, 18)?,
        row_version: get(row, 19)?,
        changed_at: at(row, 20)?,
    })
}

fn state(row: &Row, column: usize) -> Result<CloudState, Fault> {
    let word = get(row, column)?;
    CloudState::of(word).ok_or_else(|| Fault::Unreadable(format!("state {word:?}")))
}

fn after_deadline(row: &Row, column: usize) -> Result<AfterDeadline, Fault> {
    match get(row, column)? {
        "hold" => Ok(AfterDeadline::Hold),
        "drop" => Ok(AfterDeadline::Drop),
        word => Err(Fault::Unreadable(format!("after_deadline {word:?}"))),
    }
}

/// Stores a job, due at once; with the node that a new one belongs to.
pub(super) async fn insert(db: &Client, new: &NewJob) -> Result<(Inserted, Option<NodeNo>), Fault> {
    let after_deadline = match new.after_deadline {
        AfterDeadline::Hold => "hold",
        AfterDeadline::Drop => "drop",
    };
    let (job_id, kind) = (new.id.to_string(), new.id.kind.as_str());
    let (fingerprint, printer) = (&new.fingerprint.as_bytes()[..], new.printer.as_ref());
    let printer = printer.map(|printer| printer.as_str());
    let (now, deadline_at) = (ms(new.now), ms_not_before(new.deadline_at));
    let params = [
        &new.store.0 as _,
        &job_id as _,
        &kind as _,
        &fingerprint as _,
        &new.api_key as _,
        &printer as _,
        &after_deadline as _,
        &now as _,
        &deadline_at as _,
        &new.body as _,
    ];
    match first(db, INSERT, &params, |row| Ok((read(row)?, owners::node(row)?))).await? {
        Some((job, node)) => Ok((Inserted::New(job), node)),
        None => Ok((stored_before(db, new).await?, None)),
    }
}

/// Number, row and body in one statement; no row when the id is known. A replay takes no number and
/// waits for nobody. Of copies that come at once all but one take a number in vain.
pub(super) const INSERT: &str = concat!(
    "WITH number AS (
         UPDATE store_numbers SET job = job + 1 WHERE store = $1
             AND NOT EXISTS (SELECT 1 FROM jobs WHERE store = $1 AND job_id = $2) RETURNING job),
     added AS (
         INSERT INTO jobs (store, seq, job_id, kind, fingerprint, api_key, printer, state,
             after_deadline, created_at, deadline_at, next_push_at, changed_at)
         SELECT $1, job, $2, $3, $4, $5, $6, 'scheduled', $7, $8, $9, $8, $8 FROM number
         ON CONFLICT (store, job_id) DO NOTHING RETURNING ",
    columns!(),
    "),
     body AS (INSERT INTO job_bodies (store, seq, body, created_at)
         SELECT store, seq, $10, $8 FROM added)
     SELECT ",
    columns!(),
    ", ",
    node_of_job!(),
    " FROM added AS jobs"
);

/// A job is never deleted: what stood in the way is there, unless the store is not.
async fn stored_before(db: &Client, new: &NewJob) -> Result<Inserted, Fault> {
    let found = find(db, new.store, &new.id).await?;
    let job = found.ok_or(Fault::Refused("there is no such store"))?;
    if job.fingerprint == new.fingerprint {
        Ok(Inserted::Replayed(job))
    } else {
        Ok(Inserted::Conflict { stored: job.fingerprint })
    }
}

/// The job of an id.
pub(super) async fn find(
    db: &impl GenericClient,
    store: StoreNo,
    id: &JobId,
) -> Result<Option<Job>, Fault> {
    first(db, BY_ID, &[&store.0, &id.to_string()], read).await
}

pub(super) const BY_ID: &str =
    concat!("SELECT ", columns!(), " FROM jobs WHERE store = $1 AND job_id = $2");

/// Stores and numbers of keys, as arrays.
pub(super) fn arrays(keys: &[JobKey]) -> (Vec<i64>, Vec<i64>) {
    (column(keys, |key| key.store.0), column(keys, |key| key.seq))
}

/// The jobs of keys; a key without a row is left out.
pub(super) async fn by_key(db: &impl GenericClient, keys: &[JobKey]) -> Result<Vec<Job>, Fault> {
    let (stores, seqs) = arrays(keys);
    all_readable(db, BY_KEY, &[&stores, &seqs], read).await
}

pub(super) const BY_KEY: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS asked (store, seq, place)
         JOIN jobs USING (store, seq) ORDER BY place"
);

/// The bodies of jobs that still have one.
pub(super) async fn bodies(
    db: &impl GenericClient,
    keys: &[JobKey],
) -> Result<Vec<(JobKey, String)>, Fault> {
    let (stores, seqs) = arrays(keys);
    all(db, BODIES, &[&stores, &seqs], |row| Ok((key(row, 0)?, get(row, 2)?))).await
}

pub(super) const BODIES: &str = "SELECT store, seq, body
     FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS asked (store, seq, place)
         JOIN job_bodies USING (store, seq) ORDER BY place";

/// Reads store and number from a column on.
pub(super) fn key(row: &Row, column: usize) -> Result<JobKey, Fault> {
    Ok(JobKey { store: StoreNo(get(row, column)?), seq: get(row, column + 1)? })
}

/// The jobs of a store, newest first.
pub(super) async fn list(
    db: &impl GenericClient,
    store: StoreNo,
    state: Option<CloudState>,
    before: Option<JobKey>,
    rows: u32,
) -> Result<Vec<Job>, Fault> {
    let before = before.map_or(i64::MAX, |key| key.seq);
    let rows = limit(rows);
    match state {
        None => all_readable(db, NEWEST, &[&store.0, &before, &rows], read).await,
        Some(state) => {
            let state = state.as_str();
            all_readable(db, NEWEST_IN_STATE, &[&store.0, &before, &rows, &state], read).await
        }
    }
}

pub(super) const NEWEST: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs WHERE store = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3"
);
pub(super) const NEWEST_IN_STATE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs WHERE store = $1 AND state = $4 AND seq < $2 ORDER BY seq DESC LIMIT $3"
);

/// How many jobs are not final, by state, with the creation of the oldest.
pub(super) async fn open_counts(
    db: &impl GenericClient,
) -> Result<Vec<(CloudState, u64, Timestamp)>, Fault> {
    all(db, OPEN_COUNTS, &[], |row| {
        let count = get::<i64>(row, 1)?.try_into().map_err(Fault::unreadable)?;
        Ok((state(row, 0)?, count, at(row, 2)?))
    })
    .await
}

pub(super) const OPEN_COUNTS: &str = concat!(
    "SELECT state, count(*), min(created_at) FROM jobs WHERE ",
    super::schedule::open!(),
    " GROUP BY state"
);

/// Jobs that ended unconfirmed since an instant, and are so still.
pub(super) async fn unconfirmed_since(
    db: &impl GenericClient,
    since: Timestamp,
) -> Result<u64, Fault> {
    let count = first(db, UNCONFIRMED, &[&ms(since)], |row| get::<i64>(row, 0)).await?;
    count.unwrap_or(0).try_into().map_err(Fault::unreadable)
}

pub(super) const UNCONFIRMED: &str =
    "SELECT count(*) FROM jobs WHERE state = 'unconfirmed' AND changed_at > $1";

/// Jobs taken between two instants, by state.
pub(super) async fn count_taken(
    db: &impl GenericClient,
    store: StoreNo,
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<(CloudState, i64)>, Fault> {
    let params = [&store.0 as _, &ms(from) as _, &ms(to) as _];
    all(db, TAKEN, &params, |row| Ok((state(row, 0)?, get(row, 1)?))).await
}

pub(super) const TAKEN: &str = "SELECT state, count(*) FROM jobs
    WHERE store = $1 AND created_at >= $2 AND created_at < $3 GROUP BY state";
