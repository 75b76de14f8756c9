//! How late deadlines are, looked at from outside: a reader of the same file that sees a row change when
//! the change is durable.

use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Result, ensure};
use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;

use crate::latencies::Latencies;
use crate::sleepers::Late;

/// How often it looks.
const LOOK: Duration = Duration::from_micros(200);

/// What was seen of a store's jobs.
pub struct Seen {
    /// From the deadline to the durable row.
    pub durable: Late,
    /// From the deadline to the decision, as the row tells it.
    pub decided: Late,
}

/// Watches a store whose jobs are numbered in the order of their deadlines, until an instant.
pub fn watch(database: &Path, store: i64, until: Timestamp) -> Result<Seen> {
    let db = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let (mut durable, mut decided, mut count) = (Latencies::default(), Latencies::default(), 0);
    let (mut version, mut last) = (0, 0);
    while SystemClock.now() < until {
        thread::sleep(LOOK);
        let is: i64 = db.pragma_query_value(None, "data_version", |row| row.get(0))?;
        if std::mem::replace(&mut version, is) == is {
            continue;
        }
        for (seq, deadline_at, changed_at) in timed_out(&db, store, last)? {
            durable.note(late(deadline_at, SystemClock.now())?);
            decided.note(late(deadline_at, changed_at)?);
            (last, count) = (seq, count + 1);
        }
    }
    Ok(Seen { durable: Late::of(count, &durable), decided: Late::of(count, &decided) })
}

fn timed_out(db: &Connection, store: i64, after: i64) -> Result<Vec<(i64, Timestamp, Timestamp)>> {
    let mut statement = db.prepare_cached(
        "SELECT seq, deadline_at, changed_at FROM jobs INDEXED BY jobs_by_state
         WHERE store = ?1 AND state = 'timed_out' AND seq > ?2 ORDER BY seq",
    )?;
    let mut rows = statement.query([store, after])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let at = |column| -> Result<_> { Ok(Timestamp::from_millisecond(row.get(column)?)?) };
        found.push((row.get(0)?, at(1)?, at(2)?));
    }
    Ok(found)
}

fn late(deadline: Timestamp, at: Timestamp) -> Result<Duration> {
    ensure!(at >= deadline, "due at {deadline}, too late at {at} already");
    Ok(Duration::try_from(at.duration_since(deadline))?)
}
