//! A register's spooler on a real store, with a clock turned by hand, limits in milliseconds, and virtual
//! printers whose paper is the judge.

mod bytes;
pub mod paper;
mod register;
mod unreachable;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tillroll_domain::clock::Clock;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, Unproven};
use tillroll_domain::receipt::Receipt;
use tillroll_domain::retry::Schedule;
use tillroll_escpos::compose::Locale;
use tillroll_escpos::encode::Assets;
use tillroll_spooler::device::{Limits, VirtualPrinters};
use tillroll_spooler::{Context, PrinterStatus, Spooler, Stationery, Timings};
use tillroll_store::{
    Answer, Answering, JobRow, NewDrawerOpening, NewPrinter, NewReceipt, OpeningOutcome, Printer,
    PrinterId, Store, StoreOptions, Story,
};
use tillroll_testkit::ManualClock;

pub use self::bytes::{borders, small};
pub use self::paper::{Device, REPRINT};
pub use self::register::stationery;
use self::register::{folder, new_receipt, settings};
pub use self::unreachable::dropping;

/// The longest a test waits for anything.
pub const LIMIT: Duration = Duration::from_secs(20);

/// How long stopped printers wait here.
const RETRY: Schedule = Schedule::new(&[ms(5), ms(10), ms(20), ms(40)], 20);

/// The business day of the openings.
const DAY: jiff::civil::Date = jiff::civil::date(2026, 10, 9);

pub const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Limits in milliseconds. Those that end a test's path are short, those that must not end it long.
pub fn timings() -> Timings {
    Timings {
        device: Limits {
            connect: ms(300),
            write_stall: ms(2_000),
            close: ms(1_000),
            query: ms(200),
            stuck_calls: 4,
        },
        answer: ms(1_000),
        proof: ms(2_000),
        slowest_print: u32::MAX,
        ask_condition: ms(20),
        blocked_silence: ms(500),
        mid_job_wait: LIMIT,
        stall: ms(2_000),
        evidence: ms(5_000),
        idle_close: LIMIT,
        stale_after: Duration::from_secs(30 * 60),
        retry: RETRY,
        fastest_cut: ms(15),
    }
}

pub struct Bench {
    folder: TempDir,
    pub clock: ManualClock,
    pub store: Store,
    pub virtuals: VirtualPrinters,
    pub spooler: Spooler,
    printers: AtomicU32,
}

impl Bench {
    pub fn new() -> Self {
        Self::with(timings())
    }

    pub fn with(timings: Timings) -> Self {
        Self::drawing(timings, Arc::new(()), || 0)
    }

    /// With stored pictures and a source of jitter.
    pub fn drawing(
        timings: Timings,
        assets: Arc<dyn Assets + Send + Sync>,
        random: fn() -> u32,
    ) -> Self {
        let folder = folder();
        let store = Store::create(folder.path(), &settings(), StoreOptions::default());
        let clock = ManualClock::reading("2026-10-09T10:03:25+08:00");
        let stationery = stationery(assets);
        Self::on(folder, store.expect("a new register"), clock, timings, stationery, random)
    }

    /// Paper in another language than English.
    pub fn speaking(locale: Locale) -> Self {
        let folder = folder();
        let store = Store::create(folder.path(), &settings(), StoreOptions::default());
        let clock = ManualClock::reading("2026-10-09T10:03:25+08:00");
        let stationery = Stationery { locale, ..stationery(Arc::new(())) };
        Self::on(folder, store.expect("a new register"), clock, timings(), stationery, || 0)
    }

    /// The register of a folder after the program ended, the machine running on.
    pub fn reopen(folder: TempDir, clock: ManualClock, timings: Timings) -> Self {
        let store = Store::open(folder.path(), StoreOptions::default(), clock.now());
        let (store, opened) = store.expect("the register opens again");
        assert_eq!(opened.new_epoch, None);
        Self::on(folder, store, clock, timings, stationery(Arc::new(())), || 0)
    }

    fn on(
        folder: TempDir,
        store: Store,
        clock: ManualClock,
        timings: Timings,
        stationery: Stationery,
        random: fn() -> u32,
    ) -> Self {
        let virtuals = VirtualPrinters::default();
        let spooler = Spooler::new(Context {
            store: store.clone(),
            clock: Arc::new(clock.clone()),
            timings,
            stationery,
            virtuals: virtuals.clone(),
            random,
        });
        Self { folder, clock, store, virtuals, spooler, printers: AtomicU32::new(0) }
    }

    /// The folder of the register, once nothing uses it any more.
    pub fn close(self) -> (TempDir, ManualClock) {
        let Self { folder, store, spooler, clock, .. } = self;
        drop((spooler, store));
        (folder, clock)
    }

    /// Adds a printer at that address and starts its worker.
    pub async fn printer(
        &self,
        uri: &str,
        level: ConfirmationLevel,
        unproven: Unproven,
    ) -> Printer {
        let settings = NewPrinter {
            name: self.name().parse().expect("a name"),
            uri: uri.to_owned(),
            profile: "virtual".to_owned(),
            columns: None,
            level,
            unproven,
            drawer_pin: 0,
        };
        let id = self.store.add_printer(settings.clone()).await.expect("a printer added");
        let printer = Printer { id, settings, paused: false };
        self.spooler.start(printer.clone()).expect("a worker");
        printer
    }

