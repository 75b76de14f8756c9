//! Recording a receipt: receipt, print job, outbox row and flow number in one transaction.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::JobId;
use tillroll_domain::money::Minor;
use tillroll_domain::print_job::{Event, HoldReason, JobReason, JobState};
use tillroll_sqlite::rusqlite::Connection;

use crate::feed::Hint;
use crate::mark::Numbers;
use crate::outbox::RecordRow;
use crate::print_jobs::InsertJob;
use crate::spool::{Claimed, claim_row};
use crate::{
    AttemptId, Body, ClientId, DrawerState, JobRow, PlannedAttempt, PrinterId, Pushed, RefusedAs,
    Store, StoreError, attempts, outbox, print_jobs, pushed, receipts, rejected, sessions, sharing,
    spool,
};

/// A receipt that passed its checks.
#[derive(Debug, Clone)]
pub struct NewReceipt {
    /// Its id.
    pub job_id: JobId,
    /// Its canonical body.
    pub body: Body,
    /// The body's fingerprint.
    pub fingerprint: Fingerprint,
    /// Where it prints.
    pub printer: PrinterId,
    /// Who handed it over; `None` is the register itself.
    pub client: Option<ClientId>,
    /// What an earlier refusal of it is listed under; `None` when it cannot have been refused.
    pub refused_as: Option<RefusedAs>,
    /// The business day of its recording.
    pub day: Date,
    /// The POS's own time.
    pub issued_at: Option<Timestamp>,
    /// The register's time.
    pub recorded_at: Timestamp,
    /// The register's boot clock.
    pub recorded_boot: Duration,
    /// What it adds to the takings.
    pub takings: Minor,
    /// What each tender type gains.
    pub tenders: Vec<(String, Minor)>,
    /// It asks for the drawer.
    pub drawer: bool,
    /// It may print only after an answer.
    pub held: Option<HoldReason>,
    /// Its printer is idle and its bytes are ready: claim it in the same commit.
    pub claiming: Option<Claiming>,
    /// The head office pushed it and is told what becomes of it.
    pub pushed: Option<Pushed>,
}

/// The attempt to begin in the commit that records the job.
#[derive(Debug, Clone)]
pub struct Claiming {
    /// What is known before the first byte.
    pub planned: PlannedAttempt,
    /// What becomes of its drawer pulse.
    pub drawer: DrawerState,
}

impl NewReceipt {
    /// Why it waits for an answer: as it was handed over, or pushed too late already.
    fn held_reason(&self) -> Option<HoldReason> {
        self.held.or_else(|| self.pushed?.held_at(self.recorded_boot))
    }

    pub(crate) fn tenders_json(&self) -> String {
        let map: serde_json::Map<_, _> =
            self.tenders.iter().map(|(name, amount)| (name.clone(), amount.0.into())).collect();
        serde_json::Value::Object(map).to_string()
    }
}

/// The answer to a receipt.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// The job as it stands.
    pub job: JobRow,
    /// It was recorded before, with the same body: nothing is new.
    pub replayed: bool,
    /// The attempt that began in the same commit.
    pub claimed: Option<Claimed>,
    /// The session it was recorded in; `None` for a replay.
    pub(crate) session: Option<i64>,
    /// Refusals of it that were answered with that.
    pub(crate) refusals_answered: usize,
}

impl Store {
    /// Records a receipt. Durable when it returns. The same id with the same body is a replay.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] for the same id with another body; [`StoreError::DiskFull`] and
    /// [`StoreError::Unavailable`] when certainly nothing was stored; [`StoreError::OutcomeUnknown`].
    pub async fn record_receipt(&self, new: NewReceipt) -> Result<Recorded, StoreError> {
        let (epoch, shares) = (self.inner.epoch, self.shares_orders());
        let recorded = self.write(move |db| record(db, &new, epoch, shares)).await?;
        self.recorded(&recorded);
        Ok(recorded)
    }

    /// The blocking form of [`Store::record_receipt`], for callers without a runtime.
    ///
    /// # Errors
    /// As there.
    pub fn record_receipt_blocking(&self, new: NewReceipt) -> Result<Recorded, StoreError> {
        let (epoch, shares) = (self.inner.epoch, self.shares_orders());
        let work = move |db: &Connection| record(db, &new, epoch, shares);
        let recorded = self.inner.database.write(work).map_err(StoreError::from_write)?;
        self.recorded(&recorded);
        Ok(recorded)
    }

