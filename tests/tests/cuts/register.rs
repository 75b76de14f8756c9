//! The register's store under its own operations: record a receipt, send it again, claim, settle in every way,
//! settle and claim in one commit, send a batch of records up and take its verdicts, close the day, start anew.

use std::path::Path;

use futures_util::FutureExt as _;
use jiff::Timestamp;
use rusqlite::Connection;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::{Confirmation, Event, JobCause, JobState};
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_domain::retry::ATTEMPT_BUDGET;
use tillroll_sqlite::Options;
use tillroll_store::{
    Body, BodyFormat, Claim, Closing, DayView, DrawerState, DueRecord, Interrupted, JobRow,
    NewPrinter, NewReceipt, PlannedAttempt, PrinterId, RecordId, RegisterSettings, SentRecord,
    SessionView, Settlement, Store, StoreError, StoreOptions,
};
use tillroll_testkit::{Dice, ManualClock, receipts};
use tillroll_wire::record::{RecordVerdict, Verdict};

use crate::ledger::{Facts, Ledger, Told};
use crate::run::{Program, rows};

pub struct Register {
    store: Store,
    clock: ManualClock,
    sold: Vec<u32>,
}

/// The printer of [`Program::make`].
const FRONT: PrinterId = PrinterId(1);
/// The day that everything happens on, as the register's zone has it.
const DAY: &str = "2026-10-12";

/// Where an inline store's future is after its first poll: done.
fn done<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("an inline store waits for nobody")
}

fn told<T>(answer: Result<T, StoreError>) -> Result<T, Told> {
    let is_unknown = |error: &StoreError| matches!(error, StoreError::OutcomeUnknown);
    answer.map_err(|error| if is_unknown(&error) { Told::Unknown } else { Told::Refused })
}

fn options(database: Options) -> StoreOptions {
    StoreOptions { database }
}

fn clock() -> ManualClock {
    ManualClock::reading("2026-10-12T10:00:00+08:00")
}

impl Program for Register {
    const DATABASE: &'static str = "register.db";

    const NEVER: &'static [&'static str] = &[
        "SELECT coalesce(max(flow_no), 0) - count(*) FROM receipts",
        "SELECT count(*) FROM receipts r
         WHERE (SELECT count(*) FROM print_jobs j WHERE j.flow_no = r.flow_no) <> 1",
        "SELECT count(*) FROM receipts r WHERE (SELECT count(*) FROM outbox o
             WHERE o.flow_no = r.flow_no AND o.kind = 'receipt') <> 1",
        "SELECT count(*) - count(DISTINCT request_id) FROM outbox",
        "SELECT count(*) FROM print_jobs j
         WHERE j.attempts <> (SELECT count(*) FROM attempts a WHERE a.job = j.id)",
        "SELECT count(*) FROM print_jobs j WHERE (j.state = 'printing') <>
             EXISTS (SELECT 1 FROM attempts a WHERE a.job = j.id AND a.ended_at IS NULL)",
    ];

    fn make(folder: &Path) {
        let store = Store::create(folder, &settings(), options(Options::default())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        assert_eq!(runtime.block_on(store.add_printer(printer())).unwrap(), FRONT);
        store.close().unwrap();
    }

    fn open(folder: &Path, database: Options) -> Result<(Self, Option<String>), String> {
        let clock = clock();
        let (store, opened) = Store::open(folder, options(database), clock.now())
            .map_err(|error| format!("does not start: {error}"))?;
        let rescued = opened.rescue.map(|rescue| format!("rescued: {rescue:?}"));
        let told = rescued.or(opened.new_epoch.map(|epoch| format!("epoch {epoch} began")));
        Ok((Self { store, clock, sold: Vec::new() }, told))
    }

    fn step(&mut self, ledger: &mut Ledger<'_>, dice: &mut Dice) {
        self.clock.advance(std::time::Duration::from_secs(1));
        let done = match dice.below(100) {
            0..38 => self.sell(ledger, dice),
            38..42 => self.sell_again(ledger, dice),
            42..82 => self.print(ledger, dice),
            82..95 => self.send(ledger, dice),
            _ => self.close_day(ledger),
        };
        // Nothing can be read while a database is being rewritten; the next step tries again.
        let _not_now = done;
    }

    fn close(self) {
        let _suspect_after_a_fault = self.store.close();
    }

    fn facts(database: &Connection) -> rusqlite::Result<Facts> {
        let mut facts =
            rows(database, "SELECT 'job ' || job_id, state || '/' || attempts FROM print_jobs")?;
        // What a late answer corrects in a closed day is not foretold here.
        let records =
            "SELECT 'record ' || request_id, state FROM outbox WHERE kind <> 'correction'";
        facts.append(&mut rows(database, records)?);
        let sessions =
            "SELECT 'session ' || z_no, iif(closed_at IS NULL, 'open', 'closed') FROM sessions";
        facts.append(&mut rows(database, sessions)?);
        Ok(facts)
    }
}

