//! The jobs that scheduling asks for: due, waiting for a printer, at a register.

use deadpool_postgres::GenericClient;
use jiff::Timestamp;
use tillroll_domain::ids::Part;

use super::columns::{all, all_readable, at, limit, ms_not_before};
use super::fault::Fault;
use super::jobs::{columns, key, read};
use crate::job::{Job, JobKey, RegisterNo, StoreNo};

/// The states that are not final, in the words of the partial indexes.
macro_rules! open {
    () => {
        "(state = 'scheduled' OR state = 'parked' OR state = 'pushed' OR state = 'accepted'
        OR state = 'cancel_requested')"
    };
}
pub(super) use open;

/// Jobs with a push or a deadline before `until`, by key, all stores.
pub(super) async fn due(
    db: &impl GenericClient,
    until: Timestamp,
    after: Option<JobKey>,
    rows: u32,
) -> Result<Vec<Job>, Fault> {
    let (store, seq) = after.map_or((0, 0), |key| (key.store.0, key.seq));
    let (until, rows) = (ms_not_before(until), limit(rows));
    all_readable(db, DUE, &[&until, &store, &seq, &rows], read).await
}

/// Row by row, which the inner limit sees to: a plan for any number of rows would read the whole table.
pub(super) const DUE: &str = concat!(
    "WITH due (of_store, of_seq) AS (
         SELECT store, seq FROM jobs WHERE next_push_at < $1 AND (store, seq) > ($2, $3)
         UNION SELECT store, seq FROM jobs WHERE deadline_at < $1 AND ",
    open!(),
    " AND (store, seq) > ($2, $3)
         ORDER BY 1, 2 LIMIT $4)
     SELECT ",
    columns!(),
    " FROM due CROSS JOIN LATERAL (
             SELECT * FROM jobs WHERE store = of_store AND seq = of_seq LIMIT 1) AS jobs
         ORDER BY store, seq"
);

/// Deadlines of jobs that are not final, in their order, all stores.
pub(super) async fn deadlines(
    db: &impl GenericClient,
    from: Timestamp,
    past: Option<JobKey>,
    until: Timestamp,
    rows: u32,
) -> Result<Vec<(Timestamp, JobKey)>, Fault> {
    let (store, seq) = past.map_or((0, 0), |key| (key.store.0, key.seq));
    let (from, until, rows) = (ms_not_before(from), ms_not_before(until), limit(rows));
    let params = [&from as _, &store as _, &seq as _, &until as _, &rows as _];
    all(db, DEADLINES, &params, |row| Ok((at(row, 0)?, key(row, 1)?))).await
}

pub(super) const DEADLINES: &str = concat!(
    "SELECT deadline_at, store, seq FROM jobs
     WHERE (deadline_at, store, seq) > ($1, $2, $3) AND deadline_at < $4 AND ",
    open!(),
    " ORDER BY deadline_at, store, seq LIMIT $5"
);

/// Jobs that wait for a printer, oldest first.
pub(super) async fn waiting(
    db: &impl GenericClient,
    store: StoreNo,
    printer: &Part,
    rows: u32,
) -> Result<Vec<Job>, Fault> {
    all_readable(db, WAITING, &[&store.0, &printer.as_str(), &limit(rows)], read).await
}

pub(super) const WAITING: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs WHERE store = $1 AND printer = $2
         AND (state = 'scheduled' OR state = 'parked' OR (state = 'timed_out' AND hold_at_return))
     ORDER BY seq LIMIT $3"
);

/// Jobs pushed to a register, or accepted by it, and not final.
pub(super) async fn at_register(
    db: &impl GenericClient,
    register: RegisterNo,
) -> Result<Vec<Job>, Fault> {
    all_readable(db, AT_REGISTER, &[&register.store.0, &register.no], read).await
}

pub(super) const AT_REGISTER: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs WHERE store = $1 AND register = $2
         AND (state = 'pushed' OR state = 'accepted' OR state = 'cancel_requested')
     ORDER BY seq"
);
