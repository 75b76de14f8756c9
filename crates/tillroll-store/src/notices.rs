//! What the register itself must tell a person: a rescue, a restored copy. Kept until answered.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{all, at, ms};
use crate::{Store, StoreError};

/// Something a person must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Its row.
    pub id: i64,
    /// `rescued` or `restored`.
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
