//! Changes of splits' rows: each only against the version it was made from, each recorded.

use jiff::Timestamp;
use tillroll_domain::splits::{Call, SplitState};
use tillroll_sqlite::rusqlite::{Connection, params};

use super::{columns, read};
use crate::splits::{Split, SplitChange, SplitChanged, SplitKey, SplitRecord};
use crate::sqlite::columns::{all, at, first, limit, ms, ms_not_before, optional_word, run, word};
use crate::sqlite::fault::Fault;

pub(super) fn apply(db: &Connection, change: &SplitChange) -> Result<SplitChanged, Fault> {
    let key = change.key;
    if let Some(done) = update(db, change)? {
        record(db, change)?;
        if done.may_be_waited_for() {
            tell_refunds(db, &done, change.now)?;
        }
        return Ok(SplitChanged::Done(done));
    }
    let found = first(db, BY_KEY, params![key.store.0, key.seq], read)?;
    Ok(found.map_or(SplitChanged::Gone(key), SplitChanged::Stale))
}

/// Refunds that were confirmed before their original was paid are due now, or taken back with it.
fn tell_refunds(db: &Connection, original: &Split, now: Timestamp) -> Result<(), Fault> {
    let of = params![original.key.store.0, original.id];
    if original.facts.state == SplitState::Succeeded {
        let params = params![original.key.store.0, original.id, ms(now)];
        return run(db, RELEASE, params).map(drop);
    }
    for refund in all(db, WAITING_REFUNDS, of, read)? {
        let change = refund.canceled_with_original(now).map_err(Fault::unreadable)?;
        apply(db, &change)?;
    }
    Ok(())
}

pub(in crate::sqlite) const RELEASE: &str =
    "UPDATE splits INDEXED BY splits_waiting SET due_at = ?3, window_at = ?3
     WHERE store = ?1 AND of_split = ?2 AND state = 'init' AND confirmed AND due_at IS NULL";
pub(in crate::sqlite) const WAITING_REFUNDS: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM splits INDEXED BY splits_waiting
     WHERE store = ?1 AND of_split = ?2 AND state = 'init' AND confirmed AND due_at IS NULL"
);

fn update(db: &Connection, change: &SplitChange) -> Result<Option<Split>, Fault> {
    let params = params![
        change.key.store.0,
        change.key.seq,
        change.version,
        change.facts.state.as_str(),
        change.reason.map(|reason| reason.as_str()),
        change.facts.confirmed,
        change.facts.tries,
        change.facts.doubtful,
        change.facts.by_hand,
        change.due_at.map(ms_not_before),
        change.window_at.map(ms),
        ms(change.now),
    ];
    first(db, UPDATE, params, read)
}

const UPDATE: &str = concat!(
    "UPDATE splits SET state = ?4, reason = ?5, confirmed = ?6, tries = ?7, doubtful = ?8, by_hand = ?9,
         due_at = ?10, window_at = ?11, changed_at = ?12, version = version + 1
     WHERE store = ?1 AND seq = ?2 AND version = ?3 RETURNING ",
    columns!()
);
const BY_KEY: &str = concat!("SELECT ", columns!(), " FROM splits WHERE store = ?1 AND seq = ?2");

fn record(db: &Connection, change: &SplitChange) -> Result<(), Fault> {
    let sql =
        "INSERT INTO split_changes (store, seq, version, event, state, reason, changed_by, note,
            changed_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let params = params![
        change.key.store.0,
        change.key.seq,
        change.version + 1,
        change.event,
        change.facts.state.as_str(),
        change.reason.map(|reason| reason.as_str()),
        change.by,
        change.note,
        ms(change.now),
    ];
    run(db, sql, params).map(drop)
}

pub(super) fn is_any_due(db: &Connection, now: Timestamp) -> Result<bool, Fault> {
    Ok(first(db, DUE, params![ms(now), 1], |_| Ok(()))?.is_some())
}

/// Claims what is due. One writer at a time works here, so no other asker can have it too.
pub(super) fn claim(
    db: &Connection,
    now: Timestamp,
    rows: u32,
) -> Result<Vec<(Split, Option<Call>)>, Fault> {
    let mut claimed = Vec::new();
    for split in all(db, DUE, params![ms(now), limit(rows)], read)? {
        let change = split.claimed(now).map_err(Fault::unreadable)?;
        if let SplitChanged::Done(split) = apply(db, &change)? {
            claimed.push((split, change.call));
        }
    }
    Ok(claimed)
}

pub(in crate::sqlite) const DUE: &str =
    concat!("SELECT ", columns!(), " FROM splits WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2");

pub(super) fn hasten(db: &Connection, now: Timestamp, rows: u32) -> Result<u64, Fault> {
    let changed = run(db, HASTEN, params![ms(now), limit(rows)])?;
    u64::try_from(changed).map_err(Fault::unreadable)
}

pub(in crate::sqlite) const HASTEN: &str = "UPDATE splits SET due_at = ?1 WHERE (store, seq) IN (
        SELECT store, seq FROM splits WHERE due_at > ?1 AND state = 'retryable_failed'
        ORDER BY due_at LIMIT ?2)";

pub(super) fn history(db: &Connection, key: SplitKey) -> Result<Vec<SplitRecord>, Fault> {
    let sql =
        "SELECT version, event, state, reason, changed_by, note, changed_at FROM split_changes
        WHERE store = ?1 AND seq = ?2 ORDER BY version";
    all(db, sql, params![key.store.0, key.seq], |row| {
        Ok(SplitRecord {
            version: row.get(0)?,
            event: row.get(1)?,
            state: word(row, 2)?,
            reason: optional_word(row, 3)?,
            by: row.get(4)?,
            note: row.get(5)?,
            at: at(row, 6)?,
        })
    })
}
