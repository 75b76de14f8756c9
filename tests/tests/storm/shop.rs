//! A store of a run: the real register with its sync and a virtual printer, killed and started on the same
//! files. The printer outlives every register.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_dispatcher::job::StoreNo;
use tillroll_domain::clock::Clock;
use tillroll_domain::ids::{JobId, Part};
use tillroll_domain::print_job::JobState;
use tillroll_domain::printer::ConfirmationLevel;
use tillroll_domain::receipt::Receipt;
use tillroll_paper::printer::{Behaviour, Personality};
use tillroll_paper::{RollLimit, VirtualPrinter};
use tillroll_register::problem::Problem;
use tillroll_register::view::{Accepted, CloudState, PrinterBody};
use tillroll_register::{BootError, FolderError, Register, RegisterOptions, TOKEN_FILE};
use tillroll_spooler::device::VirtualPrinters;
use tillroll_sqlite::Options;
use tillroll_store::{NewCloud, RegisterSettings, Store, StoreOptions};
use tillroll_sync::Link;
use tillroll_testkit::Line;

use crate::history::{History, Spell};

/// The one printer of a shop.
const PRINTER: &str = "front";
/// A register that was killed has gone after so many looks, or something holds it.
const LOOKS: u32 = 1_000;

/// A store with one register.
pub struct Shop {
    pub no: usize,
    pub code: Part,
    pub line: Line,
    pub printer: VirtualPrinter,
    folder: PathBuf,
    fittings: Fittings,
    history: History,
    /// Dropped, it is killed.
    running: Mutex<Option<Register>>,
}

/// What a register runs on.
#[derive(Clone)]
pub struct Fittings {
    pub clock: Arc<dyn Clock>,
    pub database: Options,
    pub random: fn() -> u32,
}

/// The code of a shop.
pub fn code(no: usize) -> Part {
    format!("S{no}").parse().unwrap()
}

/// Makes the register's files, in real time.
pub async fn make(folder: &Path, no: usize) {
    let settings = RegisterSettings {
        store: code(no),
        register: "R1".parse().unwrap(),
        zone: "Asia/Shanghai".to_owned(),
        cutoff: "04:00".to_owned(),
        currency: "CNY".parse().unwrap(),
        locale: "en".to_owned(),
    };
    Register::init(folder, settings).await.unwrap();
}

impl Shop {
    /// A shop whose files were made.
    pub fn new(
        no: usize,
        folder: PathBuf,
        line: Line,
        fittings: Fittings,
        history: History,
    ) -> Self {
        let printer = VirtualPrinter::new(Behaviour {
            roll: RollLimit { tickets: 10_000, bytes: 4 << 20 },
            journal_bytes: 4 << 10,
            ..Behaviour::new(Personality::Token)
        });
        let running = Mutex::default();
        Self { no, code: code(no), line, printer, folder, fittings, history, running }
    }

    /// Runs the register for the first time: it gets its printer. Its installation then.
    pub async fn open(&self) -> String {
        let register = self.boot().await;
        let body = PrinterBody {
            uri: Some(format!("virtual:{PRINTER}")),
            level: Some(ConfirmationLevel::Token),
            ..PrinterBody::default()
        };
        register.add_printer(PRINTER, &body).await.unwrap();
        let head_office = NewCloud {
            url: "https://dispatcher.example.test".to_owned(),
            store_uid: format!("st_{}", self.code),
            store_name: self.code.to_string(),
        };
        register.store().pair_cloud(head_office, register.clock().now()).await.unwrap();
        let installation = register.store().installation().to_owned();
        *self.running() = Some(register);
        installation
    }

    /// Connects a register that runs with the head office.
    pub async fn connect(&self, link: impl Link + Clone) {
        let register = self.running().clone();
        if let Some(register) = register {
            register.join_cloud(link).await;
        }
    }

    /// Starts a register that was killed.
    pub async fn start(&self, link: impl Link + Clone) {
        let register = self.boot().await;
        register.join_cloud(link).await;
        *self.running() = Some(register);
        self.history.end(self.no, Spell::Killed);
    }