impl Register {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn sell(&mut self, ledger: &mut Ledger<'_>, dice: &mut Dice) -> Result<(), StoreError> {
        let number = u32::try_from(dice.below(1 << 30)).unwrap();
        let new = self.sale(number);
        let id = new.job_id.to_string();
        let mut effect = vec![
            (job_fact(&id), value(JobState::Pending, 0)),
            (record_fact(&id, "receipt", 1), "waiting".to_owned()),
        ];
        if self.open_session()?.is_none() {
            effect.push((format!("session {}", self.last_session()? + 1), "open".to_owned()));
        }
        let recorded = ledger.act(effect, || told(done(self.store.record_receipt(new))));
        self.sold.extend(recorded.map(|_| number));
        Ok(())
    }

    /// The answer got lost on its way: the POS sends the same again, and nothing happens.
    fn sell_again(&mut self, ledger: &mut Ledger<'_>, dice: &mut Dice) -> Result<(), StoreError> {
        let place = usize::try_from(dice.below(self.sold.len() as u64)).unwrap();
        let Some(number) = self.sold.get(place) else { return Ok(()) };
        let new = self.sale(*number);
        let again = ledger.act([], || told(done(self.store.record_receipt(new))));
        assert!(again.is_none_or(|recorded| recorded.replayed));
        Ok(())
    }

    /// The printer's worker goes one step on.
    fn print(&self, ledger: &mut Ledger<'_>, dice: &mut Dice) -> Result<(), StoreError> {
        let at_device = done(self.store.interrupted(FRONT))?;
        let ended = at_device.map(|at_device| self.ended(at_device, dice));
        let next = match ended.is_none() || dice.per_mille(500) {
            true => done(self.store.due_job(FRONT, self.now()))?,
            false => None,
        };
        let (settlement, mut effect) = ended.unzip();
        let claim = next.map(|due| {
            let effect = effect.get_or_insert_default();
            let id = due.job.job_id.to_string();
            effect.push((job_fact(&id), value(JobState::Printing, due.job.attempts + 1)));
            claim_of(&due.job)
        });
        let Some(effect) = effect else { return Ok(()) };
        let (is_ended, is_claimed) = (settlement.is_some(), claim.is_some());
        let worked = ledger.act(effect, || {
            told(done(self.store.settle_and_claim(FRONT, settlement, claim, self.now())))
        });
        if let Some((ended, claimed)) = worked {
            assert_eq!((ended.is_some(), claimed.is_some()), (is_ended, is_claimed));
        }
        Ok(())
    }

    /// How the attempt ends, and what that makes of its job.
    fn ended(
        &self,
        at_device: Interrupted,
        dice: &mut Dice,
    ) -> (Settlement, Vec<(String, String)>) {
        let Interrupted { job, attempt } = at_device;
        let stalled = || JobCause::Stalled.into();
        let (event, state) = match dice.below(10) {
            0..6 => (Event::Confirmed(Confirmation::Token), JobState::Printed),
            6 => (Event::BytesTaken, JobState::Sent),
            7 => (Event::MaybeOnPaper(stalled()), JobState::Unconfirmed),
            _ if job.failures + 1 >= ATTEMPT_BUDGET => {
                (Event::LeftNothing(stalled()), JobState::Failed)
            }
            _ => (Event::LeftNothing(stalled()), JobState::Pending),
        };
        let id = job.job_id.to_string();
        let mut effect = vec![(job_fact(&id), value(state, job.attempts))];
        if state.is_settled() {
            effect.push((record_fact(&id, "print", job.row_version + 1), "waiting".to_owned()));
        }
        (Settlement { job: job.id, attempt: attempt.id, event, random: 0 }, effect)
    }

