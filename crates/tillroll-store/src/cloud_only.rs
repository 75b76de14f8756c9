//! Records that only the head office has: they went with an older copy of the database, and a manager
//! compares them with the POS.
//!
//! Once listed they count among what both sides know of, so that the same hour is not looked into again.

use jiff::Timestamp;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_sqlite::rusqlite::{Connection, params};
use tillroll_wire::repair::{KnownRecord, RecordDigest};

use crate::cloud_hours::{self, HourSets, fingerprint};
use crate::columns::{all, all_readable, at, first, ms};
use crate::feed::Hint;
use crate::{Store, StoreError};

/// A record the head office has and this database has not, or reads otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloudOnly {
    /// Its row.
    pub id: i64,
    /// Its request id: it names job, epoch and row version.
    pub request_id: String,
    /// The epoch that made it.
    pub epoch: u32,
    /// It stands here too, with another body.
    pub otherwise: bool,
    /// When it was found.
    pub seen_at: Timestamp,
}

impl Store {
    /// The records only the head office has that nobody has looked at, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn cloud_only(&self, most: usize) -> Result<Vec<CloudOnly>, StoreError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.read(move |db| {
            all_readable(db, OPEN, [most], |row| {
                Ok(CloudOnly {
                    id: row.get("id")?,
                    request_id: row.get("request_id")?,
                    epoch: row.get("epoch")?,
                    otherwise: row.get("otherwise")?,
                    seen_at: at(row, "seen_at")?,
                })
            })
        })
        .await
    }

    /// A manager has compared such a record with the POS, and what came of it.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when it is not on the list, [`StoreError::Field`] without a word.
    pub async fn answer_cloud_only(
        &self,
        id: i64,
        answer: String,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if answer.trim().is_empty() {
            return Err(StoreError::Field { field: "note", must: "must say what came of it" });
        }
        self.write(move |db| {
            let sql = "UPDATE cloud_only SET answer = ?2, answered_at = ?3
                WHERE id = ?1 AND answered_at IS NULL";
            match db.execute(sql, params![id, answer, ms(now)])? {
                1 => Ok(()),
                _ => Err(StoreError::not_found("record of the head office", id)),
            }
        })
        .await?;
        self.feed().hint(Hint::Cloud);
        Ok(())
    }

    /// Lists records of an hour that the head office has and this side does not know of. One that waits
    /// here is left out: its verdict comes. Returns how many are new.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn list_cloud_only(
        &self,
        hour: i64,
        records: Vec<KnownRecord>,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        let listed = self.write(move |db| list(db, hour, &records, now)).await?;
        if listed > 0 {
            self.feed().hint(Hint::Cloud);
        }
        Ok(listed)
    }
}

/// What nobody has looked at.
pub(crate) const OPEN: &str = "SELECT id, request_id, epoch, otherwise, seen_at FROM cloud_only
    WHERE answered_at IS NULL ORDER BY id LIMIT ?1";

fn list(
    db: &Connection,
    hour: i64,
    records: &[KnownRecord],
    now: Timestamp,
) -> Result<usize, StoreError> {
    let mut hours = HourSets::default();
    let mut listed = 0;
    for record in records {
        let ours = outbox_row(db, &record.request_id)?;
        let settles = |ours: &Ours| ours.waits || ours.counted == Some(record.fingerprint);
        if ours.as_ref().is_some_and(settles) {
            continue;
        }
        let digest = RecordDigest::of(&record.request_id, &record.fingerprint);
        let inserted = db
            .prepare_cached(
                "INSERT INTO cloud_only (request_id, fingerprint, hour, epoch, otherwise, seen_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (request_id) DO NOTHING",
            )?
            .execute(params![
                record.request_id,
                record.fingerprint.as_bytes(),
                hour,
                record.epoch,
                ours.is_some(),
                ms(now)
            ])?;
        if inserted == 1 {
            if let Some(counted) = ours.and_then(|ours| ours.counted) {
                hours.toggle(hour, -1, RecordDigest::of(&record.request_id, &counted));
            }
            hours.toggle(hour, 1, digest);
            listed += 1;
        }
    }
    cloud_hours::add(db, &hours)?;
    Ok(listed)
}

/// A record as it stands here.
struct Ours {
    waits: bool,
    /// The fingerprint it counts with in its hour.
    counted: Option<Fingerprint>,
}

/// The row of a request id. Its subject is a job, whose receipt finds the row; or a close, of which there
/// are few.
fn outbox_row(db: &Connection, request_id: &str) -> Result<Option<Ours>, StoreError> {
    let subject = request_id.split('/').next().unwrap_or_default();
    first(db, ROW_OF, [subject, request_id], |row| {
        let state: String = row.get(0)?;
        let counted = match state.as_str() {
            "acknowledged" if row.get::<_, Option<Vec<u8>>>(1)?.is_some() => {
                Some(fingerprint(row, 1)?)
            }
            _ => None,
        };
        Ok(Ours { waits: state == "waiting", counted })
    })
}

/// The record of a request id, over the index of its receipt.
pub(crate) const ROW_OF: &str = "SELECT state, fingerprint FROM outbox INDEXED BY outbox_by_receipt
    WHERE flow_no IS (SELECT flow_no FROM print_jobs WHERE job_id = ?1) AND request_id = ?2";

/// Puts what only the head office has into the records of an hour, in place of what reads otherwise here.
pub(crate) fn overlay(
    db: &Connection,
    hour: i64,
    known: &mut Vec<KnownRecord>,
) -> Result<(), StoreError> {
    let sql = "SELECT request_id, fingerprint, epoch FROM cloud_only WHERE hour = ?1";
    let theirs = all(db, sql, [hour], |row| {
        let (request_id, epoch) = (row.get(0)?, row.get(2)?);
        Ok(KnownRecord { request_id, fingerprint: fingerprint(row, 1)?, epoch })
    })?;
    known.retain(|ours| theirs.iter().all(|other| other.request_id != ours.request_id));
    known.extend(theirs);
    Ok(())
}

/// A listed record was acknowledged after all: it counts with its own body from now on.
pub(crate) fn forget(
    db: &Connection,
    request_id: &str,
    hours: &mut HourSets,
) -> Result<(), StoreError> {
    let sql = "SELECT fingerprint, hour FROM cloud_only WHERE request_id = ?1";
    let listed = first(db, sql, [request_id], |row| Ok((fingerprint(row, 0)?, row.get(1)?)))?;
    if let Some((fingerprint, hour)) = listed {
        hours.toggle(hour, -1, RecordDigest::of(request_id, &fingerprint));
        db.execute("DELETE FROM cloud_only WHERE request_id = ?1", [request_id])?;
    }
    Ok(())
}