    /// The register dies in the middle of whatever it does.
    pub fn kill(&self) {
        self.history.begin(self.no, Spell::Killed);
        drop(self.running().take());
    }

    /// The register is ended in order.
    pub async fn stop(&self) {
        self.history.begin(self.no, Spell::Killed);
        let register = self.running().take().unwrap();
        register.stop().await;
    }

    /// Where the register's files lie.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The state of a job at the register, which must run.
    pub async fn says_of(&self, job: &JobId) -> Option<JobState> {
        let store = self.store()?;
        store.job_result(job).await.unwrap().map(|result| result.state)
    }

    /// The register sells something.
    pub async fn sells(&self, receipt: &Receipt) {
        self.submits(receipt).await.unwrap();
    }

    /// The POS hands a receipt over; what it is answered.
    pub async fn submits(&self, receipt: &Receipt) -> Result<Accepted, Problem> {
        let (register, token) = self.at_the_counter();
        let access = register.authenticate(&token).await.unwrap();
        register.submit(&access, &receipt.canonical().unwrap()).await
    }

    /// The register, which must run, and its owner's token.
    pub fn at_the_counter(&self) -> (Register, String) {
        let token = std::fs::read_to_string(self.folder.join(TOKEN_FILE)).unwrap();
        (self.running().clone().unwrap(), token.trim().to_owned())
    }

    /// From now on paper waits, and a sale is recorded all the same.
    pub async fn pauses(&self) {
        let register = self.running().clone().unwrap();
        register.pause_printer(PRINTER, true).await.unwrap();
    }

    /// Records the head office does not have yet.
    pub async fn unsent(&self) -> i64 {
        self.store().unwrap().outbox_counts().await.unwrap().waiting
    }

    /// When the oldest record was made that the head office does not have yet.
    pub async fn waits_since(&self) -> Option<Timestamp> {
        self.store().unwrap().outbox_counts().await.unwrap().oldest_at
    }

    /// The register's clock.
    pub fn now(&self) -> Timestamp {
        self.fittings.clock.now()
    }

    /// Request ids on the manager's list that only the head office knows.
    pub async fn named(&self) -> Vec<String> {
        let listed = self.store().unwrap().cloud_only(usize::MAX).await.unwrap();
        listed.into_iter().map(|record| record.request_id).collect()
    }

    /// Request ids on the manager's list that the head office refused.
    pub async fn refused(&self) -> Vec<String> {
        let listed = self.store().unwrap().parked_records(usize::MAX).await.unwrap();
        listed.into_iter().map(|record| record.request_id).collect()
    }

    /// Whether the head office welcomed the register.
    pub async fn is_online(&self) -> bool {
        let register = self.running().clone().unwrap();
        register.cloud().await.unwrap().state == CloudState::Online
    }

    /// The register's business day.
    pub fn today(&self) -> Date {
        let register = self.running().clone().unwrap();
        register.calendar().day_of(register.clock().now())
    }

    fn store(&self) -> Option<Store> {
        self.running().as_ref().map(|register| register.store().clone())
    }

    /// The tasks of the one before end when they are polled next; only then is its folder free.
    async fn boot(&self) -> Register {
        for _ in 0..LOOKS {
            match Register::start(&self.folder, self.options()).await {
                Ok(register) => return register,
                Err(BootError::Folder(FolderError::InUse(_))) => {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                Err(error) => panic!("shop {}: {error}", self.no),
            }
        }
        panic!("shop {}: the register before does not end", self.no);
    }

    fn options(&self) -> RegisterOptions {
        let virtuals = VirtualPrinters::default();
        virtuals.insert(PRINTER, self.printer.clone());
        RegisterOptions {
            clock: Arc::clone(&self.fittings.clock),
            store: StoreOptions { database: self.fittings.database.clone() },
            fonts: Vec::new(),
            document_fonts: Default::default(),
            virtuals,
            random: self.fittings.random,
            ..RegisterOptions::default()
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Register>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a shop is in the dispatcher, and who its register is there.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub store: StoreNo,
    pub credential: tillroll_dispatcher::store::TokenHash,
}
