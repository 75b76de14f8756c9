//! A register with one printer in a folder of its own, and what all tests do with it.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::Date;
use tempfile::TempDir;
use tillroll_domain::business_day::BusinessCalendar;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::drawer::opens_drawer;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::{Confirmation, Event, HoldReason, JobCause, JobState, Verb};
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_domain::receipt::Receipt;
use tillroll_sqlite::rusqlite::{Connection, types::FromSql};
use tillroll_store::{
    Answer, Answered, Answering, Body, BodyFormat, Claim, Claimed, Claiming, Closing, DayView,
    DrawerState, JobRow, NewPrinter, NewReceipt, Opened, PlannedAttempt, PrinterId,
    RegisterSettings, SessionView, Settlement, Store, StoreError, StoreOptions,
};
use tillroll_testkit::{ManualClock, receipts};

pub struct Till {
    pub store: Store,
    pub clock: ManualClock,
    /// A token printer whose owner is asked about jobs without proof.
    pub front: PrinterId,
    pub folder: TempDir,
}

impl Till {
    pub async fn new() -> Self {
        Self::with(settings(), StoreOptions::default()).await
    }

    pub async fn with(settings: RegisterSettings, options: StoreOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(folder.path(), &settings, options).unwrap();
        let front = store.add_printer(printer("front")).await.unwrap();
        let clock = ManualClock::reading("2026-10-12T10:00:00+08:00");
        Self { store, clock, front, folder }
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub fn today(&self) -> Date {
        calendar(&self.store.settings().unwrap()).day_of(self.now())
    }

    /// The receipt as the register records it now, on the front printer.
    pub fn new_receipt(&self, receipt: &Receipt) -> NewReceipt {
        NewReceipt {
            job_id: job_id(receipt),
            body: Body { format: BodyFormat::Receipt, text: receipts::json(receipt) },
            fingerprint: receipt.fingerprint().unwrap(),
            printer: self.front,
            client: None,
            refused_as: None,
            day: self.today(),
            issued_at: receipt.issued_at,
            recorded_at: self.now(),
            recorded_boot: self.clock.boot(),
            takings: receipt.takings(),
            tenders: receipt.takings_by_tender(),
            drawer: opens_drawer(receipt),
            held: None,
            claiming: None,
            pushed: None,
        }
    }

    /// Sale number `n`, 12.50 in cash.
    pub fn sale(&self, n: u32) -> NewReceipt {
        self.new_receipt(&receipts::simple(n))
    }

    pub async fn sell(&self, n: u32) -> JobRow {
        self.record(self.sale(n)).await
    }

    pub async fn record(&self, new: NewReceipt) -> JobRow {
        self.store.record_receipt(new).await.unwrap().job
    }

    /// The claim of a printer's first due job, as its worker would make it now.
    pub async fn next_claim(&self, printer: PrinterId) -> Option<Claim> {
        let due = self.store.due_job(printer, self.now()).await.unwrap()?;
        Some(claim_of(&due.job))
    }

    /// Claims a printer's first due job.
    pub async fn claim(&self, printer: PrinterId) -> Claimed {
        let claim = self.next_claim(printer).await;
        let done = self.store.settle_and_claim(printer, None, claim, self.now()).await;
        done.unwrap().1.unwrap()
    }

    /// Ends an attempt.
    pub async fn settle(&self, claimed: &Claimed, event: Event) -> JobRow {
        let ended = Some(settlement(claimed, event));
        let done = self.store.settle_and_claim(self.front, ended, None, self.now()).await;
        done.unwrap().0.unwrap()
    }

    /// Prints a printer's first due job.
    pub async fn print(&self, printer: PrinterId) -> JobRow {
        let claimed = self.claim(printer).await;
        self.settle(&claimed, proved()).await
    }

    /// Sale number `n` brought to a state on a printer of its own.
    pub async fn job_in(&self, n: u32, state: JobState) -> JobRow {
        let own = self.store.add_printer(printer(&format!("p{n}"))).await.unwrap();
        let held = (state == JobState::Held).then_some(HoldReason::PausedOrder);
        let job = self.record(NewReceipt { printer: own, held, ..self.sale(n) }).await;
        let attempt = async |event| {
            let claimed = self.claim(own).await;
            self.settle(&claimed, event).await
        };
        match state {
            JobState::Pending | JobState::Held => job,
            JobState::Printing => {
                self.claim(own).await;
                self.job(&job).await
            }
            JobState::Printed => attempt(proved()).await,
            JobState::Sent => attempt(Event::BytesTaken).await,
            JobState::Unconfirmed => attempt(doubtful()).await,
            JobState::Failed => {
                self.store.fail_unrenderable(job.clone(), self.now()).await.unwrap();
                self.job(&job).await
            }
            JobState::Skipped => self.ask(&job, Verb::Skip).await.unwrap().job,
        }
    }

    /// Closes today's open session; its Z number.
    pub async fn close_session(&self) -> i64 {
        let closing = Closing {
            day: self.today(),
            z_no: None,
            count: None,
            client: None,
            register: "R1".into(),
        };
        let figures = |_: &DayView, session: &SessionView| Ok((String::from("{}"), session.z_no));
        self.store.close_session(closing, figures, self.now()).await.unwrap()
    }

    /// The job as it stands now.
    pub async fn job(&self, job: &JobRow) -> JobRow {
        self.store.job(job.job_id.to_string()).await.unwrap()
    }

    /// Asks with a reason, and for a reroute with the printer `spare`.
    pub async fn ask(&self, job: &JobRow, verb: Verb) -> Result<Answered, StoreError> {
        let to = (verb == Verb::Reroute).then(|| "spare".to_owned());
        let answer = Answer { note: Some("because".into()), printer: to, ..answer(job, verb) };
        self.answer(answer).await
    }

    pub async fn answer(&self, answer: Answer) -> Result<Answered, StoreError> {
        self.store.answer(answer, Answering { client: None, now: self.now() }).await
    }

    /// One value of a row, by a connection of its own.
    pub fn value<T: FromSql>(&self, sql: &str) -> T {
        self.connection().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    pub fn connection(&self) -> Connection {
        Connection::open(database(self.folder.path())).unwrap()
    }

    /// Closes properly; the folder stays.
    pub fn close(self) -> ClosedTill {
        self.store.close().unwrap();
        ClosedTill { folder: self.folder, clock: self.clock, front: self.front }
    }

    /// Closes properly and opens again.
    pub fn reopen(self) -> (Self, Opened) {
        self.close().open()
    }

    /// What a killed program leaves: the files as they are now, with the log that was not copied yet.
    pub fn killed(&self) -> ClosedTill {
        let folder = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(self.folder.path()).unwrap() {
            let from = entry.unwrap().path();
            // The shared memory of the log dies with its program.
            if !from.to_str().unwrap().ends_with("-shm") {
                std::fs::copy(&from, folder.path().join(from.file_name().unwrap())).unwrap();
            }
        }
        ClosedTill { folder, clock: self.clock.clone(), front: self.front }
    }
}

/// A register's folder while no program has it open.
pub struct ClosedTill {
    pub folder: TempDir,
    pub clock: ManualClock,
    pub front: PrinterId,
}

impl ClosedTill {
    pub fn open(self) -> (Till, Opened) {
        let Self { folder, clock, front } = self;
        let opened = Store::open(folder.path(), StoreOptions::default(), clock.now());
        let (store, opened) = opened.unwrap();
        (Till { store, clock, front, folder }, opened)
    }

    /// A copy of the database as somebody keeps it.
    pub fn backup(&self) -> Vec<u8> {
        std::fs::read(database(self.folder.path())).unwrap()
    }

    /// Puts a copy of the database in its place.
    pub fn restore(&self, backup: &[u8]) {
        std::fs::write(database(self.folder.path()), backup).unwrap();
    }
}

pub fn database(folder: &Path) -> PathBuf {
    folder.join("register.db")
}

pub fn settings() -> RegisterSettings {
    RegisterSettings {
        store: "S1".parse().unwrap(),
        register: "R1".parse().unwrap(),
        zone: "Asia/Shanghai".into(),
        cutoff: "04:00".into(),
        currency: "CNY".parse().unwrap(),
        locale: "zh-CN".into(),
    }
}

pub fn calendar(settings: &RegisterSettings) -> BusinessCalendar {
    settings.calendar().unwrap()
}

pub fn printer(name: &str) -> NewPrinter {
    NewPrinter {
        name: name.parse().unwrap(),
        uri: format!("virtual:{name}"),
        profile: "default".into(),
        columns: None,
        level: ConfirmationLevel::Token,
        unproven: Unproven::Ask,
        drawer_pin: 0,
    }
}

pub fn job_id(receipt: &Receipt) -> JobId {
    JobId {
        store: "S1".parse().unwrap(),
        order: receipt.order_no.clone(),
        kind: receipt.kind,
        version: receipt.version,
        copy: None,
    }
}

pub fn planned() -> PlannedAttempt {
    let sha256 = [7; 32];
    PlannedAttempt { lines_before: None, cuts_before: Some(40), cuts: 1, byte_count: 900, sha256 }
}

pub fn claiming() -> Claiming {
    Claiming { planned: planned(), drawer: DrawerState::Opened }
}

pub fn claim_of(job: &JobRow) -> Claim {
    Claim {
        job: job.id,
        row_version: job.row_version,
        planned: planned(),
        drawer: DrawerState::Opened,
    }
}

pub fn settlement(claimed: &Claimed, event: Event) -> Settlement {
    Settlement { job: claimed.job, attempt: claimed.attempt, event, random: 0 }
}

pub fn answer(job: &JobRow, verb: Verb) -> Answer {
    Answer { job_id: job.job_id.to_string(), verb, note: None, printer: None }
}

/// The device proved it.
pub fn proved() -> Event {
    Event::Confirmed(Confirmation::Token)
}

/// It may be on paper.
pub fn doubtful() -> Event {
    Event::MaybeOnPaper(JobCause::NoAnswer.into())
}

/// Certainly not on paper.
pub fn left_nothing() -> Event {
    Event::LeftNothing(JobCause::Stalled.into())
}
