//! Retention: bodies of settled receipts go after their time; ids and fingerprints stay for good, so
//! that an old id sent again never prints.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::params;

use crate::columns::ms;
use crate::{Store, StoreError};

impl Store {
    /// Drops the bodies of receipts recorded before an instant whose papers are all settled and whose
    /// records are acknowledged; at most `most` of them. Returns how many.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn drop_bodies(&self, before: Timestamp, most: u32) -> Result<usize, StoreError> {
        self.write(move |db| {
            Ok(db.execute(
                "UPDATE receipts SET body = NULL WHERE flow_no IN (
                     SELECT r.flow_no FROM receipts r WHERE r.body IS NOT NULL AND r.recorded_at < ?1
                     AND NOT EXISTS (SELECT 1 FROM print_jobs j WHERE j.flow_no = r.flow_no AND j.state NOT IN ('printed', 'skipped'))
                     AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.flow_no = r.flow_no AND o.state <> 'acknowledged')
                     ORDER BY r.flow_no LIMIT ?2)",
                params![ms(before), most],
            )?)
        })
        .await
    }
}
