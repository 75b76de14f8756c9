//! Changes of jobs' rows, many at a time: each only against the version it was made from.
//!
//! A batch is two statements whatever its size: the rows are locked and read, then those that still have
//! their version are written. A row that is changed twice takes a second round.

use std::collections::{HashMap, HashSet};

use deadpool_postgres::Transaction;
use jiff::Timestamp;

use super::columns::{all, column, get, ms, ms_not_before, text};
use super::fault::Fault;
use super::hooks::{self, End};
use super::jobs;
use crate::job::{Job, JobKey};
use crate::store::{Changed, JobChange};

/// Applies changes in their order; each that comes too late is given back with the row as it is.
pub(super) async fn apply(
    db: &Transaction<'_>,
    changes: &[JobChange],
    now: Timestamp,
) -> Result<Vec<Changed>, Fault> {
    let mut answers = Vec::with_capacity(changes.len());
    for round in rounds(changes) {
        let changed = apply_round(db, &round, now).await?;
        answers.extend(round.into_iter().map(|(place, _)| place).zip(changed));
    }
    answers.sort_unstable_by_key(|(place, _)| *place);
    Ok(answers.into_iter().map(|(_, changed)| changed).collect())
}

/// A change and its place in the batch.
type Placed<'a> = (usize, &'a JobChange);

/// The batch in rounds that have no row twice; changes of one row keep their order.
fn rounds(changes: &[JobChange]) -> Vec<Vec<Placed<'_>>> {
    let mut left: Vec<Placed<'_>> = changes.iter().enumerate().collect();
    let mut rounds = Vec::new();
    while !left.is_empty() {
        let mut met = HashSet::new();
        let (round, later) = left.into_iter().partition(|(_, change)| met.insert(change.key));
        rounds.push(round);
        left = later;
    }
    rounds
}

/// A row before its change, and the key that sent the job.
struct Was {
    job: Job,
    api_key: i64,
}

async fn apply_round(
    db: &Transaction<'_>,
    round: &[Placed<'_>],
    now: Timestamp,
) -> Result<Vec<Changed>, Fault> {
    let mut rows = lock(db, &column(round, |(_, change)| change.key)).await?;
    let fits = |change: &JobChange| {
        rows.get(&change.key).is_some_and(|was| was.job.row_version == change.row_version)
    };
    let fitting: Vec<_> =
        round.iter().map(|(_, change)| *change).filter(|change| fits(change)).collect();
    let mut done = update(db, &fitting, now).await?;
    hooks::queue(db, &ends(&rows, &done), now).await?;
    let answer =
        |(_, change): &Placed<'_>| match (done.remove(&change.key), rows.remove(&change.key)) {
            (Some(job), _) => Changed::Done(job),
            (None, Some(was)) => Changed::Stale(was.job),
            (None, None) => Changed::Gone(change.key),
        };
    Ok(round.iter().map(answer).collect())
}

/// Locks rows in the order of their keys, so that two batches never wait for each other in a ring.
async fn lock(db: &Transaction<'_>, keys: &[JobKey]) -> Result<HashMap<JobKey, Was>, Fault> {
    let (stores, seqs) = jobs::arrays(keys);
    let rows = all(db, LOCK, &[&stores, &seqs], |row| {
        let job = jobs::read(row)?;
        Ok((job.key, Was { job, api_key: get(row, jobs::API_KEY)? }))
    })
    .await?;
    Ok(rows.into_iter().collect())
}

pub(super) const LOCK: &str = concat!(
    "SELECT ",
    jobs::columns!(),
    " FROM unnest($1::bigint[], $2::bigint[]) AS asked (store, seq) JOIN jobs USING (store, seq)
     ORDER BY store, seq FOR NO KEY UPDATE OF jobs"
);

async fn update(
    db: &Transaction<'_>,
    changes: &[&JobChange],
    now: Timestamp,
) -> Result<HashMap<JobKey, Job>, Fault> {
    if changes.is_empty() {
        return Ok(HashMap::new());
    }
    let params = [
        &column(changes, |change| change.key.store.0) as _,
        &column(changes, |change| change.key.seq) as _,
        &column(changes, |change| change.row_version) as _,
        &column(changes, |change| change.state.as_str()) as _,
        &column(changes, |change| change.reason.as_deref().map(text)) as _,
        &column(changes, |change| change.register.map(|register| register.no)) as _,
        &column(changes, |change| change.installation.as_deref().map(text)) as _,
        &column(changes, |change| i64::from(change.pushes)) as _,
        &column(changes, |change| change.next_push_at.map(ms_not_before)) as _,
        &column(changes, |change| change.recovering) as _,
        &column(changes, |change| change.hold_at_return) as _,
        &column(changes, |change| change.late) as _,
        &column(changes, |change| change.result_version) as _,
        &ms(now) as _,
    ];
    let rows = all(db, UPDATE, &params, jobs::read).await?;
    Ok(rows.into_iter().map(|job| (job.key, job)).collect())
}

pub(super) const UPDATE: &str = concat!(
    "UPDATE jobs SET changed_at = CASE state WHEN to_state THEN changed_at ELSE $14 END,
         state = to_state, reason = to_reason, register = to_register,
         installation = to_installation, pushes = to_pushes, next_push_at = to_next_push_at,
         recovering = to_recovering, hold_at_return = to_hold_at_return, late = to_late,
         result_version = to_result_version, row_version = row_version + 1
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
             $7::text[], $8::bigint[], $9::bigint[], $10::boolean[], $11::boolean[], $12::boolean[],
             $13::bigint[])
         AS change (of_store, of_seq, of_version, to_state, to_reason, to_register, to_installation,
             to_pushes, to_next_push_at, to_recovering, to_hold_at_return, to_late,
             to_result_version)
     WHERE store = of_store AND seq = of_seq AND row_version = of_version RETURNING ",
    jobs::columns!()
);

fn ends<'a>(rows: &HashMap<JobKey, Was>, done: &'a HashMap<JobKey, Job>) -> Vec<End<'a>> {
    let end = |job: &'a Job| {
        let was = rows.get(&job.key)?;
        tells_of_an_end(&was.job, job).then_some(End { api_key: was.api_key, job })
    };
    let mut ends: Vec<_> = done.values().filter_map(end).collect();
    ends.sort_unstable_by_key(|end| end.job.key);
    ends
}

/// Whether the business hears of it: a final state that is new, or reached anew by a late result.
fn tells_of_an_end(was: &Job, is: &Job) -> bool {
    is.state.is_final() && (was.state, was.late) != (is.state, is.late)
}
