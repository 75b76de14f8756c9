//! The records that wait, oldest first, as they go to the head office.
//!
//! A receipt's record is its own row: its facts are read when it is sent. Where the row is about to change
//! the facts are frozen first, so that a record sent again reads as it did.

use std::collections::BTreeMap;

use jiff::Timestamp;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::outbox::RecordKind;
use tillroll_sqlite::rusqlite::{Connection, Row, params};
use tillroll_wire::record::{ReceiptFact, Record};

use crate::columns::{all, at, ms, word};
use crate::{Store, StoreError};

/// Row of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub i64);

/// A record that waits.
#[derive(Debug, Clone)]
pub struct DueRecord {
    /// Its row.
    pub id: RecordId,
    /// What goes out.
    pub record: Record,
}

/// Bytes of a record beside its body and its id twice: field names, numbers, the fingerprint.
const AROUND: usize = 400;

impl Store {
    /// Waiting records after a row, oldest first: at most so many, of at most so many bytes of JSON
    /// together, but one at least. A record that cannot be read is parked and costs the others nothing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn due_records(
        &self,
        after: RecordId,
        most: usize,
        bytes: usize,
        now: Timestamp,
    ) -> Result<Vec<DueRecord>, StoreError> {
        let read = self.read(move |db| due(db, after, most, bytes)).await?;
        if !read.unreadable.is_empty() {
            let unreadable = read.unreadable;
            self.write(move |db| park_unreadable(db, &unreadable, now)).await?;
        }
        Ok(read.records)
    }
}

#[derive(Default)]
struct Read {
    records: Vec<DueRecord>,
    unreadable: Vec<(i64, String)>,
}

fn due(db: &Connection, after: RecordId, most: usize, bytes: usize) -> Result<Read, StoreError> {
    let mut read = Read::default();
    let mut room = bytes;
    let mut statement = db.prepare_cached(DUE)?;
    let mut rows = statement.query(params![after.0, i64::try_from(most).unwrap_or(i64::MAX)])?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let (record, size) = match record(row) {
            Ok(sized) => sized,
            Err(error) if error.is_of_one_row() => {
                read.unreadable.push((id, error.to_string()));
                continue;
            }
            Err(error) => return Err(error),
        };
        if size > room && !read.records.is_empty() {
            break;
        }
        room = room.saturating_sub(size);
        read.records.push(DueRecord { id: RecordId(id), record });
    }
    Ok(read)
}

fn park_unreadable(
    db: &Connection,
    unreadable: &[(i64, String)],
    now: Timestamp,
) -> Result<(), StoreError> {
    for (id, why) in unreadable {
        tracing::error!(id, why, "a record cannot be read and is parked");
        db.execute(
            "UPDATE outbox SET state = 'parked', verdict = 'unreadable', detail = ?2, judged_at = ?3
             WHERE id = ?1 AND state = 'waiting'",
            params![id, why, ms(now)],
        )?;
    }
    Ok(())
}

/// Waiting records with the receipts they are about. The split of a refund is left out while that of its sale
/// waits: batches under way may overtake each other.
pub(crate) const DUE: &str = "SELECT o.id, o.request_id, o.kind, o.flow_no, o.recorded_at, o.body,
        r.body, j.job_id, r.kind, s.business_day, r.session, r.takings_minor, r.tenders
    FROM outbox o INDEXED BY outbox_waiting
        LEFT JOIN receipts r ON r.flow_no = o.flow_no AND o.kind = 'receipt'
        LEFT JOIN print_jobs j ON j.flow_no = r.flow_no AND j.copy_no = 0
        LEFT JOIN sessions s ON s.z_no = r.session
    WHERE o.state = 'waiting' AND o.id > ?1
        AND (o.behind IS NULL OR NOT EXISTS (SELECT 1 FROM outbox s INDEXED BY outbox_by_receipt
            WHERE s.flow_no = o.behind AND s.kind = 'split' AND s.state = 'waiting'))
    ORDER BY o.id LIMIT ?2";

