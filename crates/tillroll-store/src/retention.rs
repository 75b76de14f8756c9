//! Retention: bodies of settled receipts go after their time; ids and fingerprints stay for good, so
//! that an old id sent again never prints.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::ms;
use crate::{Store, StoreError};

/// All papers of receipt `r` are settled and its records acknowledged, or given up by a person.
const DONE_WITH: &str =
    "NOT EXISTS (SELECT 1 FROM print_jobs j WHERE j.flow_no = r.flow_no AND j.state NOT IN ('printed', 'skipped'))
     AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.flow_no = r.flow_no AND o.state <> 'acknowledged' AND o.given_up_at IS NULL)";

/// Some receipts in their order, whether each is old, and whether its body may go.
pub(crate) fn looked_at_sql() -> String {
    format!(
        "SELECT r.flow_no, r.recorded_at < ?2, r.body IS NOT NULL AND r.recorded_at < ?2 AND {DONE_WITH}
         FROM receipts r WHERE r.flow_no >= ?1 ORDER BY r.flow_no LIMIT ?3"
    )
}

/// How much of the receipts one look takes, so that neither it nor a sale beside it waits long.
#[derive(Debug, Clone, Copy)]
pub struct Portion {
    /// Receipts looked at, at most.
    pub looked_at: u32,
    /// Bodies dropped, in one transaction, at most.
    pub dropped: u32,
}

/// What a look came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// Bodies dropped.
    pub bodies: usize,
    /// The flow number to go on with; none when no old receipt is left to look at.
    pub next: Option<i64>,
}

impl Store {
    /// Drops the bodies of receipts recorded before an instant whose papers are all settled and whose
    /// records are acknowledged: looks at one portion of the receipts from a flow number on.
    ///
    /// They are looked for beside the writer, which only drops: no sale waits for a search through years.
    ///
    /// # Errors
    /// When the database cannot be read, or does not take it.
    pub async fn drop_bodies(
        &self,
        before: Timestamp,
        from: i64,
        portion: Portion,
    ) -> Result<Dropped, StoreError> {
        let Found { flow_numbers, next } =
            self.read(move |db| find(db, before, from, portion)).await?;
        if flow_numbers.is_empty() {
            return Ok(Dropped { bodies: 0, next });
        }
        let bodies = self.write(move |db| drop_found(db, &flow_numbers)).await?;
        Ok(Dropped { bodies, next })
    }
}

/// Receipts whose bodies may go, and where to go on.
struct Found {
    flow_numbers: Vec<i64>,
    next: Option<i64>,
}

/// Not every receipt after a new one is new, since a clock may have been set; after a whole portion of new
/// ones all are.
fn find(
    db: &Connection,
    before: Timestamp,
    from: i64,
    portion: Portion,
) -> Result<Found, StoreError> {
    let mut found = Found { flow_numbers: Vec::new(), next: None };
    let (mut looked_at, mut last, mut any_old) = (0, from, false);
    let mut statement = db.prepare_cached(&looked_at_sql())?;
    let mut rows = statement.query(params![from, ms(before), portion.looked_at])?;
    while let Some(row) = rows.next()? {
        looked_at += 1;
        last = row.get(0)?;
        any_old |= row.get::<_, bool>(1)?;
        if row.get(2)? {
            found.flow_numbers.push(last);
        }
        if found.flow_numbers.len() >= portion.dropped as usize {
            found.next = Some(last + 1);
            return Ok(found);
        }
    }
    found.next = (any_old && looked_at == portion.looked_at).then_some(last + 1);
    Ok(found)
}

/// Takes the rows out and puts them back without their bodies: a row that only shrinks leaves a hole in its page
/// that nothing fills, since receipts are added at the end; of rows taken out the pages are joined, and the
/// file uses those left over again.
const WITHOUT_BODY: &str =
    "REPLACE INTO receipts (flow_no, kind, format, fingerprint, body, client, session, epoch,
        issued_at, recorded_at, recorded_boot_ms, takings_minor, tenders)
    SELECT flow_no, kind, format, fingerprint, NULL, client, session, epoch,
        issued_at, recorded_at, recorded_boot_ms, takings_minor, tenders
    FROM receipts r WHERE r.flow_no = ?1";

/// A copy may have been asked for since they were found.
fn drop_found(db: &Connection, flow_numbers: &[i64]) -> Result<usize, StoreError> {
    let sql = format!("{WITHOUT_BODY} AND {DONE_WITH}");
    let mut statement = db.prepare_cached(&sql)?;
    let mut dropped = 0;
    for flow_no in flow_numbers {
        dropped += statement.execute([flow_no])?;
    }
    Ok(dropped)
}
