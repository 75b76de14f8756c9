//! Webhooks: where a key's go, and the deliveries that wait.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, params};

use super::columns::{all_readable, at, limit, ms, ms_not_before, run, run_on_one};
use super::fault::Fault;
use super::registers;
use crate::job::Job;
use crate::store::{GivenUp, Hook, HookDelivery};

/// Sets where a key's webhooks go; what waits goes there too.
pub(super) fn set(db: &Connection, hook: &Hook) -> Result<(), Fault> {
    let sql = "INSERT INTO hooks (api_key, url, secret)
         SELECT id, ?2, ?3 FROM api_keys WHERE id = ?1 AND revoked_at IS NULL
         ON CONFLICT (api_key) DO UPDATE SET url = ?2, secret = ?3";
    run_on_one(db, sql, params![hook.api_key, hook.url, hook.secret], "there is no such key")
}

/// Queues the delivery of a job's end for the key that sent it, if it has a hook: once for each state,
/// and once more if a late result brought it.
pub(super) fn queue(db: &Connection, api_key: i64, job: &Job, now: Timestamp) -> Result<(), Fault> {
    let register = job.register.map(|register| registers::name(db, register)).transpose()?;
    let view = job.view(register.flatten().as_deref(), false);
    let body = serde_json::to_string(&view).map_err(Fault::unreadable)?;
    let key = job.key;
    run(
        db,
        QUEUE,
        params![key.store.0, key.seq, job.state.as_str(), job.late, api_key, body, ms(now)],
    )
    .map(drop)
}

const QUEUE: &str =
    "INSERT INTO hook_deliveries (store, seq, state, late, api_key, body, created_at, due_at)
     SELECT ?1, ?2, ?3, ?4, api_key, ?6, ?7, ?7 FROM hooks WHERE api_key = ?5
     ON CONFLICT (store, seq, state, late) DO NOTHING";

/// Deliveries due, the one due longest first.
pub(super) fn due(db: &Connection, now: Timestamp, rows: u32) -> Result<Vec<HookDelivery>, Fault> {
    all_readable(db, DUE, params![ms(now), limit(rows)], |row| {
        let hook = Hook { api_key: row.get(1)?, url: row.get(2)?, secret: row.get(3)? };
        Ok(HookDelivery {
            id: row.get(0)?,
            hook,
            body: row.get(4)?,
            tries: row.get(5)?,
            created_at: at(row, 6)?,
        })
    })
}

pub(super) const DUE: &str =
    "SELECT d.id, d.api_key, h.url, h.secret, d.body, d.tries, d.created_at
    FROM hook_deliveries d CROSS JOIN hooks h ON h.api_key = d.api_key
    WHERE d.due_at <= ?1 ORDER BY d.due_at, d.id LIMIT ?2";

/// Settles a try: delivered, again later, or given up. One that was settled before stays as it is.
pub(super) fn settle(
    db: &Connection,
    id: i64,
    delivered: bool,
    again_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), Fault> {
    let again_at = again_at.filter(|_| !delivered).map(ms_not_before);
    let settled_at = again_at.is_none().then(|| ms(now));
    let outcome = settled_at.map(|_| if delivered { "delivered" } else { "given_up" });
    let sql = "UPDATE hook_deliveries SET
             tries = tries + (due_at IS NOT NULL),
             settled_at = CASE WHEN due_at IS NULL THEN settled_at ELSE ?3 END,
             outcome = CASE WHEN due_at IS NULL THEN outcome ELSE ?4 END,
             due_at = CASE WHEN due_at IS NULL THEN NULL ELSE ?2 END
         WHERE id = ?1";
    run_on_one(db, sql, params![id, again_at, settled_at, outcome], "there is no such delivery")
}

/// Deliveries that were given up, newest first.
pub(super) fn given_up(db: &Connection, rows: u32) -> Result<Vec<GivenUp>, Fault> {
    all_readable(db, GIVEN_UP, [limit(rows)], |row| {
        Ok(GivenUp {
            id: row.get(0)?,
            api_key: row.get(1)?,
            body: row.get(2)?,
            tries: row.get(3)?,
            created_at: at(row, 4)?,
            given_up_at: at(row, 5)?,
        })
    })
}

pub(super) const GIVEN_UP: &str =
    "SELECT id, api_key, body, tries, created_at, settled_at FROM hook_deliveries
    WHERE outcome = 'given_up' ORDER BY settled_at DESC, id DESC LIMIT ?1";

/// Ends the webhooks of a key: nothing more goes out.
pub(super) fn end(db: &Connection, api_key: i64, now: Timestamp) -> Result<(), Fault> {
    let give_up = "UPDATE hook_deliveries SET due_at = NULL, settled_at = ?2, outcome = 'given_up'
         WHERE api_key = ?1 AND due_at IS NOT NULL";
    run(db, give_up, params![api_key, ms(now)])?;
    run(db, "DELETE FROM hooks WHERE api_key = ?1", [api_key]).map(drop)
}
