//! Receipts that were refused although their sale may be done. A client's same body is listed once a
//! business day until it is answered, by a person or by the same receipt when it is accepted. The list is bounded: at its end the oldest answered rows go first, then
//! the oldest of the client that adds one, then the oldest.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::ids::Part;
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use crate::columns::{all, at, ms};
use crate::feed::Hint;
use crate::{ClientId, NewReceipt, Store, StoreError};

/// Rows kept.
const MOST: i64 = 1_000;

/// A refusal to record.
#[derive(Debug, Clone)]
pub struct NewRejection {
    /// The POS's order number, as far as it was readable.
    pub order_no: Option<String>,
    /// The kind, as far as it was readable.
    pub kind: Option<String>,
    /// The stable code of the problem.
    pub code: String,
    /// What was wrong.
    pub detail: String,
    /// What was handed over, cut to what may be kept.
    pub body: String,
    /// SHA-256 of all that was handed over.
    pub body_sha256: [u8; 32],
    /// The business day.
    pub day: Date,
    /// Who handed it over.
    pub client: Option<ClientId>,
}

/// What a refusal is listed under, so that the same receipt answers it when it is accepted.
#[derive(Debug, Clone)]
pub struct RefusedAs {
    /// The POS's order number.
    pub order_no: Part,
    /// Where order numbers begin anew every day, the business day of this one: only a refusal of that
    /// day is of the same receipt.
    pub day: Option<Date>,
}

/// A refused receipt.
#[derive(Debug, Clone)]
pub struct Rejection {
    /// Its row.
    pub id: i64,
    /// What was recorded.
    pub order_no: Option<String>,
    /// The kind.
    pub kind: Option<String>,
    /// The stable code of the problem.
    pub code: String,
    /// What was wrong.
    pub detail: String,
    /// When.
    pub rejected_at: Timestamp,
}

impl Store {
    /// Records a refusal, unless it is listed already.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn record_rejection(
        &self,
        rejection: NewRejection,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let listed = self
            .write(move |db| {
                let is_new = !is_listed(db, &rejection)?;
                if is_new {
                    insert(db, &rejection, now)?;
                }
                Ok(is_new)
            })
            .await?;
        if listed {
            self.feed().hint(Hint::Rejected);
        }
        Ok(())
    }

    /// The refused receipts without an answer, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn rejections(&self) -> Result<Vec<Rejection>, StoreError> {
        self.read(|db| {
            all(db, "SELECT id, order_no, kind, code, detail, rejected_at FROM rejected WHERE answered_at IS NULL ORDER BY id", [], rejection)
        })
        .await
    }

    /// A person dealt with a refused receipt.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when it is not on the list.
    pub async fn answer_rejection(
        &self,
        id: i64,
        answer: String,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(move |db| {
            let changed = db.execute(
                "UPDATE rejected SET answer = ?2, answered_at = ?3 WHERE id = ?1 AND answered_at IS NULL",
                params![id, answer, ms(now)],
            )?;
            if changed == 1 { Ok(()) } else { Err(StoreError::not_found("rejected receipt", id)) }
        })
        .await?;
        self.feed().hint(Hint::Rejected);
        Ok(())
    }
}

/// A receipt that is recorded answers its client's open refusals of it. As a rule there are none, and their
/// index is empty. Returns how many.
pub(crate) fn answer_accepted(db: &Connection, new: &NewReceipt) -> Result<usize, StoreError> {
    let Some(refused_as) = &new.refused_as else { return Ok(0) };
    let mut statement = db.prepare_cached(ANSWER_ACCEPTED)?;
    Ok(statement.execute(params![
        new.client.map(|client| client.0),
        refused_as.order_no.as_str(),
        new.job_id.kind.as_str(),
        refused_as.day.map(|day| day.to_string()),
        ms(new.recorded_at),
    ])?)
}

/// Answers the open refusals of a client's order.
pub(crate) const ANSWER_ACCEPTED: &str = "UPDATE rejected SET answer = 'accepted', answered_at = ?5
    WHERE answered_at IS NULL AND client IS ?1 AND order_no = ?2 AND kind = ?3
        AND (?4 IS NULL OR business_day = ?4)";

/// Whether the same client was refused the same body for the same cause on that day, and nobody has dealt
/// with it.
fn is_listed(db: &Connection, rejection: &NewRejection) -> Result<bool, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT 1 FROM rejected WHERE body_sha256 = ?1 AND client IS ?2 AND business_day = ?3 AND code = ?4
             AND answered_at IS NULL",
    )?;
    Ok(statement.exists(params![
        rejection.body_sha256,
        rejection.client.map(|client| client.0),
        rejection.day.to_string(),
        rejection.code,
    ])?)
}

fn insert(db: &Connection, rejection: &NewRejection, now: Timestamp) -> Result<(), StoreError> {
    let client = rejection.client.map(|client| client.0);
    db.execute(
        "DELETE FROM rejected WHERE id IN (
             SELECT id FROM rejected ORDER BY answered_at IS NULL, client IS NOT ?2, id
             LIMIT max(0, (SELECT count(*) FROM rejected) - ?1 + 1))",
        params![MOST, client],
    )?;
    db.execute(
        "INSERT INTO rejected (order_no, kind, code, detail, body, body_sha256, business_day, client, rejected_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            rejection.order_no,
            rejection.kind,
            rejection.code,
            rejection.detail,
            rejection.body,
            rejection.body_sha256,
            rejection.day.to_string(),
            client,
            ms(now)
        ],
    )?;
    Ok(())
}

fn rejection(row: &Row<'_>) -> Result<Rejection, StoreError> {
    Ok(Rejection {
        id: row.get("id")?,
        order_no: row.get("order_no")?,
        kind: row.get("kind")?,
        code: row.get("code")?,
        detail: row.get("detail")?,
        rejected_at: at(row, "rejected_at")?,
    })
}
