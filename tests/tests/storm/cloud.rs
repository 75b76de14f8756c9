//! The dispatcher of a run: the real schedule over the real store, killed and started on the same file.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::SignedDuration;
use tillroll_dispatcher::job::{NewJob, StoreNo};
use tillroll_dispatcher::schedule::{ScheduleSettings, Scheduler};
use tillroll_dispatcher::sqlite::{Calls, SqliteOptions, SqliteStore};
use tillroll_dispatcher::store::{
    ApiKey, DispatcherStore as _, NewPairing, Pairing, PairingOutcome, StoreRecord, TokenHash,
};
use tillroll_domain::clock::Clock as _;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::{JobId, Part};
use tillroll_domain::receipt::Receipt;
use tillroll_testkit::SimulatedClock;
use tillroll_wire::job::AfterDeadline;

use crate::entropy;
use crate::folder::inline;
use crate::history::History;
use crate::plan::Without;

/// A running dispatcher.
#[derive(Clone)]
pub struct Node {
    /// Its rows.
    pub store: SqliteStore,
    /// Its schedule.
    pub scheduler: Scheduler<SqliteStore>,
}

/// The dispatcher's place: its file stays, its program comes and goes. Clones are the same.
#[derive(Clone)]
pub struct Cloud(Arc<Inner>);

struct Inner {
    file: PathBuf,
    clock: SimulatedClock,
    settings: ScheduleSettings,
    history: History,
    node: Mutex<Option<Node>>,
}

/// The business system whose key sends every job.
#[derive(Debug, Clone, Copy)]
pub struct Sender {
    tenant: i64,
    key: i64,
}

impl Cloud {
    /// A dispatcher that does not run yet.
    pub fn new(file: PathBuf, clock: SimulatedClock, without: Without, history: History) -> Self {
        let (settings, node) = (settings(without), Mutex::default());
        Self(Arc::new(Inner { file, clock, settings, history, node }))
    }

    /// Starts it.
    pub fn start(&self) -> Node {
        let inner = &self.0;
        let options = SqliteOptions { database: inline(), calls: Calls::Inline };
        let (store, _) = SqliteStore::open(&inner.file, options).unwrap();
        let clock = Arc::new(inner.clock.clone());
        let scheduler = Scheduler::start(store.clone(), clock, inner.settings, entropy::jitter);
        let node = Node { store, scheduler };
        *inner.node.lock().unwrap_or_else(PoisonError::into_inner) = Some(node.clone());
        inner.history.note(format_args!("the dispatcher runs"));
        node
    }

    /// It dies: nothing more is written. Breaking its calls is the network's business.
    pub async fn kill(&self) {
        let node = self.0.node.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.0.history.note(format_args!("the dispatcher is killed"));
        if let Some(node) = node {
            node.scheduler.stop().await;
        }
    }

    /// The dispatcher, while it runs.
    pub fn node(&self) -> Option<Node> {
        self.0.node.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The figures the schedule was started with.
    pub fn settings(&self) -> ScheduleSettings {
        self.0.settings
    }

    /// Makes a tenant with a business system.
    pub async fn sender(&self, node: &Node) -> Sender {
        let now = self.0.clock.now();
        let tenant = node.store.add_tenant("Lao Wang".to_owned(), now).await.unwrap().id;
        let key = ApiKey {
            id: 0,
            tenant,
            name: "platform".to_owned(),
            stores: Vec::new(),
            revoked_at: None,
        };
        let key = node.store.add_api_key(key, TokenHash([1; 32])).await.unwrap().id;
        Sender { tenant, key }
    }

    /// Makes a store and pairs an installation as its register. The credential's hash is made of the
    /// installation.
    pub async fn pair(
        &self,
        node: &Node,
        sender: Sender,
        code: &Part,
        installation: &str,
    ) -> (StoreNo, TokenHash) {
        let now = self.0.clock.now();
        let record = StoreRecord {
            no: StoreNo(0),
            tenant: sender.tenant,
            uid: format!("st_{code}"),
            code: code.clone(),
            name: format!("Lao Wang {code}"),
            created_at: now,
        };
        let store = node.store.add_store(record).await.unwrap().no;
        let register: Part = "R1".parse().unwrap();
        let secret = TokenHash(*Fingerprint::of(installation.as_bytes()).as_bytes());
        let until = now + SignedDuration::from_mins(10);
        let pairing = NewPairing { store, register: register.clone(), code: secret, until };
        node.store.new_pairing(pairing).await.unwrap();
        let pairing = Pairing {
            code: secret,
            store: code.clone(),
            register,
            installation: installation.to_owned(),
            credential: secret,
            now,
        };
        let outcome = node.store.pair(pairing).await.unwrap();
        assert!(matches!(outcome, PairingOutcome::Paired(..)), "{outcome:?}");
        (store, secret)
    }

    /// A receipt as the API would hand it to the schedule.
    pub fn job(
        &self,
        node: &Node,
        sender: Sender,
        to: (StoreNo, &Part),
        receipt: &Receipt,
    ) -> NewJob {
        let now = node.scheduler.now();
        NewJob {
            store: to.0,
            id: job_id(to.1, receipt),
            body: String::from_utf8(receipt.canonical().unwrap()).unwrap(),
            fingerprint: receipt.fingerprint().unwrap(),
            printer: Some("front".parse().unwrap()),
            deadline_at: now + self.0.settings.deadline,
            after_deadline: AfterDeadline::Hold,
            api_key: sender.key,
            now,
        }
    }
}

/// The id of a receipt in a store.
pub fn job_id(store: &Part, receipt: &Receipt) -> JobId {
    JobId {
        store: store.clone(),
        order: receipt.order_no.clone(),
        kind: receipt.kind,
        version: receipt.version,
        copy: None,
    }
}

/// The product's figures, or those of a product without one of its parts.
fn settings(without: Without) -> ScheduleSettings {
    let usual = ScheduleSettings::default();
    match without {
        Without::Nothing | Without::StateCheck | Without::Dedup => usual,
        Without::Wheels => {
            let never = usual.deadline - Duration::from_millis(1);
            ScheduleSettings { push_step: never, push_cap: never, ..usual }
        }
        Without::Recovery => ScheduleSettings {
            unanswered: usual.window,
            recovery_jobs: usual.window,
            recovery_every: Duration::ZERO,
            recovery_per_s: u32::MAX,
            ..usual
        },
        Without::Deadline => {
            ScheduleSettings { deadline: Duration::from_secs(24 * 60 * 60), ..usual }
        }
    }
}
