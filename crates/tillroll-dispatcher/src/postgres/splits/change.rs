//! Changes of splits' rows, many at a time: each only against the version it was made from, each recorded.

use std::collections::HashMap;

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tillroll_domain::splits::{Call, SplitState};

use super::{columns, read};
use crate::job::StoreNo;
use crate::postgres::columns::{
    all, at, column, get, limit, ms, ms_not_before, optional_word, run, text, word,
};
use crate::postgres::fault::Fault;
use crate::splits::{Split, SplitChange, SplitChanged, SplitKey, SplitRecord};

/// Applies changes of different rows; each that comes too late is given back with the row as it is.
pub(super) async fn apply(
    db: &Transaction<'_>,
    changes: &[SplitChange],
) -> Result<Vec<SplitChanged>, Fault> {
    let mut was = lock(db, changes).await?;
    let fits = |change: &&SplitChange| {
        was.get(&change.key).is_some_and(|split| split.version == change.version)
    };
    let fitting: Vec<_> = changes.iter().filter(fits).collect();
    let mut done = update(db, &fitting).await?;
    record(db, &fitting).await?;
    tell_refunds(db, &done, &fitting).await?;
    let answer = |change: &SplitChange| match (done.remove(&change.key), was.remove(&change.key)) {
        (Some(split), _) => SplitChanged::Done(split),
        (None, Some(split)) => SplitChanged::Stale(split),
        (None, None) => SplitChanged::Gone(change.key),
    };
    Ok(changes.iter().map(answer).collect())
}

/// Refunds that were confirmed before their original was paid are due now, or taken back with it.
async fn tell_refunds(
    db: &Transaction<'_>,
    done: &HashMap<SplitKey, Split>,
    changes: &[&SplitChange],
) -> Result<(), Fault> {
    let Some(now) = changes.first().map(|change| change.now) else { return Ok(()) };
    let ended = done.values().filter(|split| split.may_be_waited_for());
    let (paid, canceled): (Vec<&Split>, Vec<&Split>) =
        ended.partition(|split| split.facts.state == SplitState::Succeeded);
    if !paid.is_empty() {
        let params = [&stores(&paid) as _, &ids(&paid) as _, &ms(now) as _];
        run(db, RELEASE, &params).await?;
    }
    if canceled.is_empty() {
        return Ok(());
    }
    let waiting = all(db, WAITING_REFUNDS, &[&stores(&canceled), &ids(&canceled)], read).await?;
    let changes: Result<Vec<_>, _> =
        waiting.iter().map(|refund| refund.canceled_with_original(now)).collect();
    let changes = changes.map_err(Fault::unreadable)?;
    let changes: Vec<_> = changes.iter().collect();
    update(db, &changes).await?;
    record(db, &changes).await
}

fn stores(splits: &[&Split]) -> Vec<i64> {
    column(splits, |split| split.key.store.0)
}

fn ids<'a>(splits: &[&'a Split]) -> Vec<&'a str> {
    splits.iter().map(|split| split.id.as_str()).collect()
}

pub(in crate::postgres) const RELEASE: &str = "UPDATE splits SET due_at = $3, window_at = $3
    FROM unnest($1::bigint[], $2::text[]) AS original (of_store, of_id)
    WHERE store = of_store AND of_split = of_id AND state = 'init' AND confirmed AND due_at IS NULL";
pub(in crate::postgres) const WAITING_REFUNDS: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM unnest($1::bigint[], $2::text[]) AS original (of_store, of_id)
         JOIN splits ON splits.store = of_store AND of_split = of_id
     WHERE state = 'init' AND confirmed AND due_at IS NULL
     ORDER BY splits.store, splits.seq FOR NO KEY UPDATE OF splits"
);

/// Locks rows in the order of their keys, so that two batches never wait for each other in a ring.
async fn lock(
    db: &Transaction<'_>,
    changes: &[SplitChange],
) -> Result<HashMap<SplitKey, Split>, Fault> {
    let params = [
        &column(changes, |change| change.key.store.0) as _,
        &column(changes, |change| change.key.seq) as _,
    ];
    let rows = all(db, LOCK, &params, read).await?;
    Ok(rows.into_iter().map(|split| (split.key, split)).collect())
}

pub(in crate::postgres) const LOCK: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM unnest($1::bigint[], $2::bigint[]) AS asked (store, seq)
         JOIN splits ON splits.store = asked.store AND splits.seq = asked.seq
     ORDER BY splits.store, splits.seq FOR NO KEY UPDATE OF splits"
);

