//! A day as the head office has acknowledged it here, for while it cannot be asked.

use std::collections::BTreeMap;

use jiff::civil::Date;
use tillroll_domain::ids::JobKind;
use tillroll_domain::reconciliation::Totals;
use tillroll_sqlite::rusqlite::Connection;

use crate::columns::{all, word};
use crate::{Store, StoreError, day};

/// What became of a day's records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AcknowledgedDay {
    /// Receipts and refunds whose record the head office has.
    pub totals: Totals,
    /// Records of the day's receipts that wait.
    pub waiting: i64,
    /// Records of the day's receipts that it refused and nobody has dealt with.
    pub parked: i64,
}

impl Store {
    /// A day as the head office has acknowledged it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn acknowledged_day(&self, day: Date) -> Result<AcknowledgedDay, StoreError> {
        self.read(move |db| Ok(AcknowledgedDay { totals: totals(db, day)?, ..records(db, day)? }))
            .await
    }
}

/// The receipts of a day whose record is acknowledged.
pub(crate) const RECEIPTS: &str = "SELECT r.kind, r.takings_minor, r.tenders
    FROM sessions s
    JOIN receipts r ON r.session = s.z_no
    JOIN outbox o INDEXED BY outbox_by_receipt ON o.flow_no = r.flow_no
    WHERE s.business_day = ?1 AND o.kind = 'receipt' AND o.state = 'acknowledged'";
/// The records of a day's receipts by state.
pub(crate) const RECORDS: &str = "SELECT o.state, count(*)
    FROM sessions s
    JOIN receipts r ON r.session = s.z_no
    JOIN outbox o INDEXED BY outbox_by_receipt ON o.flow_no = r.flow_no
    WHERE s.business_day = ?1 AND o.state <> 'acknowledged' AND o.given_up_at IS NULL
    GROUP BY o.state";

fn totals(db: &Connection, day: Date) -> Result<Totals, StoreError> {
    let mut totals = Totals::default();
    let mut statement = db.prepare_cached(RECEIPTS)?;
    let mut rows = statement.query([day.to_string()])?;
    while let Some(row) = rows.next()? {
        let kind: JobKind = word(row, "kind")?;
        if kind.moves_money() {
            day::add_totals(&mut totals, kind, row)?;
        }
    }
    Ok(totals)
}

fn records(db: &Connection, day: Date) -> Result<AcknowledgedDay, StoreError> {
    let by_state = all(db, RECORDS, [day.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let by_state: BTreeMap<String, i64> = by_state.into_iter().collect();
    let of = |state: &str| by_state.get(state).copied().unwrap_or_default();
    let (waiting, parked) = (of("waiting"), of("parked"));
    Ok(AcknowledgedDay { totals: Totals::default(), waiting, parked })
}
