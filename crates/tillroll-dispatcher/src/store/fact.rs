//! What a record says, checked as far as the head office can: pure, the same for every engine.
//!
//! A refusal here is for good: the same record gets it again. What depends on other records (an id used
//! twice, a receipt that was refused) is judged by the engine.

mod split;

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tillroll_domain::ids::{JobId, JobKind, Part};
use tillroll_domain::money::AMOUNT_MAX;
use tillroll_domain::outbox::RecordKind;
use tillroll_domain::print_job::{Confirmation, JobState};
use tillroll_wire::Code;
use tillroll_wire::record::{ReceiptFact, Record};

pub use self::split::Shared;

/// The longest request id: two ids and their numbers fit well.
pub const REQUEST_ID_MAX: usize = 300;
/// Most tender types of one receipt.
pub const TENDERS_MAX: usize = 32;
/// The longest name of a tender type, in bytes.
pub const TENDER_MAX: usize = 64;
/// A business day ends at most this many days away from the time of its records: zone and cut-off.
pub const DAY_DISTANCE_MAX: i32 = 2;

/// Most characters of what a reader says of a body: it may repeat what stands there.
const DETAIL_MAX: usize = 200;

/// A record that can be understood.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A receipt was recorded.
    Receipt(Sale),
    /// A print job settled.
    Print(Paper),
    /// A session of a day was closed.
    Close(Date),
    /// A correction after the close: kept, counted nowhere.
    Correction,
    /// A sale or refund is to be shared.
    Split(Shared),
}

/// A receipt for the books.
#[derive(Debug, Clone, PartialEq)]
pub struct Sale {
    /// Its job id, of this store.
    pub id: JobId,
    /// Its flow number.
    pub flow_no: i64,
    /// Business day.
    pub day: Date,
    /// Z number of its session.
    pub z_no: i64,
    /// Takings: their sign goes with the kind.
    pub takings_minor: i64,
    /// Takings by tender type.
    pub tenders: BTreeMap<String, i64>,
}

impl Sale {
    /// What it is.
    #[must_use]
    pub fn kind(&self) -> JobKind {
        self.id.kind
    }
}

/// What became of a job on paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    /// The job, of this store.
    pub id: JobId,
    /// Version of the job's row: the higher one is the newer.
    pub row_version: i64,
    /// Its state.
    pub state: JobState,
    /// What proves it.
    pub confirmation: Option<Confirmation>,
}

impl Paper {
    /// Whether it is known to be on paper, by a device or a clerk; an owner's trust is no knowledge.
    #[must_use]
    pub fn is_on_paper(&self) -> bool {
        is_on_paper(self.state, self.confirmation)
    }
}

/// As [`Paper::is_on_paper`].
#[must_use]
pub fn is_on_paper(state: JobState, confirmation: Option<Confirmation>) -> bool {
    state == JobState::Printed && confirmation.is_some_and(|known| known != Confirmation::Assumed)
}

/// Why a record is refused for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The code.
    pub code: Code,
    /// Why, naming the field, for people.
    pub detail: String,
}

impl Refused {
    /// A refusal.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }

    fn value(detail: impl Into<String>) -> Self {
        Self::new(Code::InvalidValue, detail)
    }
}

/// Reads a record of a store with this code.
///
/// # Errors
/// [`Refused`], naming the field.
pub fn read(record: &Record, store: &Part) -> Result<Fact, Refused> {
    match record.kind {
        RecordKind::Receipt => receipt(record, store).map(Fact::Receipt),
        RecordKind::Print => print(record, store).map(Fact::Print),
        RecordKind::Close => close(record).map(Fact::Close),
        RecordKind::Correction => correction(record, store).map(|()| Fact::Correction),
        RecordKind::Split => split::read(record, store).map(Fact::Split),
    }
}

/// Looks whether the id of a record can be one: a text that every engine can keep.
///
/// # Errors
/// [`Refused`].
pub fn check_request_id(record: &Record) -> Result<(), Refused> {
    let request_id = &record.request_id;
    if (1..=REQUEST_ID_MAX).contains(&request_id.len()) && !request_id.contains('\0') {
        return Ok(());
    }
    Err(Refused::value(format!(
        "request_id: must have 1 to {REQUEST_ID_MAX} bytes, none of them zero"
    )))
}

/// The day in whose books a refusal of this record counts: the one it names, or that of its time in UTC.
#[must_use]
pub fn day_of(record: &Record) -> Date {
    let named =
        record.body.get("day").and_then(|day| day.as_str()).and_then(|day| day.parse().ok());
    match record.kind {
        RecordKind::Receipt | RecordKind::Split => named,
        RecordKind::Close => Subject::of(record).ok().and_then(|subject| subject.day()),
        RecordKind::Print | RecordKind::Correction => None,
    }
    .unwrap_or_else(|| recorded_on(record))
}

fn recorded_on(record: &Record) -> Date {
    TimeZone::UTC.to_datetime(record.recorded_at).date()
}

