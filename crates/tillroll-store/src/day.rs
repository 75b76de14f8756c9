//! The day as the register recorded it: sessions, totals, papers, flow numbers, and the close.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::ids::JobKind;
use tillroll_domain::money::Minor;
use tillroll_domain::outbox::RecordKind;
use tillroll_domain::print_job::{Confirmation, JobState};
use tillroll_domain::reconciliation::{FlowNumber, PaperCounts, Totals};
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use crate::columns::{all, at, first, ms, optional_at, optional_word, word};
use crate::feed::Hint;
use crate::outbox::RecordRow;
use crate::{CashMovement, ClientId, JobRow, Store, StoreError, cash, columns, outbox, sessions};

/// A day, from the register's own rows.
#[derive(Debug, Clone)]
pub struct DayView {
    /// What the POS declared.
    pub pos: Option<Totals>,
    /// What was recorded.
    pub register: Totals,
    /// What became of it on paper.
    pub paper: PaperCounts,
    /// Flow numbers of the day, ascending; every kind.
    pub flow_numbers: Vec<FlowNumber>,
    /// The day's sessions, first to last.
    pub sessions: Vec<SessionView>,
}

/// A numbered session.
#[derive(Debug, Clone)]
pub struct SessionView {
    /// Its number.
    pub z_no: i64,
    /// When it began.
    pub opened_at: Timestamp,
    /// When it was closed.
    pub closed_at: Option<Timestamp>,
    /// The figures it was closed with, JSON.
    pub closing: Option<String>,
    /// What was recorded in it.
    pub totals: Totals,
    /// What became of that on paper.
    pub paper: PaperCounts,
    /// Movements of cash, first to last.
    pub cash: Vec<CashMovement>,
    /// What changed after it was closed.
    pub corrections: Vec<Correction>,
}

/// An answer or proof that came after the close.
#[derive(Debug, Clone)]
pub struct Correction {
    /// The job.
    pub job_id: String,
    /// Its state just before.
    pub was: JobState,
    /// What it became.
    pub became: JobState,
    /// When.
    pub corrected_at: Timestamp,
}

/// A close of a day's open session.
#[derive(Debug, Clone)]
pub struct Closing {
    /// The business day.
    pub day: Date,
    /// The session shown to whoever closes it; another one open by now is refused.
    pub z_no: Option<i64>,
    /// What was counted in the drawer at the close.
    pub count: Option<CashMovement>,
    /// Who closes.
    pub client: Option<ClientId>,
    /// This register, for the record's id.
    pub register: String,
}

impl Store {
    /// Everything recorded of a day.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn day(&self, day: Date) -> Result<DayView, StoreError> {
        self.read(move |db| view(db, day)).await
    }

    /// What the POS says of a day; the last word counts.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn declare_pos_totals(
        &self,
        day: Date,
        totals: Totals,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let text = serde_json::to_string(&totals).map_err(StoreError::unreadable)?;
        self.write(move |db| {
            db.execute(
                "INSERT INTO pos_totals (business_day, totals, declared_at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (business_day) DO UPDATE SET totals = excluded.totals, declared_at = excluded.declared_at",
                params![day.to_string(), text, ms(now)],
            )?;
            Ok(())
        })
        .await?;
        self.feed().hint(Hint::Day);
        Ok(())
    }

    /// Closes the open session of a day, with differences or without. `figures` makes of the day what it
    /// is closed with: JSON that stands for good, and the answer. It sees the day in the transaction of the
    /// close, so that nothing recorded meanwhile is missing.
    ///
    /// # Errors
    /// [`StoreError::Forbidden`] when that session, or none, is open; nothing is recorded then.
    pub async fn close_session<T: Send + 'static>(
        &self,
        closing: Closing,
        figures: impl Fn(&DayView, &SessionView) -> Result<(String, T), StoreError> + Send + 'static,
        now: Timestamp,
    ) -> Result<T, StoreError> {
        let closed = self.write(move |db| close(db, &closing, &figures, now)).await?;
        self.feed().hint(Hint::Day);
        Ok(closed)
    }

    /// The session closed last, of whichever day, with the JSON it was closed with.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn last_closed(&self) -> Result<Option<(Date, String)>, StoreError> {
        self.read(|db| {
            first(db, LAST_CLOSED, [], |row| {
                Ok((columns::day(row, "business_day")?, row.get("closing")?))
            })
        })
        .await
    }
}

