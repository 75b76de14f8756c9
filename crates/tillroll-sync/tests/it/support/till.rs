//! A register's database in a folder of its own, with one printer, printed by hand.

use std::path::PathBuf;

use jiff::Timestamp;
use tempfile::TempDir;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::{Confirmation, Event};
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_domain::receipt::Receipt;
use tillroll_store::{
    Body, BodyFormat, Claim, DrawerState, JobRow, NewPrinter, NewReceipt, PlannedAttempt,
    PrinterId, RegisterSettings, Settlement, Store, StoreOptions,
};
use tillroll_testkit::receipts;

use super::{TestClock, TestPrinters};

pub struct Till {
    pub store: Store,
    pub clock: TestClock,
    pub front: PrinterId,
    pub printers: TestPrinters,
    pub folder: TempDir,
}

impl Till {
    pub async fn new() -> Self {
        Self::made(StoreOptions::default()).await
    }

    /// A till whose database starts no thread, which a paused clock would not wait for.
    pub async fn in_simulated_time() -> Self {
        let mut options = StoreOptions::default();
        options.database.inline = true;
        Self::made(options).await
    }

    async fn made(options: StoreOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(folder.path(), &settings(), options).unwrap();
        let front = store.add_printer(printer()).await.unwrap();
        Self::with(store, TestClock::new(), front, folder)
    }

    fn with(store: Store, clock: TestClock, front: PrinterId, folder: TempDir) -> Self {
        let printers = TestPrinters::new(store.clone(), clock.clone(), front);
        Self { store, clock, front, printers, folder }
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Records sale number `n`.
    pub async fn sell(&self, n: u32) -> JobRow {
        let new = new_receipt(&receipts::simple(n), &self.clock, self.front);
        self.store.record_receipt(new).await.unwrap().job
    }

    /// Ends the attempt at the first due job.
    pub async fn attempt(&self, event: Event) -> JobRow {
        let due = self.store.due_job(self.front, self.now()).await.unwrap().unwrap();
        let claim = Claim {
            job: due.job.id,
            row_version: due.job.row_version,
            planned: planned(),
            drawer: DrawerState::None,
        };
        let claimed = self.store.settle_and_claim(self.front, None, Some(claim), self.now()).await;
        let claimed = claimed.unwrap().1.unwrap();
        let ended = Settlement { job: claimed.job, attempt: claimed.attempt, event, random: 0 };
        let settled = self.store.settle_and_claim(self.front, Some(ended), None, self.now()).await;
        settled.unwrap().0.unwrap()
    }

    /// Prints the first due job.
    pub async fn print(&self) -> JobRow {
        self.attempt(Event::Confirmed(Confirmation::Token)).await
    }

    pub async fn job(&self, id: &JobId) -> JobRow {
        self.store.job(id.to_string()).await.unwrap()
    }

    pub async fn waiting(&self) -> i64 {
        self.store.outbox_counts().await.unwrap().waiting
    }

    /// Closes properly; the folder stays.
    pub fn close(self) -> ClosedTill {
        self.store.close().unwrap();
        ClosedTill { folder: self.folder, clock: self.clock, front: self.front }
    }
}

/// A till while no program has its database open.
pub struct ClosedTill {
    folder: TempDir,
    clock: TestClock,
    front: PrinterId,
}

impl ClosedTill {
    pub fn open(self) -> Till {
        let options = StoreOptions::default();
        let (store, _) = Store::open(self.folder.path(), options, self.clock.now()).unwrap();
        Till::with(store, self.clock, self.front, self.folder)
    }

    /// A copy of the database as somebody keeps it.
    pub fn backup(&self) -> Vec<u8> {
        std::fs::read(self.database()).unwrap()
    }

    /// Puts a copy of the database in its place.
    pub fn restore(&self, backup: &[u8]) {
        std::fs::write(self.database(), backup).unwrap();
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("register.db")
    }
}

/// A receipt as the register records it now.
pub fn new_receipt(receipt: &Receipt, clock: &TestClock, printer: PrinterId) -> NewReceipt {
    let calendar = settings().calendar().unwrap();
    NewReceipt {
        job_id: JobId {
            store: "S1".parse().unwrap(),
            order: receipt.order_no.clone(),
            kind: receipt.kind,
            version: receipt.version,
            copy: None,
        },
        body: Body { format: BodyFormat::Receipt, text: receipts::json(receipt) },
        fingerprint: receipt.fingerprint().unwrap(),
        printer,
        client: None,
        refused_as: None,
        day: calendar.day_of(clock.now()),
        issued_at: receipt.issued_at,
        recorded_at: clock.now(),
        recorded_boot: clock.boot(),
        takings: receipt.takings(),
        tenders: receipt.takings_by_tender(),
        drawer: false,
        held: None,
        claiming: None,
        pushed: None,
    }
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

fn planned() -> PlannedAttempt {
    PlannedAttempt {
        lines_before: None,
        cuts_before: None,
        cuts: 1,
        byte_count: 9,
        sha256: [7; 32],
    }
}