async fn update(
    db: &Transaction<'_>,
    changes: &[&SplitChange],
) -> Result<HashMap<SplitKey, Split>, Fault> {
    if changes.is_empty() {
        return Ok(HashMap::new());
    }
    let params = [
        &column(changes, |change| change.key.store.0) as _,
        &column(changes, |change| change.key.seq) as _,
        &column(changes, |change| change.version) as _,
        &column(changes, |change| change.facts.state.as_str()) as _,
        &column(changes, |change| change.reason.map(|reason| reason.as_str())) as _,
        &column(changes, |change| change.facts.confirmed) as _,
        &column(changes, |change| i64::from(change.facts.tries)) as _,
        &column(changes, |change| change.facts.doubtful) as _,
        &column(changes, |change| change.facts.by_hand) as _,
        &column(changes, |change| change.due_at.map(ms_not_before)) as _,
        &column(changes, |change| change.window_at.map(ms)) as _,
        &column(changes, |change| ms(change.now)) as _,
    ];
    let rows = all(db, UPDATE, &params, read).await?;
    Ok(rows.into_iter().map(|split| (split.key, split)).collect())
}

pub(in crate::postgres) const UPDATE: &str = concat!(
    "UPDATE splits SET state = to_state, reason = to_reason, confirmed = to_confirmed,
         tries = to_tries, doubtful = to_doubtful, by_hand = to_by_hand, due_at = to_due_at,
         window_at = to_window_at, changed_at = to_changed_at, version = version + 1
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::boolean[],
             $7::bigint[], $8::boolean[], $9::boolean[], $10::bigint[], $11::bigint[], $12::bigint[])
         AS change (of_store, of_seq, of_version, to_state, to_reason, to_confirmed, to_tries,
             to_doubtful, to_by_hand, to_due_at, to_window_at, to_changed_at)
     WHERE store = of_store AND seq = of_seq AND version = of_version RETURNING ",
    columns!()
);

async fn record(db: &Transaction<'_>, changes: &[&SplitChange]) -> Result<(), Fault> {
    if changes.is_empty() {
        return Ok(());
    }
    let params = [
        &column(changes, |change| change.key.store.0) as _,
        &column(changes, |change| change.key.seq) as _,
        &column(changes, |change| change.version + 1) as _,
        &column(changes, |change| change.event) as _,
        &column(changes, |change| change.facts.state.as_str()) as _,
        &column(changes, |change| change.reason.map(|reason| reason.as_str())) as _,
        &column(changes, |change| change.by.as_deref().map(text)) as _,
        &column(changes, |change| change.note.as_deref().map(text)) as _,
        &column(changes, |change| ms(change.now)) as _,
    ];
    run(db, RECORD, &params).await.map(drop)
}

const RECORD: &str = "INSERT INTO split_changes (store, seq, version, event, state, reason, changed_by, note,
         changed_at)
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[],
         $7::text[], $8::text[], $9::bigint[])";

/// Claims what is due and nobody else is claiming.
pub(super) async fn claim(
    db: &Transaction<'_>,
    now: Timestamp,
    rows: u32,
) -> Result<Vec<(Split, Option<Call>)>, Fault> {
    let due = all(db, CLAIM, &[&ms(now), &limit(rows)], read).await?;
    let changes: Result<Vec<_>, _> = due.iter().map(|split| split.claimed(now)).collect();
    let changes = changes.map_err(Fault::unreadable)?;
    let mut done = update(db, &changes.iter().collect::<Vec<_>>()).await?;
    record(db, &changes.iter().collect::<Vec<_>>()).await?;
    let claimed = |change: &SplitChange| Some((done.remove(&change.key)?, change.call));
    Ok(changes.iter().filter_map(claimed).collect())
}

pub(in crate::postgres) const CLAIM: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM splits WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED"
);

/// Rows that somebody else holds are theirs.
pub(super) async fn hasten(
    db: &impl GenericClient,
    now: Timestamp,
    rows: u32,
) -> Result<u64, Fault> {
    run(db, HASTEN, &[&ms(now), &limit(rows)]).await
}

pub(in crate::postgres) const HASTEN: &str = "WITH waiting AS (
        SELECT store, seq FROM splits WHERE due_at > $1 AND state = 'retryable_failed'
        ORDER BY due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE splits SET due_at = $1 FROM waiting
    WHERE splits.store = waiting.store AND splits.seq = waiting.seq";

pub(super) async fn history(
    db: &impl GenericClient,
    key: SplitKey,
) -> Result<Vec<SplitRecord>, Fault> {
    let SplitKey { store: StoreNo(store), seq } = key;
    let sql =
        "SELECT version, event, state, reason, changed_by, note, changed_at FROM split_changes
        WHERE store = $1 AND seq = $2 ORDER BY version";
    all(db, sql, &[&store, &seq], |row| {
        Ok(SplitRecord {
            version: get(row, 0)?,
            event: get(row, 1)?,
            state: word(row, 2)?,
            reason: optional_word(row, 3)?,
            by: get(row, 4)?,
            note: get(row, 5)?,
            at: at(row, 6)?,
        })
    })
    .await
}