fn close<T>(
    db: &Connection,
    closing: &Closing,
    figures: impl Fn(&DayView, &SessionView) -> Result<(String, T), StoreError>,
    now: Timestamp,
) -> Result<T, StoreError> {
    let z_no = session_to_close(db, closing)?;
    if let Some(count) = &closing.count {
        cash::insert(db, z_no, count, closing.client)?;
    }
    let day = view(db, closing.day)?;
    let session = day.sessions.iter().find(|session| session.z_no == z_no);
    let session = session.ok_or_else(|| StoreError::not_found("session", z_no))?;
    let (figures, answer) = figures(&day, session)?;
    db.execute(
        "UPDATE sessions SET closed_at = ?2, closing = ?3 WHERE z_no = ?1",
        params![z_no, ms(now), figures],
    )?;
    outbox::insert(
        db,
        &RecordRow {
            kind: RecordKind::Close,
            subject: format!("{}:{}:z{z_no}", closing.register, closing.day),
            row_version: 1,
            flow_no: None,
            body: Some(figures),
            now,
        },
    )?;
    Ok(answer)
}

fn session_to_close(db: &Connection, closing: &Closing) -> Result<i64, StoreError> {
    let open = sessions::find_open(db, &closing.day.to_string())?;
    let open = open.ok_or(StoreError::Forbidden("no session of this day is open"))?;
    if closing.z_no.is_some_and(|shown| shown != open) {
        return Err(StoreError::Forbidden("another session is open by now: look again"));
    }
    Ok(open)
}

/// A row for the books of a closed session; the session itself never changes.
pub(crate) fn correct(
    db: &Connection,
    session: i64,
    row: &JobRow,
    became: JobState,
    now: Timestamp,
) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO corrections (session, job, was, became, corrected_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![session, row.id.0, row.state.as_str(), became.as_str(), ms(now)],
    )?;
    let body = serde_json::json!({"z_no": session, "was": row.state, "became": became});
    outbox::insert(
        db,
        &RecordRow {
            kind: RecordKind::Correction,
            subject: row.job_id.to_string(),
            row_version: row.row_version + 1,
            flow_no: Some(row.flow_no),
            body: Some(body.to_string()),
            now,
        },
    )
}

fn view(db: &Connection, day: Date) -> Result<DayView, StoreError> {
    let mut view = DayView {
        pos: pos_totals(db, day)?,
        register: Totals::default(),
        paper: PaperCounts::default(),
        flow_numbers: Vec::new(),
        sessions: sessions_of(db, day)?,
    };
    for session in &mut view.sessions {
        read_receipts(db, session, &mut view.flow_numbers)?;
        session.paper.copies = copies(db, session.z_no)?;
        merge(&mut view.register, &session.totals);
        view.paper += session.paper;
    }
    view.flow_numbers.sort_unstable();
    Ok(view)
}

fn pos_totals(db: &Connection, day: Date) -> Result<Option<Totals>, StoreError> {
    first(db, "SELECT totals FROM pos_totals WHERE business_day = ?1", [day.to_string()], |row| {
        let text: String = row.get(0)?;
        serde_json::from_str(&text).map_err(StoreError::unreadable)
    })
}

fn sessions_of(db: &Connection, day: Date) -> Result<Vec<SessionView>, StoreError> {
    let mut sessions = all(db, SESSIONS_OF, [day.to_string()], |row| {
        Ok(SessionView {
            z_no: row.get("z_no")?,
            opened_at: at(row, "opened_at")?,
            closed_at: optional_at(row, "closed_at")?,
            closing: row.get("closing")?,
            totals: Totals::default(),
            paper: PaperCounts::default(),
            cash: Vec::new(),
            corrections: Vec::new(),
        })
    })?;
    for session in &mut sessions {
        session.cash = cash::of_session(db, session.z_no)?;
        session.corrections = corrections(db, session.z_no)?;
    }
    Ok(sessions)
}

fn corrections(db: &Connection, session: i64) -> Result<Vec<Correction>, StoreError> {
    all(db, "SELECT job_id, was, became, corrected_at FROM corrections c JOIN print_jobs j ON j.id = c.job
         WHERE session = ?1 ORDER BY c.id", [session], |row| {
        Ok(Correction {
            job_id: row.get("job_id")?,
            was: word(row, "was")?,
            became: word(row, "became")?,
            corrected_at: at(row, "corrected_at")?,
        })
    })
}

