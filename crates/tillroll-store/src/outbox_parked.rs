//! Records the head office refused: the manager's list, and what may be done about them.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{all_readable, at, first, ms};
use crate::feed::Hint;
use crate::{RecordId, Store, StoreError};

/// A record that was refused, or waits behind one that was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParkedRecord {
    /// Its row.
    pub id: RecordId,
    /// Its request id.
    pub request_id: String,
    /// `receipt`, `print`, `close`, `correction` or `split`.
    pub kind: String,
    /// The job it is about.
    pub job_id: Option<String>,
    /// Why: a code of the wire, or `unreadable`.
    pub code: String,
    /// Why, for people.
    pub detail: Option<String>,
    /// When the fact was recorded.
    pub recorded_at: Timestamp,
    /// When it was parked.
    pub parked_at: Timestamp,
}

impl Store {
    /// The parked records nobody has dealt with, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn parked_records(&self, most: usize) -> Result<Vec<ParkedRecord>, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.read(move |db| {
            all_readable(db, PARKED, [most], |row| {
                Ok(ParkedRecord {
                    id: RecordId(row.get("id")?),
                    request_id: row.get("request_id")?,
                    kind: row.get("kind")?,
                    job_id: row.get("job_id")?,
                    code: row.get("verdict")?,
                    detail: row.get("detail")?,
                    recorded_at: at(row, "recorded_at")?,
                    parked_at: at(row, "judged_at")?,
                })
            })
        })
        .await
    }

    /// Sends a parked record again, with all of its receipt. Returns how many wait now.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when it is not on the list.
    pub async fn send_again(&self, id: RecordId) -> Result<usize, StoreError> {
        let sent = self
            .write(move |db| {
                let changed = match flow_of(db, id)? {
                    Some(flow_no) => db.execute(SEND_RECEIPT_AGAIN, [flow_no])?,
                    None => db.execute(SEND_AGAIN, [id.0])?,
                };
                Ok(changed)
            })
            .await?;
        self.feed().hint(Hint::Cloud);
        Ok(sent)
    }

    /// Nobody will send a parked record, nor those of its receipt, and why. Returns how many.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when it is not on the list, [`StoreError::Field`] without a reason.
    pub async fn give_up(
        &self,
        id: RecordId,
        reason: String,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        if reason.trim().is_empty() {
            return Err(StoreError::Field { field: "reason", must: "must say why" });
        }
        let given_up = self
            .write(move |db| {
                let changed = match flow_of(db, id)? {
                    Some(flow_no) => {
                        db.execute(GIVE_RECEIPT_UP, params![flow_no, reason, ms(now)])?
                    }
                    None => db.execute(GIVE_UP, params![id.0, reason, ms(now)])?,
                };
                Ok(changed)
            })
            .await?;
        self.feed().hint(Hint::Cloud);
        Ok(given_up)
    }
}

/// The receipt of a record on the list.
fn flow_of(db: &Connection, id: RecordId) -> Result<Option<i64>, StoreError> {
    let sql =
        "SELECT flow_no FROM outbox WHERE id = ?1 AND state = 'parked' AND given_up_at IS NULL";
    let found = first(db, sql, [id.0], |row| Ok(row.get(0)?))?;
    found.ok_or_else(|| StoreError::not_found("parked record", id.0))
}

/// The manager's list.
pub(crate) const PARKED: &str =
    "SELECT o.id, request_id, kind, job_id, verdict, detail, recorded_at, judged_at
    FROM outbox o LEFT JOIN print_jobs j ON j.flow_no = o.flow_no AND j.copy_no = 0
    WHERE o.state = 'parked' AND given_up_at IS NULL ORDER BY o.id LIMIT ?1";
const SEND_RECEIPT_AGAIN: &str =
    "UPDATE outbox SET state = 'waiting', verdict = NULL, detail = NULL, judged_at = NULL
    WHERE flow_no = ?1 AND state = 'parked' AND given_up_at IS NULL";
const SEND_AGAIN: &str =
    "UPDATE outbox SET state = 'waiting', verdict = NULL, detail = NULL, judged_at = NULL
    WHERE id = ?1 AND state = 'parked' AND given_up_at IS NULL";
const GIVE_RECEIPT_UP: &str = "UPDATE outbox SET given_up = ?2, given_up_at = ?3
    WHERE flow_no = ?1 AND state = 'parked' AND given_up_at IS NULL";
const GIVE_UP: &str = "UPDATE outbox SET given_up = ?2, given_up_at = ?3
    WHERE id = ?1 AND state = 'parked' AND given_up_at IS NULL";
