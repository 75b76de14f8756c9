//! A store, a schedule and registers played by hand, on a clock that tokio's paused time turns.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;
use tillroll_dispatcher::channel::Connection;
use tillroll_dispatcher::job::{Inserted, Job, NewJob, StoreNo};
use tillroll_dispatcher::schedule::{ScheduleSettings, Scheduler};
use tillroll_dispatcher::sqlite::{Calls, SqliteOptions, SqliteStore};
use tillroll_dispatcher::store::{
    ApiKey, Credential, DispatcherStore as _, NewPairing, Pairing, PairingOutcome, StoreRecord,
    TokenHash,
};
use tillroll_domain::clock::Clock;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::{JobId, Part};
use tillroll_domain::print_job::JobState;
use tillroll_domain::printer::StopReason;
use tillroll_wire::channel::{ClockReading, Down, Hello, JobResult, PrinterReport, Push, Up};
use tillroll_wire::job::{AfterDeadline, CloudState};
use tillroll_wire::{PROTOCOL, Problem};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Both clocks over tokio's time; the wall may jump, the machine may sleep.
#[derive(Clone)]
pub struct SimulatedClock(Arc<Mutex<Turned>>);

struct Turned {
    start: Instant,
    jumped: SignedDuration,
    slept: Duration,
}

impl SimulatedClock {
    fn new() -> Self {
        let (jumped, slept) = (SignedDuration::ZERO, Duration::ZERO);
        Self(Arc::new(Mutex::new(Turned { start: Instant::now(), jumped, slept })))
    }

    /// Sets the wall clock; no time passes.
    pub fn jump(&self, by: SignedDuration) {
        self.0.lock().unwrap().jumped += by;
    }

    /// The machine sleeps: both clocks go on, the timers do not.
    pub fn sleep_machine(&self, time: Duration) {
        self.0.lock().unwrap().slept += time;
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> Timestamp {
        let turned = self.0.lock().unwrap();
        let start: Timestamp = "2026-10-09T10:00:00Z".parse().unwrap();
        start + turned.start.elapsed() + turned.slept + turned.jumped
    }

    fn boot(&self) -> Duration {
        let turned = self.0.lock().unwrap();
        Duration::from_secs(3_600) + turned.start.elapsed() + turned.slept
    }
}

/// One store with a schedule.
pub struct World {
    dir: TempDir,
    pub clock: SimulatedClock,
    pub store: SqliteStore,
    pub scheduler: Scheduler<SqliteStore>,
    settings: ScheduleSettings,
    record: StoreRecord,
    api_key: i64,
}

/// A folder in memory where there is one: nothing here asks what a disk keeps.
fn in_memory() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap()
}

fn open(dir: &TempDir) -> SqliteStore {
    let options = SqliteOptions { calls: Calls::Inline, ..SqliteOptions::default() };
    SqliteStore::open(&dir.path().join("dispatcher.sqlite"), options).unwrap().0
}

impl World {
    pub async fn new() -> Self {
        Self::with(ScheduleSettings::default()).await
    }

    pub async fn with(settings: ScheduleSettings) -> Self {
        let dir = in_memory();
        let (store, clock) = (open(&dir), SimulatedClock::new());
        let tenant = store.add_tenant("Lao Wang".into(), clock.now()).await.unwrap();
        let record = StoreRecord {
            no: StoreNo(0),
            tenant: tenant.id,
            uid: "st_1".into(),
            code: part("S1"),
            name: "Lao Wang 1".into(),
            created_at: clock.now(),
        };
        let record = store.add_store(record).await.unwrap();
        let key = ApiKey {
            id: 0,
            tenant: tenant.id,
            name: "platform".into(),
            stores: vec![record.no],
            revoked_at: None,
        };
        let api_key = store.add_api_key(key, TokenHash([1; 32])).await.unwrap().id;
        let scheduler = start(&store, &clock, settings);
        Self { dir, clock, store, scheduler, settings, record, api_key }
    }

    /// The program dies and starts again on the same file.
    pub async fn restart(mut self) -> Self {
        self.scheduler.stop().await;
        drop(self.store);
        self.store = open(&self.dir);
        self.scheduler = start(&self.store, &self.clock, self.settings);
        self
    }

    /// Pairs an installation as a register.
    pub async fn pair(&self, register: &str, installation: &str) -> Credential {
        let (store, now) = (self.record.no, self.clock.now());
        let code = TokenHash(*Fingerprint::of(installation.as_bytes()).as_bytes());
        let until = now + SignedDuration::from_mins(10);
        let pairing = NewPairing { store, register: part(register), code, until };
        self.store.new_pairing(pairing).await.unwrap();
        let pairing = Pairing {
            code,
            store: part("S1"),
            register: part(register),
            installation: installation.into(),
            credential: code,
            now,
        };
        let outcome = self.store.pair(pairing).await.unwrap();
        assert!(matches!(outcome, PairingOutcome::Paired(..)), "{outcome:?}");
        self.store.register_of(code).await.unwrap().unwrap()
    }

    /// A register `R1` with the printer `front`, connected and welcomed.
    pub async fn register(&self) -> Register {
        let credential = self.pair("R1", "aa").await;
        self.connect(&credential, hello("aa", &["front"])).await.unwrap()
    }

    /// Connects and takes the welcome.
    pub async fn connect(
        &self,
        credential: &Credential,
        hello: Hello,
    ) -> Result<Register, Problem> {
        let (down, from_above) = mpsc::channel(256);
        let connection = self.scheduler.connect(credential.clone(), hello, down).await?;
        let mut register = Register { connection, from_above };
        let welcome = register.next().await;
        assert!(matches!(welcome, Down::Welcome { .. }), "{welcome:?}");
        Ok(register)
    }

