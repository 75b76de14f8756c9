//! Records for the head office, in order. Written in the transaction that makes the fact.

use jiff::Timestamp;
use tillroll_domain::ids::JobId;
use tillroll_domain::outbox::{RecordKind, RequestId};
use tillroll_domain::print_job::{Change, Confirmation, JobReason};
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{at, first, ms};
use crate::{JobRow, Store, StoreError};

/// A record to insert. The epoch is the register's own at that moment.
pub(crate) struct RecordRow {
    pub kind: RecordKind,
    pub subject: String,
    pub row_version: i64,
    pub flow_no: Option<i64>,
    pub body: Option<String>,
    pub now: Timestamp,
}

impl RecordRow {
    /// A receipt was recorded; its body is the receipt's own row.
    pub(crate) fn receipt(job_id: &JobId, flow_no: i64, now: Timestamp) -> Self {
        let (kind, subject) = (RecordKind::Receipt, job_id.to_string());
        Self { kind, subject, row_version: 1, flow_no: Some(flow_no), body: None, now }
    }

    /// A print job settled.
    pub(crate) fn print(row: &JobRow, change: Change, now: Timestamp) -> Self {
        let body = serde_json::json!({
            "state": change.to,
            "confirmation": change.confirmation.map(Confirmation::as_str),
            "reason": change.reason.map(JobReason::as_str),
        });
        Self {
            kind: RecordKind::Print,
            subject: row.job_id.to_string(),
            row_version: row.row_version + 1,
            flow_no: Some(row.flow_no),
            body: Some(body.to_string()),
            now,
        }
    }
}

/// Inserts a record of the epoch that the database is in.
pub(crate) fn insert(db: &Connection, record: &RecordRow) -> Result<(), StoreError> {
    let epoch: u32 = db
        .prepare_cached("SELECT epoch FROM register WHERE id = 1")?
        .query_row([], |row| row.get(0))?;
    insert_in(db, epoch, record)
}

/// Inserts a record of that epoch, for a caller who knows it.
pub(crate) fn insert_in(db: &Connection, epoch: u32, record: &RecordRow) -> Result<(), StoreError> {
    let request_id = RequestId {
        kind: record.kind,
        subject: record.subject.clone(),
        epoch,
        row_version: record.row_version,
    };
    db.prepare_cached(
        "INSERT INTO outbox (request_id, kind, flow_no, body, recorded_at) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![
        request_id.to_string(),
        record.kind.as_str(),
        record.flow_no,
        record.body,
        ms(record.now)
    ])?;
    Ok(())
}

/// Records waiting, as far as they are counted.
pub(crate) const COUNT_WAITING: &str = "SELECT count(*) FROM
    (SELECT 1 FROM outbox INDEXED BY outbox_waiting WHERE state = 'waiting' LIMIT ?1)";
/// The record that waits longest.
const OLDEST_WAITING: &str = "SELECT recorded_at FROM outbox INDEXED BY outbox_waiting
    WHERE state = 'waiting' ORDER BY id LIMIT 1";
/// Records on the manager's list, as far as they are counted.
pub(crate) const COUNT_PARKED: &str = "SELECT count(*) FROM
    (SELECT 1 FROM outbox INDEXED BY outbox_parked
        WHERE state = 'parked' AND given_up_at IS NULL LIMIT ?1)";

/// How much is still to be told. Counted over an index that holds nothing else, so that no sale pays for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutboxCounts {
    /// Records waiting, at most [`OutboxCounts::MOST`].
    pub waiting: i64,
    /// When the oldest of them was recorded.
    pub oldest_at: Option<Timestamp>,
    /// Records the head office refused that nobody has dealt with, at most [`OutboxCounts::MOST`].
    pub parked: i64,
}

impl OutboxCounts {
    /// Where counting stops.
    pub const MOST: i64 = 1_000_000;
}

impl Store {
    /// How much is still to be told to the head office.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn outbox_counts(&self) -> Result<OutboxCounts, StoreError> {
        self.read(|db| {
            let count = |sql| {
                let mut statement = db.prepare_cached(sql)?;
                Ok::<i64, StoreError>(statement.query_row([OutboxCounts::MOST], |row| row.get(0))?)
            };
            Ok(OutboxCounts {
                waiting: count(COUNT_WAITING)?,
                oldest_at: first(db, OLDEST_WAITING, [], |row| at(row, 0))?,
                parked: count(COUNT_PARKED)?,
            })
        })
        .await
    }
}