fn receipt(record: &Record, store: &Part) -> Result<Sale, Refused> {
    let fact: ReceiptFact = body(record)?;
    let id = own_job(&fact.id, store)?;
    let Some(flow_no) = record.flow_no.filter(|flow_no| *flow_no > 0) else {
        return Err(Refused::value("flow_no: a receipt has one, from 1"));
    };
    if id.kind != fact.kind || id.copy.is_some() {
        return Err(Refused::value("kind: must be that of the id, and a copy is no receipt"));
    }
    check_amounts(&fact)?;
    check_day(fact.day, record)?;
    let ReceiptFact { day, z_no, takings_minor, tenders, .. } = fact;
    Ok(Sale { id, flow_no, day, z_no, takings_minor, tenders })
}

fn check_amounts(fact: &ReceiptFact) -> Result<(), Refused> {
    let takings = fact.takings_minor;
    let fits = match fact.kind {
        JobKind::Receipt => (0..=AMOUNT_MAX).contains(&takings),
        JobKind::Refund => (-AMOUNT_MAX..=0).contains(&takings),
        JobKind::Prebill | JobKind::Kitchen | JobKind::Report => takings == 0,
    };
    if !fits {
        let kind = fact.kind;
        return Err(Refused::value(format!("takings_minor: {takings} cannot be that of a {kind}")));
    }
    if fact.tenders.len() > TENDERS_MAX {
        return Err(Refused::value(format!("tenders: at most {TENDERS_MAX} types")));
    }
    let plain = |(name, amount): (&String, &i64)| {
        let fits = (1..=TENDER_MAX).contains(&name.len()) && !name.contains('\0');
        fits && amount.unsigned_abs() <= AMOUNT_MAX.unsigned_abs()
    };
    if fact.tenders.iter().all(plain) {
        return Ok(());
    }
    Err(Refused::value(format!(
        "tenders: names of 1 to {TENDER_MAX} bytes, none of them zero, amounts to {AMOUNT_MAX}"
    )))
}

fn check_day(day: Date, record: &Record) -> Result<(), Refused> {
    let recorded = recorded_on(record);
    let distance = recorded.until(day).map_or(i32::MAX, |span| span.get_days().abs());
    if distance <= DAY_DISTANCE_MAX {
        return Ok(());
    }
    Err(Refused::value(format!("day: {day} is far from {recorded}, when it was recorded")))
}

/// What the body of a `print` record says.
#[derive(Deserialize)]
struct PrintBody {
    state: JobState,
    #[serde(default)]
    confirmation: Option<Confirmation>,
}

fn print(record: &Record, store: &Part) -> Result<Paper, Refused> {
    let PrintBody { state, confirmation } = body(record)?;
    let subject = Subject::of(record)?;
    let id = own_job(subject.name, store)?;
    Ok(Paper { id, row_version: subject.row_version, state, confirmation })
}

fn close(record: &Record) -> Result<Date, Refused> {
    if !record.body.is_object() {
        return Err(Refused::new(Code::InvalidBody, "body: must be the figures of the session"));
    }
    let day = Subject::of(record)?.day();
    day.ok_or_else(|| Refused::value("request_id: a close is register:day:zN/close/eN/rN"))
}

/// What the body of a `correction` record says.
#[derive(Deserialize)]
#[expect(dead_code, reason = "must be there; the body itself is kept")]
struct CorrectionBody {
    z_no: i64,
    was: JobState,
    became: JobState,
}

fn correction(record: &Record, store: &Part) -> Result<(), Refused> {
    let _readable: CorrectionBody = body(record)?;
    own_job(Subject::of(record)?.name, store).map(drop)
}

fn body<T: DeserializeOwned>(record: &Record) -> Result<T, Refused> {
    T::deserialize(&record.body).map_err(|error| {
        let kind = record.kind.as_str();
        let why: String = error.to_string().chars().take(DETAIL_MAX).collect();
        Refused::new(Code::InvalidBody, format!("body: cannot be read as a {kind}: {why}"))
    })
}

/// A job id of this store. Another store's looks like one that does not exist.
fn own_job(text: &str, store: &Part) -> Result<JobId, Refused> {
    let id: JobId = text.parse().map_err(|error| Refused::value(format!("id: {error}")))?;
    if id.store == *store {
        return Ok(id);
    }
    Err(Refused::new(Code::NotFound, "id: there is no such job in this store"))
}

/// A request id taken apart: `{subject}/{kind}/e{epoch}/r{row version}`.
struct Subject<'a> {
    name: &'a str,
    row_version: i64,
}

impl<'a> Subject<'a> {
    fn of(record: &'a Record) -> Result<Self, Refused> {
        Self::parse(record).ok_or_else(|| {
            let kind = record.kind.as_str();
            let epoch = record.epoch;
            Refused::value(format!("request_id: must end in /{kind}/e{epoch}/r and a row version"))
        })
    }

    fn parse(record: &'a Record) -> Option<Self> {
        let mut parts = record.request_id.split('/');
        let name = parts.next()?;
        let kind = parts.next()?;
        let epoch: u32 = parts.next()?.strip_prefix('e')?.parse().ok()?;
        let row_version = parts.next()?.strip_prefix('r')?.parse().ok()?;
        let whole = parts.next().is_none();
        let fits = whole && kind == record.kind.as_str() && epoch == record.epoch;
        fits.then_some(Self { name, row_version })
    }

    /// The day of a close: `register:day:zN`.
    fn day(&self) -> Option<Date> {
        self.name.split(':').nth(1)?.parse().ok()
    }
}

#[cfg(test)]
mod tests;
