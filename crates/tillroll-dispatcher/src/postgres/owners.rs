//! Jobs and the nodes they belong to: a job is its register's, and a register is its node's.

use deadpool_postgres::{Client, GenericClient};
use jiff::Timestamp;

use super::PostgresStore;
use super::columns::{all, all_readable, get, limit, ms, ms_not_before};
use super::fault::Fault;
use super::jobs::{self, columns, key};
use super::schedule::open;
use crate::job::{Inserted, Job, JobKey, NewJob};
use crate::nodes::{NodeNo, Overdue};
use crate::store::Stored;

/// The node that lives and has the register of the row `jobs`: the register it was pushed to, or the one that
/// has its printer.
macro_rules! node_of_job {
    () => {
        concat!(
            "(SELECT n.node FROM register_leases l
                 JOIN nodes n ON n.node = l.node AND n.until > ",
            $crate::postgres::leases::now!(),
            " WHERE l.store = jobs.store AND l.register = CASE
                 WHEN jobs.state IN ('pushed', 'accepted', 'cancel_requested') THEN jobs.register
                 ELSE (SELECT p.register FROM printers p
                     WHERE p.store = jobs.store AND p.name = jobs.printer) END)"
        )
    };
}
pub(super) use node_of_job;

/// Where the node stands behind the columns of a job.
const NODE: usize = 22;

impl PostgresStore {
    /// As [`insert_job`](crate::store::DispatcherStore::insert_job), with the node that a new job belongs to.
    ///
    /// # Errors
    /// Those of `insert_job`.
    pub async fn insert_owned(&self, new: NewJob) -> Stored<(Inserted, Option<NodeNo>)> {
        self.write_statement(async move |db| jobs::insert(db, &new).await).await
    }

    /// The nodes that jobs belong to; one that belongs to none is left out.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn nodes_of_jobs(&self, keys: Vec<JobKey>) -> Stored<Vec<(JobKey, NodeNo)>> {
        self.look_up(async move |db| nodes_of(db, &keys).await).await
    }

    /// Jobs whose push was due before `until`, longest due first, after `past`; at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn unpushed(
        &self,
        until: Timestamp,
        past: Option<(Timestamp, JobKey)>,
        limit: u32,
    ) -> Stored<Vec<Overdue>> {
        self.look_up(async move |db| unpushed(db, until, past, limit).await).await
    }

    /// Jobs of a node's registers that their senders take back; at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn cancels_of(&self, node: NodeNo, limit: u32) -> Stored<Vec<Job>> {
        self.look_up(async move |db| cancels(db, node, limit).await).await
    }

    /// Jobs past their deadline, longest first: parked ones from the deadline on, those that a node may have in
    /// hand since before `leftovers`; at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn late_jobs(
        &self,
        now: Timestamp,
        leftovers: Timestamp,
        limit: u32,
    ) -> Stored<Vec<Job>> {
        self.look_up(async move |db| late(db, now, leftovers, limit).await).await
    }
}

/// Reads the node behind the columns of a job.
pub(super) fn node(row: &tokio_postgres::Row) -> Result<Option<NodeNo>, Fault> {
    Ok(get::<Option<i64>>(row, NODE)?.map(NodeNo))
}

async fn nodes_of(db: &Client, keys: &[JobKey]) -> Result<Vec<(JobKey, NodeNo)>, Fault> {
    let (stores, seqs) = jobs::arrays(keys);
    let found = all(db, NODES_OF, &[&stores, &seqs], |row| {
        let node = get::<Option<i64>>(row, 2)?.map(NodeNo);
        Ok(node.map(|node| Ok::<_, Fault>((key(row, 0)?, node))))
    })
    .await?;
    found.into_iter().flatten().collect()
}

pub(super) const NODES_OF: &str = concat!(
    "SELECT store, seq, ",
    node_of_job!(),
    " FROM unnest($1::bigint[], $2::bigint[]) AS asked (store, seq) JOIN jobs USING (store, seq)"
);

async fn unpushed(
    db: &impl GenericClient,
    until: Timestamp,
    past: Option<(Timestamp, JobKey)>,
    rows: u32,
) -> Result<Vec<Overdue>, Fault> {
    let (from, store, seq) =
        past.map_or((i64::MIN, 0, 0), |(at, key)| (ms_not_before(at), key.store.0, key.seq));
    let params = [&ms(until) as _, &from as _, &store as _, &seq as _, &limit(rows) as _];
    let read = |row: &_| Ok(Overdue { job: jobs::read(row)?, node: node(row)? });
    all_readable(db, UNPUSHED, &params, read).await
}

pub(super) const UNPUSHED: &str = concat!(
    "SELECT ",
    columns!(),
    ", ",
    node_of_job!(),
    " FROM (SELECT * FROM jobs WHERE next_push_at < $1
             AND (next_push_at, store, seq) > ($2::bigint, $3::bigint, $4::bigint)
         ORDER BY next_push_at, store, seq LIMIT $5) AS jobs
     ORDER BY next_push_at, store, seq"
);

async fn cancels(db: &impl GenericClient, node: NodeNo, rows: u32) -> Result<Vec<Job>, Fault> {
    all_readable(db, CANCELS, &[&node.0, &limit(rows)], jobs::read).await
}

pub(super) const CANCELS: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs WHERE state = 'cancel_requested' AND $1 = ",
    node_of_job!(),
    " ORDER BY created_at LIMIT $2"
);

async fn late(
    db: &impl GenericClient,
    now: Timestamp,
    leftovers: Timestamp,
    rows: u32,
) -> Result<Vec<Job>, Fault> {
    let params = [&ms(now) as _, &ms(leftovers) as _, &limit(rows) as _];
    all_readable(db, LATE, &params, jobs::read).await
}

pub(super) const LATE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM jobs WHERE deadline_at <= $1 AND (state = 'parked' OR deadline_at <= $2) AND ",
    open!(),
    " ORDER BY deadline_at, store, seq LIMIT $3"
);