    /// Some records go up; the head office takes most of them.
    fn send(&self, ledger: &mut Ledger<'_>, dice: &mut Dice) -> Result<(), StoreError> {
        let due = done(self.store.due_records(RecordId(0), 6, 100_000, self.now()))?;
        let verdicts: Vec<_> = due.iter().map(|due| verdict(due, dice)).collect();
        let is_foretold = |given: &&RecordVerdict| !given.request_id.contains("/correction/");
        let taken = verdicts.iter().filter(|given| given.verdict.is_stored()).filter(is_foretold);
        let effect: Vec<_> = taken
            .map(|given| (format!("record {}", given.request_id), "acknowledged".to_owned()))
            .collect();
        let sent = due.iter().map(SentRecord::from).collect();
        ledger.act(effect, || told(done(self.store.apply_verdicts(sent, verdicts, self.now()))));
        Ok(())
    }

    fn close_day(&self, ledger: &mut Ledger<'_>) -> Result<(), StoreError> {
        let Some(session) = self.open_session()? else { return Ok(()) };
        let z_no = session.z_no;
        let effect = [
            (format!("session {z_no}"), "closed".to_owned()),
            (format!("record R1:{DAY}:z{z_no}/close/e1/r1"), "waiting".to_owned()),
        ];
        let closing = Closing {
            day: DAY.parse().unwrap(),
            z_no: Some(z_no),
            count: None,
            client: None,
            register: "R1".into(),
        };
        let figures = |_: &DayView, session: &SessionView| Ok(("{}".to_owned(), session.z_no));
        ledger.act(effect, || told(done(self.store.close_session(closing, figures, self.now()))));
        Ok(())
    }

    fn open_session(&self) -> Result<Option<SessionView>, StoreError> {
        let day = done(self.store.day(DAY.parse().unwrap()))?;
        Ok(day.sessions.into_iter().find(|session| session.closed_at.is_none()))
    }

    fn last_session(&self) -> Result<i64, StoreError> {
        let day = done(self.store.day(DAY.parse().unwrap()))?;
        Ok(day.sessions.iter().map(|session| session.z_no).max().unwrap_or(0))
    }

    fn sale(&self, number: u32) -> NewReceipt {
        let receipt = receipts::simple(number);
        NewReceipt {
            job_id: JobId {
                store: "S1".parse().unwrap(),
                order: receipt.order_no.clone(),
                kind: receipt.kind,
                version: receipt.version,
                copy: None,
            },
            body: Body { format: BodyFormat::Receipt, text: receipts::json(&receipt) },
            fingerprint: receipt.fingerprint().unwrap(),
            printer: FRONT,
            client: None,
            refused_as: None,
            day: DAY.parse().unwrap(),
            issued_at: receipt.issued_at,
            recorded_at: self.now(),
            recorded_boot: self.clock.boot(),
            takings: receipt.takings(),
            tenders: receipt.takings_by_tender(),
            drawer: false,
            held: None,
            claiming: None,
            pushed: None,
        }
    }
}

fn verdict(due: &DueRecord, dice: &mut Dice) -> RecordVerdict {
    let verdict = match dice.below(10) {
        0..7 => Verdict::Accepted,
        7 => Verdict::Replayed,
        _ => Verdict::RetryAfter { ms: 1_000 },
    };
    RecordVerdict { request_id: due.record.request_id.clone(), verdict }
}

fn job_fact(id: &str) -> String {
    format!("job {id}")
}

fn record_fact(id: &str, kind: &str, row_version: i64) -> String {
    format!("record {id}/{kind}/e1/r{row_version}")
}

fn value(state: JobState, attempts: u32) -> String {
    format!("{state}/{attempts}")
}

fn claim_of(job: &JobRow) -> Claim {
    let planned = PlannedAttempt {
        lines_before: None,
        cuts_before: Some(40),
        cuts: 1,
        byte_count: 900,
        sha256: [7; 32],
    };
    Claim { job: job.id, row_version: job.row_version, planned, drawer: DrawerState::None }
}

fn settings() -> RegisterSettings {
    RegisterSettings {
        store: "S1".parse().unwrap(),
        register: "R1".parse().unwrap(),
        zone: "Asia/Shanghai".into(),
        cutoff: "04:00".into(),
        currency: "CNY".parse().unwrap(),
        locale: "zh-CN".into(),
    }
}

fn printer() -> NewPrinter {
    NewPrinter {
        name: "front".parse().unwrap(),
        uri: "virtual:front".into(),
        profile: "default".into(),
        columns: None,
        level: ConfirmationLevel::Token,
        unproven: Unproven::Ask,
        drawer_pin: 0,
    }
}
