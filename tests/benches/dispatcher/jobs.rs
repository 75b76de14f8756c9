//! A million rows of jobs, written as they would lie there.

use std::time::Duration;

use anyhow::Result;
use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::chain::Chain;

/// When jobs are too late: `near` of them come due evenly from `begin` on, the others as evenly
/// from `far` on.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Deadlines {
    /// Jobs that come due soon.
    pub near: i64,
    /// All other jobs.
    pub others: i64,
    /// When the first one is due.
    pub begin: Timestamp,
    /// When the first one of the others is due.
    pub far: Timestamp,
}

/// Time from one deadline to the next, in microseconds: a million in an hour.
pub const APART_US: i64 = 3_600;

impl Deadlines {
    /// Jobs.
    pub fn count(&self) -> i64 {
        self.near + self.others
    }

    /// When job `number` is due, from 0.
    pub fn of(&self, number: i64) -> Timestamp {
        let (begin, nth) =
            if number < self.near { (self.begin, number) } else { (self.far, number - self.near) };
        begin + Duration::from_micros((nth * APART_US).unsigned_abs())
    }
}

/// Stores without jobs that come due late.
const NEAR_STORES: i64 = 2;

/// How the rows stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// Their registers are away.
    Parked,
    /// Their printers cannot take them now.
    Scheduled,
}

/// Writes the jobs that come due late, spread over all stores but the first two.
///
/// Bodies are left out: nothing here reads one.
pub fn write_far(chain: &Chain, deadlines: &Deadlines, stand: Stand) -> Result<()> {
    let stores = i64::try_from(chain.shops.len())? - NEAR_STORES;
    let each = deadlines.others / stores;
    let place = Place { store: "3 + n / ?7", seq: "1 + n % ?7", nth: "n % ?7 * ?8 + n / ?7" };
    let rows = Rows { count: each * stores, first: deadlines.far, stand, each, stores };
    write(chain, &place, &rows)
}

/// Writes those that come due soon to one of the first stores, numbered in the order of their deadlines.
pub fn write_near(chain: &Chain, deadlines: &Deadlines, store: i64) -> Result<()> {
    let (store, stand) = (store.to_string(), Stand::Parked);
    let place = Place { store: &store, seq: "1 + n", nth: "n % ?7 * ?8" };
    let count = deadlines.near;
    write(chain, &place, &Rows { count, first: deadlines.begin, stand, each: count, stores: 1 })
}

/// Where row `n` goes: its store, its number there, and which deadline it has.
struct Place<'a> {
    store: &'a str,
    seq: &'static str,
    nth: &'static str,
}

struct Rows {
    count: i64,
    first: Timestamp,
    stand: Stand,
    each: i64,
    stores: i64,
}

fn write(chain: &Chain, place: &Place<'_>, rows: &Rows) -> Result<()> {
    let db = Connection::open(chain.database())?;
    db.execute_batch("PRAGMA synchronous=OFF; PRAGMA cache_size=-262144")?;
    let state = match rows.stand {
        Stand::Parked => "parked",
        Stand::Scheduled => "scheduled",
    };
    let first = rows.first.as_millisecond() * 1_000;
    let sql = insert(place);
    let Rows { count, each, stores, .. } = *rows;
    db.execute(&sql, params![count, first, APART_US, state, chain.api_key, 0, each, stores])?;
    db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    db.close().map_err(|(_, error)| error)?;
    Ok(())
}

fn insert(Place { store, seq, nth }: &Place<'_>) -> String {
    format!(
        "WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?1)
         INSERT INTO jobs (store, seq, job_id, kind, fingerprint, api_key, printer, state,
             after_deadline, created_at, deadline_at, next_push_at, changed_at)
         SELECT {store}, {seq}, printf('S%d:%09d:kitchen:v1', {store}, n), 'kitchen', randomblob(32),
             ?5, 'front-1', ?4, 'hold', ?6, (?2 + ({nth}) * ?3 + 999) / 1000,
             iif(?4 = 'scheduled', ?6, NULL), ?6
         FROM numbers"
    )
}