/// A record and the bytes it takes.
fn record(row: &Row<'_>) -> Result<(Record, usize), StoreError> {
    let request_id: String = row.get(1)?;
    let kind = kind(row.get_ref(2)?.as_str().map_err(StoreError::unreadable)?)?;
    let body = match kind {
        RecordKind::Receipt => receipt_body(row)?,
        RecordKind::Print | RecordKind::Close | RecordKind::Correction | RecordKind::Split => {
            json(row.get_ref(5)?.as_str().map_err(StoreError::unreadable)?)?
        }
    };
    let text = body.to_string();
    let size = text.len() + 2 * request_id.len() + AROUND;
    let record = Record {
        epoch: epoch_of(&request_id).ok_or_else(|| StoreError::unreadable(&request_id))?,
        kind,
        fingerprint: Fingerprint::of(text.as_bytes()),
        flow_no: row.get(3)?,
        recorded_at: at(row, 4)?,
        body,
        request_id,
    };
    Ok((record, size))
}

fn receipt_body(row: &Row<'_>) -> Result<serde_json::Value, StoreError> {
    let fact = match row.get_ref(5)?.as_str_or_null().map_err(StoreError::unreadable)? {
        Some(frozen) => serde_json::from_str(frozen).map_err(StoreError::unreadable)?,
        None => fact(row)?,
    };
    let receipt = row.get_ref(6)?.as_str_or_null().map_err(StoreError::unreadable)?;
    let fact = ReceiptFact { receipt: receipt.map(json).transpose()?, ..fact };
    serde_json::to_value(fact).map_err(StoreError::unreadable)
}

/// The facts of a receipt as its row tells them, without its content.
fn fact(row: &Row<'_>) -> Result<ReceiptFact, StoreError> {
    let tenders = row.get_ref(12)?.as_str().map_err(StoreError::unreadable)?;
    let tenders: BTreeMap<String, i64> =
        serde_json::from_str(tenders).map_err(StoreError::unreadable)?;
    Ok(ReceiptFact {
        id: row.get(7)?,
        kind: word(row, 8)?,
        day: word(row, 9)?,
        z_no: row.get(10)?,
        takings_minor: row.get(11)?,
        tenders,
        receipt: None,
    })
}

fn json(text: &str) -> Result<serde_json::Value, StoreError> {
    serde_json::from_str(text).map_err(StoreError::unreadable)
}

fn kind(word: &str) -> Result<RecordKind, StoreError> {
    RecordKind::ALL
        .into_iter()
        .find(|kind| kind.as_str() == word)
        .ok_or_else(|| StoreError::unreadable(word))
}

/// The epoch a request id was made in: `{subject}/{kind}/e{epoch}/r{row version}`.
fn epoch_of(request_id: &str) -> Option<u32> {
    request_id.rsplit('/').nth(1)?.strip_prefix('e')?.parse().ok()
}

/// Freezes the facts of receipts that wait: the sessions of an older copy get new numbers, and the head
/// office may have these records under the old ones.
pub(crate) fn freeze(db: &Connection) -> Result<(), StoreError> {
    let facts = all(db, DUE, params![0, i64::MAX], |row| {
        let is_receipt = row.get_ref(2)?.as_str() == Ok(RecordKind::Receipt.as_str());
        let frozen = row.get_ref(5)?.as_str_or_null().is_ok_and(|body| body.is_some());
        if !is_receipt || frozen {
            return Ok(None);
        }
        // One that cannot be read is parked when its turn comes.
        Ok(fact(row).ok().map(|fact| (row.get::<_, i64>(0), fact)))
    })?;
    for (id, fact) in facts.into_iter().flatten() {
        let text = serde_json::to_string(&fact).map_err(StoreError::unreadable)?;
        db.prepare_cached("UPDATE outbox SET body = ?2 WHERE id = ?1")?
            .execute(params![id?, text])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epoch_stands_in_the_request_id() {
        assert_eq!(epoch_of("S1:0001:receipt:v1/receipt/e12/r1"), Some(12));
        assert_eq!(epoch_of("R1:2026-10-12:z3/close/e1/r1"), Some(1));
        assert_eq!(epoch_of("S1:0001:receipt:v1"), None);
    }
}
