//! What was refused, for the head office's list.

use deadpool_postgres::GenericClient;
use tillroll_wire::Code;
use tokio_postgres::Row;

use super::columns::{all_readable, at, fingerprint, get, get_u32, limit, optional_word};
use super::fault::Fault;
use crate::job::StoreNo;
use crate::store::RejectedRecord;

/// Refused records of a store, newest first, before a number.
pub(super) async fn list(
    db: &impl GenericClient,
    store: StoreNo,
    before: Option<i64>,
    rows: u32,
) -> Result<Vec<RejectedRecord>, Fault> {
    let before = before.unwrap_or(i64::MAX);
    all_readable(db, NEWEST, &[&store.0, &before, &limit(rows)], read).await
}

fn read(row: &Row) -> Result<RejectedRecord, Fault> {
    Ok(RejectedRecord {
        seq: get(row, 0)?,
        register: get(row, 1)?,
        request_id: get(row, 2)?,
        kind: get(row, 3)?,
        fingerprint: fingerprint(row, 4)?,
        flow_no: get(row, 5)?,
        epoch: get_u32(row, 6)?,
        recorded_at: at(row, 7)?,
        judged_at: at(row, 8)?,
        code: Code::of(get(row, 9)?),
        detail: get::<Option<String>>(row, 10)?.unwrap_or_default(),
        day: optional_word(row, 11)?,
    })
}

pub(super) const NEWEST: &str =
    "SELECT r.seq, g.name, r.request_id, r.kind, r.fingerprint, r.flow_no,
        r.epoch, r.recorded_at, r.judged_at, r.code, r.detail, r.day
    FROM records r JOIN registers g ON g.store = r.store AND g.register = r.register
    WHERE r.store = $1 AND r.seq < $2 AND r.verdict = 'rejected' ORDER BY r.seq DESC LIMIT $3";
