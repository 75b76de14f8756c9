//! What goes with time: bodies of jobs that ended, and webhooks that are settled. Ids, fingerprints and
//! the books stay.

use deadpool_postgres::Transaction;
use jiff::Timestamp;

use super::columns::{Param, all, column, get, limit, ms, run};
use super::fault::Fault;

/// Deletes up to `rows` of what ended before `before`; how many were deleted.
pub(super) async fn drop_old(
    db: &Transaction<'_>,
    before: Timestamp,
    rows: u32,
) -> Result<u64, Fault> {
    let before = ms(before);
    let bodies = drop_rows(db, OLD_BODIES, DROP_BODIES, &[&before, &limit(rows)]).await?;
    let left = limit(rows) - i64::try_from(bodies).unwrap_or(i64::MAX);
    let old = [&before as _, &left.max(0) as _];
    let deliveries = drop_rows(db, OLD_DELIVERIES, DROP_DELIVERIES, &old).await?;
    Ok(bodies + deliveries)
}

/// Finds rows by one statement and deletes them by their keys with the other: in one, the plan for any
/// number of rows would read the whole table.
async fn drop_rows(
    db: &Transaction<'_>,
    find: &str,
    delete: &str,
    old: &[Param<'_>],
) -> Result<u64, Fault> {
    let keys = all(db, find, old, |row| Ok((get(row, 0)?, get(row, 1)?))).await?;
    if keys.is_empty() {
        return Ok(0);
    }
    let stores: Vec<i64> = column(&keys, |(store, _): &(i64, i64)| *store);
    let numbers: Vec<i64> = column(&keys, |(_, number)| *number);
    run(db, delete, &[&stores, &numbers]).await
}

/// The body of a job that still goes to its register, held, is kept.
pub(super) const OLD_BODIES: &str = concat!(
    "SELECT b.store, b.seq FROM job_bodies b JOIN jobs j ON j.store = b.store AND j.seq = b.seq
     WHERE b.created_at < $1 AND j.changed_at < $1 AND NOT j.hold_at_return AND NOT ",
    super::schedule::open!(),
    " ORDER BY b.created_at LIMIT $2"
);
pub(super) const DROP_BODIES: &str = "DELETE FROM job_bodies
    USING unnest($1::bigint[], $2::bigint[]) AS old (of_store, of_seq)
    WHERE store = of_store AND seq = of_seq";
pub(super) const OLD_DELIVERIES: &str = "SELECT store, id FROM hook_deliveries
    WHERE settled_at < $1 ORDER BY settled_at LIMIT $2";
pub(super) const DROP_DELIVERIES: &str = "DELETE FROM hook_deliveries
    USING unnest($1::bigint[], $2::bigint[]) AS old (of_store, of_id)
    WHERE store = of_store AND id = of_id";
