//! The jobs that scheduling asks for: due, waiting for a printer, at a register.

use jiff::Timestamp;
use tillroll_domain::ids::Part;
use tillroll_sqlite::rusqlite::{Connection, params};

use super::columns::{all, all_readable, at, limit, ms_not_before};
use super::fault::Fault;
use super::jobs::{columns, read};
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
pub(super) fn due(
    db: &Connection,
    until: Timestamp,
    after: Option<JobKey>,
    rows: u32,
) -> Result<Vec<Job>, Fault> {
    let (store, seq) = after.map_or((0, 0), |key| (key.store.0, key.seq));
    all_readable(db, DUE, params![ms_not_before(until), store, seq, limit(rows)], read)
}

pub(super) const DUE: &str = concat!(
    "WITH due (store, seq) AS (
         SELECT store, seq FROM jobs INDEXED BY jobs_due_push
             WHERE next_push_at < ?1 AND (store, seq) > (?2, ?3)
         UNION SELECT store, seq FROM jobs INDEXED BY jobs_due_deadline
             WHERE deadline_at < ?1 AND ",
    open!(),
    " AND (store, seq) > (?2, ?3)
         ORDER BY 1, 2 LIMIT ?4)
     SELECT ",
    columns!(),
    " FROM due CROSS JOIN jobs USING (store, seq) ORDER BY store, seq"
);

/// Deadlines of jobs that are not final, in their order, all stores.
pub(super) fn deadlines(
    db: &Connection,
    from: Timestamp,
    past: Option<JobKey>,
    until: Timestamp,
    rows: u32,
) -> Result<Vec<(Timestamp, JobKey)>, Fault> {
    let (store, seq) = past.map_or((0, 0), |key| (key.store.0, key.seq));
    let params = params![ms_not_before(from), store, seq, ms_not_before(until), limit(rows)];
    all(db, DEADLINES, params, |row| {
        let key = JobKey { store: StoreNo(row.get(1)?), seq: row.get(2)? };
        Ok((at(row, 0)?, key))
    })
}

pub(super) const DEADLINES: &str = concat!(
    "SELECT deadline_at, store, seq FROM jobs INDEXED BY jobs_due_deadline
     WHERE (deadline_at, store, seq) > (?1, ?2, ?3) AND deadline_at < ?4 AND ",
    open!(),
    " ORDER BY deadline_at, store, seq LIMIT ?5"
);

/// Jobs that wait for a printer, oldest first.
pub(super) fn waiting(
    db: &Connection,
    store: StoreNo,
    printer: &Part,
    rows: u32,
) -> Result<Vec<Job>, Fault> {
    all_readable(db, WAITING, params![store.0, printer.as_str(), limit(rows)], read)
}

pub(super) const WAITING: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs INDEXED BY jobs_waiting WHERE store = ?1 AND printer = ?2
         AND (state = 'scheduled' OR state = 'parked' OR (state = 'timed_out' AND hold_at_return = 1))
     ORDER BY seq LIMIT ?3"
);

/// Jobs pushed to a register, or accepted by it, and not final.
pub(super) fn at_register(db: &Connection, register: RegisterNo) -> Result<Vec<Job>, Fault> {
    all_readable(db, AT_REGISTER, params![register.store.0, register.no], read)
}

pub(super) const AT_REGISTER: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs INDEXED BY jobs_at_register WHERE store = ?1 AND register = ?2
         AND (state = 'pushed' OR state = 'accepted' OR state = 'cancel_requested')
     ORDER BY seq"
);
