//! A day's splits: as the head office told them last, and what of them still waits here.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_sqlite::rusqlite::{Connection, params};
use tillroll_wire::split::{SplitDayView, SplitSum};

use crate::columns::{at, first, ms};
use crate::{Store, StoreError};

/// Days kept.
const MOST: i64 = 400;
/// Waiting records looked through at most.
const LOOKED_THROUGH: i64 = 100_000;

/// What is known here of a day's splits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SplitDay {
    /// What the head office told last, and when.
    pub told: Option<(SplitDayView, Timestamp)>,
    /// Sales and refunds to be shared that it was not told of yet.
    pub waiting: SplitSum,
}

impl Store {
    /// What is known here of a day's splits.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn split_day(&self, day: Date) -> Result<SplitDay, StoreError> {
        self.read(move |db| Ok(SplitDay { told: told(db, day)?, waiting: waiting(db, day)? })).await
    }

    /// The head office told a day's splits.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn keep_split_day(
        &self,
        told: SplitDayView,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(move |db| keep(db, &told, now)).await
    }
}

fn told(db: &Connection, day: Date) -> Result<Option<(SplitDayView, Timestamp)>, StoreError> {
    let sql = "SELECT told, told_at FROM split_days WHERE business_day = ?1";
    first(db, sql, [day.to_string()], |row| {
        let told: String = row.get("told")?;
        let told = serde_json::from_str(&told).map_err(StoreError::unreadable)?;
        Ok((told, at(row, "told_at")?))
    })
}

fn waiting(db: &Connection, day: Date) -> Result<SplitSum, StoreError> {
    let params = params![day.to_string(), LOOKED_THROUGH];
    let sum = first(db, WAITING, params, |row| {
        let count: i64 = row.get("splits")?;
        Ok(SplitSum { count: count.unsigned_abs(), amount_minor: row.get("amount_minor")? })
    })?;
    Ok(sum.unwrap_or_default())
}

/// Splits of a day that wait.
pub(crate) const WAITING: &str = "SELECT count(*) AS splits,
        coalesce(sum(body ->> 'amount_minor'), 0) AS amount_minor
    FROM (SELECT kind, body FROM outbox INDEXED BY outbox_waiting WHERE state = 'waiting' ORDER BY id LIMIT ?2)
    WHERE kind = 'split' AND body ->> 'day' = ?1";

fn keep(db: &Connection, told: &SplitDayView, now: Timestamp) -> Result<(), StoreError> {
    let text = serde_json::to_string(told).map_err(StoreError::unreadable)?;
    db.execute(
        "INSERT INTO split_days (business_day, told, told_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (business_day) DO UPDATE SET told = excluded.told, told_at = excluded.told_at",
        params![told.day.to_string(), text, ms(now)],
    )?;
    db.execute(
        "DELETE FROM split_days WHERE business_day IN
             (SELECT business_day FROM split_days ORDER BY business_day DESC LIMIT -1 OFFSET ?1)",
        [MOST],
    )?;
    Ok(())
}