    /// What the same body under the same id was answered with; `None` when the id is new.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] for the same id with another body.
    pub async fn replay_of(
        &self,
        job_id: String,
        fingerprint: Fingerprint,
    ) -> Result<Option<Recorded>, StoreError> {
        self.read(move |db| replay(db, &job_id, fingerprint)).await
    }

    fn recorded(&self, recorded: &Recorded) {
        if recorded.replayed {
            return;
        }
        self.note(Numbers {
            flow_no: recorded.job.flow_no,
            attempt: recorded.claimed.as_ref().map_or(0, |claimed| claimed.attempt.0),
            answer: 0,
            z_no: recorded.session.unwrap_or(0),
        });
        if recorded.refusals_answered > 0 {
            self.feed().hint(Hint::Rejected);
        }
        // A job claimed in its own commit is handed to the worker by whoever claimed it.
        if recorded.claimed.is_none() {
            self.feed().wake(recorded.job.printer);
        }
        self.feed().job_hint(&recorded.job.job_id);
    }
}

fn record(
    db: &Connection,
    new: &NewReceipt,
    epoch: u32,
    shares: bool,
) -> Result<Recorded, StoreError> {
    if let Some(replayed) = replay(db, &new.job_id.to_string(), new.fingerprint)? {
        if new.pushed.is_some() {
            pushed::adopt(db, replayed.job.id)?;
        }
        return Ok(replayed);
    }
    let session = sessions::session_for(db, new.job_id.kind, new.day, new.recorded_at)?;
    let flow_no = receipts::insert(db, new, session, epoch)?;
    let inserted = print_jobs::insert(
        db,
        &InsertJob {
            job_id: &new.job_id,
            flow_no,
            printer: new.printer,
            drawer: if new.drawer { DrawerState::Due } else { DrawerState::None },
            reprint: false,
            held: new.held_reason().map(JobReason::from),
            now: new.recorded_at,
            recorded_at: new.recorded_at,
            takings_minor: new.takings.0,
        },
    )?;
    if let Some(pushed) = &new.pushed {
        pushed::mark(db, &inserted, pushed)?;
    }
    outbox::insert_in(db, epoch, &RecordRow::receipt(&new.job_id, flow_no, new.recorded_at))?;
    if shares {
        sharing::record(db, new, flow_no, epoch)?;
    }
    let refusals_answered = rejected::answer_accepted(db, new)?;
    let claimed = claim_if_first(db, new, &inserted)?;
    let job = if claimed.is_some() { print_jobs::by_id(db, inserted.id)? } else { inserted };
    Ok(Recorded { job, replayed: false, claimed, session: Some(session), refusals_answered })
}

fn replay(
    db: &Connection,
    job_id: &str,
    offered: Fingerprint,
) -> Result<Option<Recorded>, StoreError> {
    let Some(recorded) = receipts::fingerprint_of(db, job_id)? else { return Ok(None) };
    if recorded != offered {
        return Err(StoreError::Conflict { job_id: job_id.to_owned(), recorded, offered });
    }
    let job = print_jobs::by_job_id(db, job_id)?;
    Ok(Some(Recorded { job, replayed: true, claimed: None, session: None, refusals_answered: 0 }))
}

/// Claims the new job at once, if its attempt is ready and no other job of its printer comes first.
fn claim_if_first(
    db: &Connection,
    new: &NewReceipt,
    job: &JobRow,
) -> Result<Option<Claimed>, StoreError> {
    let Some(claiming) = &new.claiming else { return Ok(None) };
    if spool::first_due(db, new.printer, new.recorded_at)? != Some(job.id)
        || spool::is_printing(db, new.printer)?
    {
        return Ok(None);
    }
    debug_assert_eq!(job.state, JobState::Pending, "a held job is never due");
    print_jobs::apply(db, job, Event::Claim, new.recorded_at, 0)?;
    let attempt: AttemptId =
        attempts::insert(db, job.id, new.printer, &claiming.planned, new.recorded_at)?;
    spool::settle_drawer(db, job.id, claiming.drawer)?;
    claim_row(db, job.id, attempt).map(Some)
}