/// The receipts of a session and their original papers.
pub(crate) const RECEIPTS_OF: &str =
    "SELECT r.flow_no, r.epoch, r.kind, r.takings_minor, r.tenders, j.state, j.confirmation, j.reprint
    FROM receipts r JOIN print_jobs j ON j.flow_no = r.flow_no AND j.copy_no = 0
    WHERE r.session = ?1 ORDER BY r.flow_no";
/// The copies printed of a session's receipts.
pub(crate) const COPIES_OF: &str =
    "SELECT count(*) FROM receipts r JOIN print_jobs j ON j.flow_no = r.flow_no
    WHERE r.session = ?1 AND j.copy_no > 0 AND j.state = 'printed'";
/// The session closed last.
const LAST_CLOSED: &str = "SELECT business_day, closing FROM sessions
    WHERE closed_at IS NOT NULL AND closing IS NOT NULL ORDER BY closed_at DESC, z_no DESC LIMIT 1";
/// The sessions of a day.
pub(crate) const SESSIONS_OF: &str = "SELECT z_no, opened_at, closed_at, closing FROM sessions WHERE business_day = ?1 ORDER BY z_no";

/// Sums the receipts of a session and counts the states of their original papers.
fn read_receipts(
    db: &Connection,
    session: &mut SessionView,
    flow_numbers: &mut Vec<FlowNumber>,
) -> Result<(), StoreError> {
    let mut statement = db.prepare_cached(RECEIPTS_OF)?;
    let mut rows = statement.query([session.z_no])?;
    while let Some(row) = rows.next()? {
        flow_numbers.push(FlowNumber { epoch: row.get("epoch")?, number: row.get("flow_no")? });
        let kind: JobKind = word(row, "kind")?;
        if kind.moves_money() {
            add_totals(&mut session.totals, kind, row)?;
            add_paper(&mut session.paper, row)?;
        }
    }
    Ok(())
}

/// Adds a receipt or refund, from a row with its takings and tenders.
pub(crate) fn add_totals(
    totals: &mut Totals,
    kind: JobKind,
    row: &Row<'_>,
) -> Result<(), StoreError> {
    let takings = Minor(row.get("takings_minor")?);
    if kind == JobKind::Refund {
        totals.refunds += 1;
        totals.refunded_minor = totals.refunded_minor - takings;
    } else {
        totals.receipts += 1;
        totals.gross_minor = totals.gross_minor + takings;
    }
    let text: String = row.get("tenders")?;
    let tenders: BTreeMap<String, Minor> =
        serde_json::from_str(&text).map_err(StoreError::unreadable)?;
    for (tender, amount) in tenders {
        let sum = totals.tenders.entry(tender).or_default();
        *sum = *sum + amount;
    }
    Ok(())
}

fn add_paper(paper: &mut PaperCounts, row: &Row<'_>) -> Result<(), StoreError> {
    paper.recorded += 1;
    let confirmation: Option<Confirmation> = optional_word(row, "confirmation")?;
    let count = match word(row, "state")? {
        JobState::Printed => match confirmation {
            Some(Confirmation::Clerk) => &mut paper.confirmed_by_clerk,
            Some(Confirmation::Assumed) => &mut paper.assumed,
            Some(Confirmation::Token | Confirmation::Counter | Confirmation::InOrder) | None => {
                &mut paper.printed
            }
        },
        JobState::Skipped => &mut paper.skipped,
        JobState::Unconfirmed | JobState::Sent => &mut paper.unconfirmed,
        JobState::Failed => &mut paper.failed,
        JobState::Pending | JobState::Held | JobState::Printing => &mut paper.waiting,
    };
    *count += 1;
    let printed_again: bool = row.get("reprint")?;
    if printed_again && confirmation.is_some() && confirmation != Some(Confirmation::Clerk) {
        paper.reprinted += 1;
    }
    Ok(())
}

fn copies(db: &Connection, session: i64) -> Result<i64, StoreError> {
    let mut statement = db.prepare_cached(COPIES_OF)?;
    Ok(statement.query_row([session], |row| row.get(0))?)
}

fn merge(sum: &mut Totals, part: &Totals) {
    sum.receipts += part.receipts;
    sum.refunds += part.refunds;
    sum.gross_minor = sum.gross_minor + part.gross_minor;
    sum.refunded_minor = sum.refunded_minor + part.refunded_minor;
    for (tender, amount) in &part.tenders {
        let total = sum.tenders.entry(tender.clone()).or_default();
        *total = *total + *amount;
    }
}
