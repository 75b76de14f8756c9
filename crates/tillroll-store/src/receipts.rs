//! What was handed over, as it was: never changed, its body dropped after its time.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::StoreError;
use crate::columns::{at, day, first, ms, optional_at};
use crate::record::NewReceipt;

/// What the body of a receipt row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyFormat {
    /// A typed or raw receipt as a POS sent it, canonical JSON.
    Receipt,
    /// A composed document of the register itself, such as the Z report.
    Document,
}

impl BodyFormat {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Receipt => "receipt",
            Self::Document => "document",
        }
    }
}

impl std::str::FromStr for BodyFormat {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        [Self::Receipt, Self::Document]
            .into_iter()
            .find(|format| format.as_str() == text)
            .ok_or_else(|| StoreError::unreadable(text))
    }
}

/// A body and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// What it is.
    pub format: BodyFormat,
    /// Its text: JSON.
    pub text: String,
}

/// Writes the row and gives its flow number, the next without a gap.
pub(crate) fn insert(
    db: &Connection,
    new: &NewReceipt,
    session: i64,
    epoch: u32,
) -> Result<i64, StoreError> {
    let flow_no = next_flow_no(db)?;
    // No INSERT .. SELECT: one that could add many rows copies every page it touches, to undo them.
    let mut statement = db.prepare_cached(
        "INSERT INTO receipts (flow_no, kind, format, fingerprint, body, client, session, epoch,
             issued_at, recorded_at, recorded_boot_ms, takings_minor, tenders)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    statement.execute(params![
        flow_no,
        new.job_id.kind.as_str(),
        new.body.format.as_str(),
        new.fingerprint.as_bytes(),
        new.body.text,
        new.client.map(|client| client.0),
        session,
        epoch,
        new.issued_at.map(ms),
        ms(new.recorded_at),
        i64::try_from(new.recorded_boot.as_millis()).unwrap_or(i64::MAX),
        new.takings.0,
        new.tenders_json(),
    ])?;
    Ok(flow_no)
}

/// Above every number given out here, and above the floor of the register's epoch.
fn next_flow_no(db: &Connection) -> Result<i64, StoreError> {
    let next = first(
        db,
        "SELECT 1 + max(coalesce((SELECT max(flow_no) FROM receipts), 0), flow_floor) FROM register WHERE id = 1",
        [],
        |row| Ok(row.get(0)?),
    )?;
    next.ok_or(StoreError::NotInitialised)
}

/// The session of a receipt, and whether it is closed.
pub(crate) fn session_of(db: &Connection, flow_no: i64) -> Result<(i64, bool), StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT z_no, closed_at IS NOT NULL FROM receipts JOIN sessions ON z_no = session WHERE flow_no = ?1",
    )?;
    Ok(statement.query_row([flow_no], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// The body of a receipt.
pub(crate) fn body(db: &Connection, flow_no: i64) -> Result<Body, StoreError> {
    let mut statement =
        db.prepare_cached("SELECT format, body FROM receipts WHERE flow_no = ?1")?;
    let (format, text): (String, Option<String>) =
        statement.query_row([flow_no], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let text = text.ok_or(StoreError::BodyGone)?;
    Ok(Body { format: format.parse()?, text })
}

/// A receipt's business day and instants, for its story.
#[derive(Debug, Clone)]
pub(crate) struct ReceiptTimes {
    pub day: Date,
    pub issued_at: Option<Timestamp>,
    pub recorded_at: Timestamp,
}

pub(crate) fn times(db: &Connection, flow_no: i64) -> Result<ReceiptTimes, StoreError> {
    let found = first(
        db,
        "SELECT business_day, issued_at, recorded_at FROM receipts JOIN sessions ON z_no = session WHERE flow_no = ?1",
        [flow_no],
        |row| {
            Ok(ReceiptTimes {
                day: day(row, "business_day")?,
                issued_at: optional_at(row, "issued_at")?,
                recorded_at: at(row, "recorded_at")?,
            })
        },
    )?;
    found.ok_or_else(|| StoreError::not_found("receipt", flow_no))
}

/// What was recorded under a job id.
pub(crate) const FINGERPRINT_OF: &str =
    "SELECT fingerprint FROM print_jobs JOIN receipts USING (flow_no) WHERE job_id = ?1";

/// The fingerprint recorded under a job id, if anything was.
pub(crate) fn fingerprint_of(
    db: &Connection,
    job_id: &str,
) -> Result<Option<Fingerprint>, StoreError> {
    first(db, FINGERPRINT_OF, [job_id], |row| {
        let stored = row.get_ref(0)?.as_blob().map_err(StoreError::unreadable)?;
        Fingerprint::from_bytes(stored).map_err(StoreError::unreadable)
    })
}
