//! What goes with time: bodies of jobs that ended, and webhooks that are settled. Ids, fingerprints and
//! the books stay.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, params};

use super::columns::{limit, ms, run};
use super::fault::Fault;

/// Deletes up to `rows` of what ended before `before`; how many were deleted.
pub(super) fn drop_old(db: &Connection, before: Timestamp, rows: u32) -> Result<u64, Fault> {
    let before = ms(before);
    let bodies = run(db, DROP_BODIES, params![before, limit(rows)])?;
    let left = limit(rows) - i64::try_from(bodies).unwrap_or(i64::MAX);
    let deliveries = run(db, DROP_DELIVERIES, params![before, left])?;
    u64::try_from(bodies + deliveries).map_err(Fault::unreadable)
}

/// The body of a job that still goes to its register, held, is kept.
pub(super) const DROP_BODIES: &str = concat!(
    "DELETE FROM job_bodies WHERE rowid IN (
         SELECT b.rowid FROM job_bodies b CROSS JOIN jobs j ON j.store = b.store AND j.seq = b.seq
         WHERE b.created_at < ?1 AND j.changed_at < ?1 AND j.hold_at_return = 0 AND NOT ",
    super::schedule::open!(),
    " ORDER BY b.created_at LIMIT ?2)"
);
pub(super) const DROP_DELIVERIES: &str = "DELETE FROM hook_deliveries WHERE id IN (
    SELECT id FROM hook_deliveries WHERE settled_at < ?1 ORDER BY settled_at LIMIT ?2)";
