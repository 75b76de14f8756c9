//! What the register itself must tell a person: a rescue, a restored copy, a job that cannot be read, fonts
//! that are missing. Kept until answered.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{all, at, ms};
use crate::{Store, StoreError};

/// Something a person must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Its row.
    pub id: i64,
    /// `rescued`, `restored`, `unreadable_job`, `fonts_missing`, `cloud_differences` or `clock_drift`.
    pub code: String,
    /// What happened, with names and counts.
    pub detail: String,
    /// When it was noticed.
    pub noticed_at: Timestamp,
}

impl Store {
    /// The notices without an answer, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn notices(&self) -> Result<Vec<Notice>, StoreError> {
        self.read(|db| {
            all(
                db,
                "SELECT id, code, detail, noticed_at FROM notices WHERE answered_at IS NULL ORDER BY id",
                [],
                |row| {
                    Ok(Notice {
                        id: row.get("id")?,
                        code: row.get("code")?,
                        detail: row.get("detail")?,
                        noticed_at: at(row, "noticed_at")?,
                    })
                },
            )
        })
        .await
    }

    /// Tells of a condition that may pass: `detail` while it holds, `None` puts its notice away. Told once
    /// until a person has read it.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn keep_notice(
        &self,
        code: &'static str,
        detail: Option<String>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let told = self.read(move |db| is_told(db, code)).await?;
        if told == detail.is_some() {
            return Ok(());
        }
        self.write(move |db| match &detail {
            Some(detail) => insert(db, code, detail, now),
            None => put_away(db, code, now),
        })
        .await
    }

    /// A person has read a notice.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when it is not open.
    pub async fn answer_notice(&self, id: i64, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |db| {
            let changed = db.execute(
                "UPDATE notices SET answered_at = ?2 WHERE id = ?1 AND answered_at IS NULL",
                params![id, ms(now)],
            )?;
            if changed == 1 { Ok(()) } else { Err(StoreError::not_found("notice", id)) }
        })
        .await
    }
}

fn is_told(db: &Connection, code: &str) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM notices WHERE code = ?1 AND answered_at IS NULL";
    Ok(db.prepare_cached(sql)?.exists([code])?)
}

fn put_away(db: &Connection, code: &str, now: Timestamp) -> Result<(), StoreError> {
    db.execute(
        "UPDATE notices SET answered_at = ?2 WHERE code = ?1 AND answered_at IS NULL",
        params![code, ms(now)],
    )?;
    Ok(())
}

pub(crate) fn insert(
    db: &Connection,
    code: &str,
    detail: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO notices (code, detail, noticed_at) VALUES (?1, ?2, ?3)",
        params![code, detail, ms(now)],
    )?;
    Ok(())
}
