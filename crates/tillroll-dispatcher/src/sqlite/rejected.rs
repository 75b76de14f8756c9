//! What was refused, for the head office's list.

use tillroll_sqlite::rusqlite::{Connection, Row, params};
use tillroll_wire::Code;

use super::columns::{all_readable, at, fingerprint, limit, optional_word};
use super::fault::Fault;
use crate::job::StoreNo;
use crate::store::RejectedRecord;

/// Refused records of a store, newest first, before a number.
pub(super) fn list(
    db: &Connection,
    store: StoreNo,
    before: Option<i64>,
    rows: u32,
) -> Result<Vec<RejectedRecord>, Fault> {
    let params = params![store.0, before.unwrap_or(i64::MAX), limit(rows)];
    all_readable(db, NEWEST, params, read)
}

fn read(row: &Row<'_>) -> Result<RejectedRecord, Fault> {
    Ok(RejectedRecord {
        seq: row.get(0)?,
        register: row.get(1)?,
        request_id: row.get(2)?,
        kind: row.get(3)?,
        fingerprint: fingerprint(row, 4)?,
        flow_no: row.get(5)?,
        epoch: row.get(6)?,
        recorded_at: at(row, 7)?,
        judged_at: at(row, 8)?,
        code: row.get_ref(9)?.as_str().map(Code::of).map_err(Fault::unreadable)?,
        detail: row.get::<_, Option<String>>(10)?.unwrap_or_default(),
        day: optional_word(row, 11)?,
    })
}

pub(super) const NEWEST: &str =
    "SELECT r.seq, g.name, r.request_id, r.kind, r.fingerprint, r.flow_no,
        r.epoch, r.recorded_at, r.judged_at, r.code, r.detail, r.day
    FROM records r INDEXED BY records_refused
    CROSS JOIN registers g ON g.store = r.store AND g.register = r.register
    WHERE r.store = ?1 AND r.seq < ?2 AND r.verdict = 'rejected' ORDER BY r.seq DESC LIMIT ?3";
