//! Verdicts of the head office: only a verdict moves a record.
//!
//! All verdicts of a batch are one transaction, each for itself: a record that is refused parks the records
//! of its receipt that still wait, and nothing else.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::outbox::RecordKind;
use tillroll_sqlite::rusqlite::{Connection, params};
use tillroll_wire::Code;
use tillroll_wire::record::{RecordVerdict, Verdict};

use crate::cloud_hours::HourSets;
use crate::columns::ms;
use crate::feed::Hint;
use crate::{DueRecord, RecordId, Store, StoreError, cloud_hours, cloud_only};

/// What was sent of a record, to hold its verdict against.
#[derive(Debug, Clone)]
pub struct SentRecord {
    id: RecordId,
    request_id: String,
    fingerprint: Fingerprint,
    flow_no: Option<i64>,
    kind: RecordKind,
    recorded_at: Timestamp,
}

impl From<&DueRecord> for SentRecord {
    fn from(due: &DueRecord) -> Self {
        Self {
            id: due.id,
            request_id: due.record.request_id.clone(),
            fingerprint: due.record.fingerprint,
            flow_no: due.record.flow_no,
            kind: due.record.kind,
            recorded_at: due.record.recorded_at,
        }
    }
}

impl SentRecord {
    /// The receipt it belongs to.
    #[must_use]
    pub fn flow_no(&self) -> Option<i64> {
        self.flow_no
    }
}

/// What the verdicts of a batch did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Judged {
    /// Records the head office has.
    pub acknowledged: usize,
    /// Records refused for good, and those that wait with them.
    pub parked: usize,
    /// Records to be sent again, later or since they got no verdict.
    pub left: usize,
    /// How long the head office wants to be left alone.
    pub retry_after: Option<Duration>,
}

impl Store {
    /// Applies the verdicts on a batch. A verdict on a record that was not in it changes nothing.
    ///
    /// # Errors
    /// When the database does not take it; every record then waits as before.
    pub async fn apply_verdicts(
        &self,
        sent: Vec<SentRecord>,
        verdicts: Vec<RecordVerdict>,
        now: Timestamp,
    ) -> Result<Judged, StoreError> {
        let has_splits = sent.iter().any(|record| record.kind == RecordKind::Split);
        let judged = self.write(move |db| apply(db, &sent, &verdicts, now)).await?;
        if judged.parked > 0 {
            self.feed().hint(Hint::Cloud);
        }
        if has_splits && judged.acknowledged + judged.parked > 0 {
            // Those of refunds may have waited for them.
            self.feed().changed();
        }
        Ok(judged)
    }
}

fn apply(
    db: &Connection,
    sent: &[SentRecord],
    verdicts: &[RecordVerdict],
    now: Timestamp,
) -> Result<Judged, StoreError> {
    let mut judged = Judged::default();
    let mut hours = HourSets::default();
    let by_id: std::collections::HashMap<&str, &Verdict> =
        verdicts.iter().map(|given| (given.request_id.as_str(), &given.verdict)).collect();
    for record in sent {
        match by_id.get(record.request_id.as_str()) {
            Some(Verdict::Accepted) => acknowledge(db, record, "accepted", now, &mut hours)?,
            Some(Verdict::Replayed) => acknowledge(db, record, "replayed", now, &mut hours)?,
            Some(Verdict::Rejected { code, detail }) => {
                judged.parked += park(db, record, *code, detail, now)?;
                continue;
            }
            Some(Verdict::RetryAfter { ms }) => {
                let wait = Duration::from_millis(*ms);
                judged.retry_after = Some(judged.retry_after.map_or(wait, |known| known.max(wait)));
                judged.left += 1;
                continue;
            }
            None => {
                judged.left += 1;
                continue;
            }
        }
        judged.acknowledged += 1;
    }
    cloud_hours::add(db, &hours)?;
    Ok(judged)
}

fn acknowledge(
    db: &Connection,
    record: &SentRecord,
    verdict: &str,
    now: Timestamp,
    hours: &mut HourSets,
) -> Result<(), StoreError> {
    let mut statement = db.prepare_cached(
        "UPDATE outbox SET state = 'acknowledged', verdict = ?2, fingerprint = ?3, judged_at = ?4
         WHERE id = ?1 AND state = 'waiting'",
    )?;
    let fingerprint = record.fingerprint.as_bytes();
    let changed = statement.execute(params![record.id.0, verdict, fingerprint, ms(now)])?;
    if changed == 1 {
        cloud_only::forget(db, &record.request_id, hours)?;
        hours.put_in(record.recorded_at, &record.request_id, &record.fingerprint);
    }
    Ok(())
}

/// Parks a record that was refused, and those of its receipt that wait behind it; behind a split that was
/// refused nothing waits. What follows a receipt that was given up is given up with it.
fn park(
    db: &Connection,
    record: &SentRecord,
    code: Code,
    detail: &str,
    now: Timestamp,
) -> Result<usize, StoreError> {
    let parked = db.prepare_cached(PARK)?.execute(params![
        record.id.0,
        code.as_str(),
        detail,
        ms(now),
        record.flow_no
    ])?;
    if parked == 0 {
        return Ok(0);
    }
    tracing::warn!(request_id = %record.request_id, %code, detail, "the head office refused a record");
    // What becomes of a receipt on paper does not depend on how it is shared.
    if record.kind == RecordKind::Split {
        return Ok(parked);
    }
    let behind = params![record.flow_no, Code::ParkedBehind.as_str(), record.request_id, ms(now)];
    let followers = db.prepare_cached(PARK_BEHIND)?.execute(behind)?;
    Ok(parked + followers)
}

const PARK: &str = "UPDATE outbox SET state = 'parked', verdict = ?2, detail = ?3, judged_at = ?4,
        (given_up, given_up_at) = (SELECT g.given_up, g.given_up_at FROM outbox g
            WHERE g.flow_no = ?5 AND g.given_up_at IS NOT NULL AND g.kind <> 'split' LIMIT 1)
    WHERE id = ?1 AND state = 'waiting'";
const PARK_BEHIND: &str =
    "UPDATE outbox SET state = 'parked', verdict = ?2, detail = 'behind ' || ?3, judged_at = ?4
    WHERE flow_no = ?1 AND state = 'waiting'";
