//! Webhooks: where a key's go, and the deliveries that wait.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;

use super::columns::{
    all, all_readable, at, column, get, get_u32, limit, ms, ms_not_before, run, run_on_one,
};
use super::fault::Fault;
use crate::job::Job;
use crate::store::{GivenUp, Hook, HookDelivery};

/// Sets where a key's webhooks go; what waits goes there too. The key is held against its revocation.
pub(super) async fn set(db: &impl GenericClient, hook: &Hook) -> Result<(), Fault> {
    let sql = "INSERT INTO hooks (api_key, url, secret)
         SELECT id, $2, $3 FROM api_keys WHERE id = $1 AND revoked_at IS NULL FOR SHARE
         ON CONFLICT (api_key) DO UPDATE SET url = excluded.url, secret = excluded.secret";
    let params = [&hook.api_key as _, &hook.url as _, &hook.secret as _];
    run_on_one(db, sql, &params, "there is no such key").await
}

/// A job that ended, and the key that sent it.
pub(super) struct End<'a> {
    pub(super) api_key: i64,
    pub(super) job: &'a Job,
}

/// An end that is told, in the words it is told in.
struct Told<'a> {
    end: &'a End<'a>,
    body: String,
}

/// Queues the deliveries of jobs' ends for the keys that sent them, if they have a hook: once for each
/// state, and once more if a late result brought it.
pub(super) async fn queue(
    db: &Transaction<'_>,
    ends: &[End<'_>],
    now: Timestamp,
) -> Result<(), Fault> {
    let told = told(db, ends).await?;
    if told.is_empty() {
        return Ok(());
    }
    let params = [
        &column(&told, |told| told.end.job.key.store.0) as _,
        &column(&told, |told| told.end.job.key.seq) as _,
        &column(&told, |told| told.end.job.state.as_str()) as _,
        &column(&told, |told| told.end.job.late) as _,
        &column(&told, |told| told.end.api_key) as _,
        &column(&told, |told| told.body.as_str()) as _,
        &ms(now) as _,
    ];
    run(db, QUEUE, &params).await.map(drop)
}

const QUEUE: &str =
    "INSERT INTO hook_deliveries (store, seq, state, late, api_key, body, created_at, due_at)
     SELECT store, seq, state, late, api_key, body, $7, $7
     FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::boolean[], $5::bigint[], $6::text[])
         AS told (store, seq, state, late, api_key, body)
     ON CONFLICT (store, seq, state, late) DO NOTHING";

/// The ends whose keys have a hook.
async fn told<'a>(db: &Transaction<'_>, ends: &'a [End<'_>]) -> Result<Vec<Told<'a>>, Fault> {
    if ends.is_empty() {
        return Ok(Vec::new());
    }
    let params = [
        &column(ends, |end| end.api_key) as _,
        &column(ends, |end| end.job.key.store.0) as _,
        &column(ends, |end| end.job.register.map(|register| register.no)) as _,
    ];
    let heard = all(db, LISTENERS, &params, |row| {
        let place = usize::try_from(get::<i64>(row, 0)? - 1).map_err(Fault::unreadable)?;
        Ok((place, get::<Option<String>>(row, 1)?))
    });
    let told = |(place, register): (usize, Option<String>)| {
        let end = ends.get(place)?;
        let body = serde_json::to_string(&end.job.view(register.as_deref(), false));
        Some(body.map(|body| Told { end, body }).map_err(Fault::unreadable))
    };
    heard.await?.into_iter().filter_map(told).collect()
}

/// Held against the revocation of their keys, which ends what it finds queued.
const LISTENERS: &str = "SELECT place, name
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
             WITH ORDINALITY AS ended (api_key, store, register, place)
         JOIN hooks USING (api_key) LEFT JOIN registers USING (store, register)
     ORDER BY place FOR KEY SHARE OF hooks";

/// Deliveries due, the one due longest first.
pub(super) async fn due(
    db: &impl GenericClient,
    now: Timestamp,
    rows: u32,
) -> Result<Vec<HookDelivery>, Fault> {
    all_readable(db, DUE, &[&ms(now), &limit(rows)], |row| {
        let hook = Hook { api_key: get(row, 1)?, url: get(row, 2)?, secret: get(row, 3)? };
        Ok(HookDelivery {
            id: get(row, 0)?,
            hook,
            body: get(row, 4)?,
            tries: get_u32(row, 5)?,
            created_at: at(row, 6)?,
        })
    })
    .await
}

pub(super) const DUE: &str =
    "SELECT d.id, d.api_key, h.url, h.secret, d.body, d.tries, d.created_at
    FROM hook_deliveries d JOIN hooks h ON h.api_key = d.api_key
    WHERE d.due_at <= $1 ORDER BY d.due_at, d.id LIMIT $2";

/// Settles a try: delivered, again later, or given up. One that was settled before stays as it is.
pub(super) async fn settle(
    db: &impl GenericClient,
    id: i64,
    delivered: bool,
    again_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), Fault> {
    let again_at = again_at.filter(|_| !delivered).map(ms_not_before);
    let settled_at = again_at.is_none().then(|| ms(now));
    let outcome = settled_at.map(|_| if delivered { "delivered" } else { "given_up" });
    let params = [&id as _, &again_at as _, &settled_at as _, &outcome as _];
    run_on_one(db, SETTLE, &params, "there is no such delivery").await
}

pub(super) const SETTLE: &str = "UPDATE hook_deliveries SET
         tries = tries + CASE WHEN due_at IS NULL THEN 0 ELSE 1 END,
         settled_at = CASE WHEN due_at IS NULL THEN settled_at ELSE $3::bigint END,
         outcome = CASE WHEN due_at IS NULL THEN outcome ELSE $4::text END,
         due_at = CASE WHEN due_at IS NULL THEN NULL ELSE $2::bigint END
     WHERE id = $1";

/// Deliveries that were given up, newest first.
pub(super) async fn given_up(db: &impl GenericClient, rows: u32) -> Result<Vec<GivenUp>, Fault> {
    all_readable(db, GIVEN_UP, &[&limit(rows)], |row| {
        Ok(GivenUp {
            id: get(row, 0)?,
            api_key: get(row, 1)?,
            body: get(row, 2)?,
            tries: get_u32(row, 3)?,
            created_at: at(row, 4)?,
            given_up_at: at(row, 5)?,
        })
    })
    .await
}

pub(super) const GIVEN_UP: &str =
    "SELECT id, api_key, body, tries, created_at, settled_at FROM hook_deliveries
    WHERE outcome = 'given_up' ORDER BY settled_at DESC, id DESC LIMIT $1";

/// Ends the webhooks of a key: nothing more goes out. The hook goes first: whoever holds it has queued
/// by then, and whoever comes later finds none.
pub(super) async fn end(db: &Transaction<'_>, api_key: i64, now: Timestamp) -> Result<(), Fault> {
    run(db, "DELETE FROM hooks WHERE api_key = $1", &[&api_key]).await?;
    let give_up = "UPDATE hook_deliveries SET due_at = NULL, settled_at = $2, outcome = 'given_up'
         WHERE api_key = $1 AND due_at IS NOT NULL";
    run(db, give_up, &[&api_key, &ms(now)]).await.map(drop)
}