    /// A name for the next printer.
    fn name(&self) -> String {
        format!("p{}", self.printers.fetch_add(1, Ordering::Relaxed))
    }

    /// Records a receipt on the short way, where there is one; its job.
    pub async fn submit(&self, printer: &Printer, receipt: &Receipt) -> String {
        let new = self.receipt(printer.id, receipt);
        self.spooler.record(new).await.expect("recorded").job.job_id.to_string()
    }

    /// Records a receipt in the store alone.
    pub async fn record(&self, printer: &Printer, receipt: &Receipt) -> String {
        let new = self.receipt(printer.id, receipt);
        self.store.record_receipt(new).await.expect("recorded").job.job_id.to_string()
    }

    pub fn receipt(&self, printer: PrinterId, receipt: &Receipt) -> NewReceipt {
        new_receipt(&self.clock, printer, receipt)
    }

    pub async fn story(&self, job_id: &str) -> Story {
        self.store.story(job_id.to_owned()).await.expect("a story")
    }

    /// Waits until the job is as wanted.
    pub async fn until(&self, job_id: &str, wanted: impl Fn(&JobRow) -> bool) -> JobRow {
        let mut feed = self.store.feed().listen();
        let waiting = async {
            loop {
                let job = self.story(job_id).await.job;
                if wanted(&job) {
                    return job;
                }
                // Not every change of a row is worth a hint, so it is read again now and then.
                let _ = tokio::time::timeout(ms(20), feed.recv()).await;
            }
        };
        match tokio::time::timeout(LIMIT, waiting).await {
            Ok(job) => job,
            Err(_) => panic!("{job_id} stays: {:#?}", self.story(job_id).await),
        }
    }

    /// Waits until the job is settled: printed, or for a person to see. Next tries come at once.
    pub async fn settled(&self, job_id: &str) -> JobRow {
        let at_rest = |job: &JobRow| {
            let waits = job.state == JobState::Pending && job.attempts > 0;
            waits || !matches!(job.state, JobState::Pending | JobState::Printing)
        };
        loop {
            let job = self.until(job_id, at_rest).await;
            if job.state != JobState::Pending {
                return job;
            }
            self.clock.advance(Duration::from_secs(1));
            self.store.feed().wake(job.printer);
            let attempts = job.attempts;
            self.until(job_id, |job| job.attempts > attempts || job.state != JobState::Pending)
                .await;
        }
    }

    pub async fn answer(&self, job_id: &str, verb: Verb) {
        self.try_answer(job_id, verb, None).await.expect("answered");
    }

    pub async fn reroute(&self, job_id: &str, to: &Printer) {
        let to = to.settings.name.to_string();
        self.try_answer(job_id, Verb::Reroute, Some(to)).await.expect("rerouted");
    }

    /// Asks for the drawer without a sale.
    pub async fn open_drawer(&self, printer: &Printer) -> bool {
        let opening = NewDrawerOpening {
            printer: printer.id,
            client: None,
            reason: "change".to_owned(),
            day: DAY,
        };
        let opening = self.store.record_drawer_opening(opening, self.clock.now()).await;
        self.spooler.open_drawer(printer.id, opening.expect("recorded"))
    }

    /// What became of the openings without a sale, once none is due.
    pub async fn openings(&self) -> Vec<OpeningOutcome> {
        let settled = async {
            loop {
                let openings = self.store.drawer_openings(DAY).await.expect("read");
                let outcomes: Vec<_> = openings.iter().map(|opening| opening.outcome).collect();
                if !outcomes.contains(&OpeningOutcome::Due) {
                    return outcomes;
                }
                tokio::time::sleep(ms(2)).await;
            }
        };
        tokio::time::timeout(LIMIT, settled).await.expect("every opening is settled")
    }

    /// As a person answers, who may be refused.
    pub async fn try_answer(
        &self,
        job_id: &str,
        verb: Verb,
        printer: Option<String>,
    ) -> Result<(), tillroll_store::StoreError> {
        let answer =
            Answer { job_id: job_id.to_owned(), verb, note: Some("test".to_owned()), printer };
        let by = Answering { client: None, now: self.clock.now() };
        self.store.answer(answer, by).await.map(drop)
    }

    /// Waits until the printer shows what is wanted.
    pub async fn shows(
        &self,
        printer: &Printer,
        wanted: impl Fn(&PrinterStatus) -> bool,
    ) -> PrinterStatus {
        let mut watch = self.spooler.watch(printer.id).expect("a worker");
        let shown = tokio::time::timeout(LIMIT, watch.wait_for(|status| wanted(status))).await;
        match shown {
            Ok(status) => status.expect("a worker").clone(),
            Err(_) => panic!("it shows {:#?}", self.spooler.status(printer.id)),
        }
    }

    pub async fn is_idle(&self, printer: &Printer) {
        self.shows(printer, |status| status.state == PrinterState::Idle).await;
    }
}
