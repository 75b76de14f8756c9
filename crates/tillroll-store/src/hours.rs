//! When the receipts of a day came, and how much of it is still open.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::columns::{all, instant};
use crate::{Store, StoreError};

/// The receipts recorded in a quarter of an hour. No time zone's hours begin inside one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quarter {
    /// When it began.
    pub began_at: Timestamp,
    /// Receipts and refunds recorded.
    pub receipts: i64,
    /// Of them not settled on paper.
    pub still_open: i64,
}

const QUARTER_MS: i64 = 15 * 60 * 1_000;

/// The receipts of a day by quarter.
pub(crate) const QUARTERS_OF: &str =
    "SELECT r.recorded_at / ?2 * ?2 AS began_at, count(*) AS receipts,
         sum(j.state <> 'printed' AND j.state <> 'skipped') AS still_open
     FROM sessions s JOIN receipts r ON r.session = s.z_no
         JOIN print_jobs j ON j.flow_no = r.flow_no AND j.copy_no = 0
     WHERE s.business_day = ?1 AND (r.kind = 'receipt' OR r.kind = 'refund')
     GROUP BY r.recorded_at / ?2 ORDER BY 1";

impl Store {
    /// The quarters of a day in which something was recorded, first to last.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn quarters(&self, day: Date) -> Result<Vec<Quarter>, StoreError> {
        self.read(move |db| {
            all(db, QUARTERS_OF, (day.to_string(), QUARTER_MS), |row| {
                Ok(Quarter {
                    began_at: instant(row.get("began_at")?)?,
                    receipts: row.get("receipts")?,
                    still_open: row.get("still_open")?,
                })
            })
        })
        .await
    }
}
