//! What the head office is known to have, by hour of the recording: counters and digests kept with each
//! verdict, and the ids of one hour.

use std::collections::BTreeMap;

use jiff::Timestamp;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_sqlite::rusqlite::{Connection, Row, params};
use tillroll_wire::repair::{HourDigest, KnownRecord, RecordDigest, hour_of};

use crate::columns::{all, first, instant};
use crate::feed::Hint;
use crate::{RecordId, Store, StoreError, cloud_only};

const HOUR_MS: i64 = 3_600_000;

/// What changes in the hours of a transaction.
#[derive(Debug, Default)]
pub(crate) struct HourSets(BTreeMap<i64, (i64, RecordDigest)>);

impl HourSets {
    /// The head office has a record.
    pub(crate) fn put_in(&mut self, recorded_at: Timestamp, id: &str, fingerprint: &Fingerprint) {
        self.toggle(hour_of(recorded_at), 1, RecordDigest::of(id, fingerprint));
    }

    /// One record more (`by` 1) or less (-1) in an hour.
    pub(crate) fn toggle(&mut self, hour: i64, by: i64, digest: RecordDigest) {
        let (records, set) = self.0.entry(hour).or_default();
        *records += by;
        set.toggle(digest);
    }
}

/// Adds what changed to the stored hours.
pub(crate) fn add(db: &Connection, hours: &HourSets) -> Result<(), StoreError> {
    for (hour, (records, digest)) in &hours.0 {
        let sql = "SELECT digest FROM cloud_hours WHERE hour = ?1";
        let mut digest = *digest;
        digest.toggle(first(db, sql, [hour], |row| read_digest(row, 0))?.unwrap_or_default());
        db.prepare_cached(
            "INSERT INTO cloud_hours (hour, records, digest) VALUES (?1, ?2, ?3)
             ON CONFLICT (hour) DO UPDATE SET records = records + ?2, digest = ?3",
        )?
        .execute(params![hour, records, digest.0.to_be_bytes()])?;
    }
    Ok(())
}

fn read_digest(row: &Row<'_>, column: usize) -> Result<RecordDigest, StoreError> {
    let bytes: [u8; 16] = row.get(column)?;
    Ok(RecordDigest(u128::from_be_bytes(bytes)))
}

/// How far the hours go that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettledHours {
    /// The hour before which both sides agreed when they last compared.
    pub agreed: Option<i64>,
    /// The hour of the oldest record that still waits: from there on it is backlog.
    pub waiting_from: Option<i64>,
    /// The newest hour the head office has something of.
    pub newest: Option<i64>,
}

impl Store {
    /// How far the hours go that can be compared.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn settled_hours(&self) -> Result<SettledHours, StoreError> {
        self.read(|db| {
            let one =
                |sql| Ok::<_, StoreError>(first(db, sql, [], |row| Ok(row.get(0)?))?.flatten());
            let waiting: Option<i64> = one(OLDEST_WAITING)?;
            Ok(SettledHours {
                agreed: one("SELECT agreed_hour FROM cloud WHERE id = 1")?,
                waiting_from: waiting.map(instant).transpose()?.map(hour_of),
                newest: one("SELECT max(hour) FROM cloud_hours")?,
            })
        })
        .await
    }

    /// The hours from one to before another that the head office is known to have something of.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn cloud_digests(&self, from: i64, to: i64) -> Result<Vec<HourDigest>, StoreError> {
        self.read(move |db| {
            let sql = "SELECT hour, records, digest FROM cloud_hours
                WHERE hour >= ?1 AND hour < ?2 AND records > 0 ORDER BY hour";
            all(db, sql, [from, to], |row| {
                let count: i64 = row.get(1)?;
                let count = u64::try_from(count).map_err(StoreError::unreadable)?;
                Ok(HourDigest { hour: row.get(0)?, count, digest: read_digest(row, 2)? })
            })
        })
        .await
    }

    /// The records of an hour that the head office is known to have.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn cloud_hour(&self, hour: i64) -> Result<Vec<KnownRecord>, StoreError> {
        self.read(move |db| {
            let mut known = all(db, IN_HOUR, [hour * HOUR_MS, (hour + 1) * HOUR_MS], |row| {
                Ok(KnownRecord {
                    request_id: row.get(0)?,
                    fingerprint: fingerprint(row, 1)?,
                    epoch: 0,
                })
            })?;
            cloud_only::overlay(db, hour, &mut known)?;
            Ok(known)
        })
        .await
    }

    /// Records the head office misses wait again, with their own ids. Returns how many.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn send_missing(&self, hour: i64, ids: Vec<String>) -> Result<usize, StoreError> {
        let waiting = self.write(move |db| send_missing(db, hour, &ids)).await?;
        self.feed().hint(Hint::Cloud);
        Ok(waiting)
    }

    /// Both sides agree on every hour before this one.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn note_agreed(&self, hour: i64) -> Result<(), StoreError> {
        self.write(move |db| {
            db.execute("UPDATE cloud SET agreed_hour = ?1 WHERE id = 1", [hour])?;
            Ok(())
        })
        .await
    }
}

/// The oldest record that waits.
const OLDEST_WAITING: &str =
    "SELECT min(recorded_at) FROM outbox INDEXED BY outbox_waiting WHERE state = 'waiting'";
/// What was acknowledged of an hour, from a millisecond to before another.
pub(crate) const IN_HOUR: &str =
    "SELECT request_id, fingerprint, id FROM outbox
    WHERE state = 'acknowledged' AND recorded_at >= ?1 AND recorded_at < ?2 AND fingerprint IS NOT NULL";

fn send_missing(db: &Connection, hour: i64, ids: &[String]) -> Result<usize, StoreError> {
    let missing: std::collections::BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    let acknowledged = all(db, IN_HOUR, [hour * HOUR_MS, (hour + 1) * HOUR_MS], |row| {
        Ok((row.get::<_, String>(0)?, fingerprint(row, 1)?, RecordId(row.get(2)?)))
    })?;
    let mut hours = HourSets::default();
    let mut waiting = 0;
    for (request_id, fingerprint, id) in acknowledged {
        if !missing.contains(request_id.as_str()) {
            continue;
        }
        db.prepare_cached(
            "UPDATE outbox SET state = 'waiting', verdict = NULL, fingerprint = NULL, judged_at = NULL
             WHERE id = ?1",
        )?
        .execute([id.0])?;
        hours.toggle(hour, -1, RecordDigest::of(&request_id, &fingerprint));
        waiting += 1;
    }
    add(db, &hours)?;
    Ok(waiting)
}

pub(crate) fn fingerprint(row: &Row<'_>, column: usize) -> Result<Fingerprint, StoreError> {
    let bytes = row.get_ref(column)?.as_blob().map_err(StoreError::unreadable)?;
    Fingerprint::from_bytes(bytes).map_err(StoreError::unreadable)
}
