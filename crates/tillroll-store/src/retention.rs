//! Retention: bodies of settled receipts go after their time; ids and fingerprints stay for good, so
//! that an old id sent again never prints.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::params;

use crate::columns::{all, ms};
use crate::{Store, StoreError};

/// All papers of receipt `r` are settled and its records acknowledged, or given up by a person.
const DONE_WITH: &str =
    "NOT EXISTS (SELECT 1 FROM print_jobs j WHERE j.flow_no = r.flow_no AND j.state NOT IN ('printed', 'skipped'))
     AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.flow_no = r.flow_no AND o.state <> 'acknowledged' AND o.given_up_at IS NULL)";

impl Store {
    /// Drops the bodies of receipts recorded before an instant whose papers are all settled and whose
    /// records are acknowledged; at most `most` of them. Returns how many.
    ///
    /// They are looked for beside the writer, which only drops: no sale waits for a search through years.
    ///
    /// # Errors
    /// When the database cannot be read, or does not take it.
    pub async fn drop_bodies(&self, before: Timestamp, most: u32) -> Result<usize, StoreError> {
        let found: Vec<i64> = self
            .read(move |db| {
                let sql = format!(
                    "SELECT r.flow_no FROM receipts r
                     WHERE r.body IS NOT NULL AND r.recorded_at < ?1 AND {DONE_WITH} ORDER BY r.flow_no LIMIT ?2"
                );
                all(db, &sql, params![ms(before), most], |row| Ok(row.get(0)?))
            })
            .await?;
        if found.is_empty() {
            return Ok(0);
        }
        self.write(move |db| {
            // A copy may have been asked for since.
            let sql = format!(
                "UPDATE receipts AS r SET body = NULL WHERE r.flow_no = ?1 AND {DONE_WITH}"
            );
            let mut statement = db.prepare_cached(&sql)?;
            let mut dropped = 0;
            for flow_no in &found {
                dropped += statement.execute([flow_no])?;
            }
            Ok(dropped)
        })
        .await
    }
}