    /// Sends a job for `front` with the default deadline of 90 s.
    pub async fn submit(&self, order: u32) -> Job {
        self.submit_for("front", order, AfterDeadline::Hold).await
    }

    pub async fn submit_for(&self, printer: &str, order: u32, after: AfterDeadline) -> Job {
        let new = self.new_job(printer, order, after);
        let inserted = self.scheduler.submit(new).await.unwrap();
        let Inserted::New(job) = inserted else { panic!("{inserted:?}") };
        job
    }

    /// Stores a job for `front`; the program dies before it is scheduled.
    pub async fn store_only(&self, order: u32) {
        let new = self.new_job("front", order, AfterDeadline::Hold);
        self.store.insert_job(new).await.unwrap();
    }

    fn new_job(&self, printer: &str, order: u32, after: AfterDeadline) -> NewJob {
        let now = self.scheduler.now();
        let body = format!("{{\"order_no\":\"{order}\"}}");
        NewJob {
            store: self.record.no,
            id: id(order),
            fingerprint: Fingerprint::of(body.as_bytes()),
            body,
            printer: Some(part(printer)),
            deadline_at: now + self.settings.deadline,
            after_deadline: after,
            api_key: self.api_key,
            now,
        }
    }

    pub async fn job(&self, order: u32) -> Job {
        self.store.job(self.record.no, id(order)).await.unwrap().unwrap()
    }

    /// State and reason of a job.
    pub async fn state(&self, order: u32) -> (CloudState, Option<String>) {
        let job = self.job(order).await;
        (job.state, job.reason)
    }

    /// Waits, at most ten minutes, until a job is in a state.
    pub async fn until(&self, order: u32, state: CloudState) -> Job {
        let start = Instant::now();
        loop {
            let job = self.job(order).await;
            if job.state == state {
                return job;
            }
            assert!(start.elapsed() < s(600), "{order} is {}, not {state}", job.state);
            tokio::time::sleep(ms(100)).await;
        }
    }

    pub fn no(&self) -> StoreNo {
        self.record.no
    }
}

fn start(
    store: &SqliteStore,
    clock: &SimulatedClock,
    settings: ScheduleSettings,
) -> Scheduler<SqliteStore> {
    Scheduler::start(store.clone(), Arc::new(clock.clone()), settings, || 7)
}

/// A register played by hand.
pub struct Register {
    pub connection: Connection<SqliteStore>,
    from_above: mpsc::Receiver<Down>,
}

impl Register {
    /// The next message, within a minute, on a channel that is open.
    pub async fn next(&mut self) -> Down {
        tokio::time::timeout(s(60), self.from_above.recv()).await.unwrap().unwrap()
    }

    /// The next message, if one comes in this time; none as well when the channel ends.
    pub async fn next_within(&mut self, time: Duration) -> Option<Down> {
        tokio::time::timeout(time, self.from_above.recv()).await.ok().flatten()
    }

    /// Whether the channel has been ended from above.
    pub fn is_closed(&self) -> bool {
        self.from_above.is_closed()
    }

    pub async fn pushed(&mut self) -> Push {
        let next = self.next().await;
        let Down::Push(push) = next else { panic!("{next:?}") };
        push
    }

    /// The next push, whatever comes before it.
    pub async fn next_push(&mut self) -> Push {
        loop {
            if let Down::Push(push) = self.next().await {
                return push;
            }
        }
    }

    pub async fn says(&mut self, message: Up) {
        self.connection.receive(message).await.unwrap();
    }

    pub async fn accepts(&mut self, push: &Push) {
        self.says(Up::Accepted { id: push.id.clone(), fingerprint: push.fingerprint }).await;
    }

    pub async fn reports(&mut self, id: &JobId, state: JobState, version: i64) {
        self.says(Up::Result(result(id, state, version))).await;
    }

    /// Takes the acknowledgement of a result.
    pub async fn is_told_stored(&mut self, id: &JobId, version: i64) {
        let stored = Down::ResultStored { id: id.clone(), row_version: version };
        assert_eq!(self.next().await, stored);
    }

    pub async fn is_ready(&mut self, printer: &str) {
        self.says(Up::Printer(report(printer, None))).await;
    }

    pub async fn is_stopped(&mut self, printer: &str, reason: StopReason) {
        self.says(Up::Printer(report(printer, Some(reason)))).await;
    }
}

pub fn report(name: &str, stopped: Option<StopReason>) -> PrinterReport {
    PrinterReport { name: part(name), ready: stopped.is_none(), reason: stopped }
}

pub fn result(id: &JobId, state: JobState, row_version: i64) -> JobResult {
    let at = "2026-10-09T10:00:00Z".parse().unwrap();
    JobResult { id: id.clone(), state, reason: None, confirmation: None, row_version, at }
}

pub fn hello(installation: &str, printers: &[&str]) -> Hello {
    Hello {
        protocol: PROTOCOL,
        installation: installation.into(),
        epoch: 1,
        program: "test".into(),
        clock: ClockReading { now: "2026-10-09T10:00:00Z".parse().unwrap(), boot_ms: 1 },
        printers: printers.iter().map(|name| report(name, None)).collect(),
        routes: std::collections::BTreeMap::new(),
    }
}

pub fn id(order: u32) -> JobId {
    format!("S1:{order}:receipt:v1").parse().unwrap()
}

pub fn part(text: &str) -> Part {
    text.parse().unwrap()
}

pub fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}
