//! A dispatcher whose splits go to a bank, each in a folder of its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tillroll_dispatcher::bank_sim::{BankFaults, BankOptions, BankSim, LedgerSums};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::config::Config;
use tillroll_dispatcher::job::StoreNo;
use tillroll_dispatcher::payments::{PaymentSettings, Round, Seal};
use tillroll_dispatcher::splits::{Cause, NewSplit, Prepared, Split, SplitTotals, confirm};
use tillroll_dispatcher::store::{DispatcherStore as _, SplitDay, Splits as _};
use tillroll_dispatcher::{Dispatcher, DispatcherOptions, Engine};
use tillroll_domain::clock::Clock;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::money::Minor;
use tillroll_domain::splits::{Pace, Share, ShareTable, SplitState};
use tillroll_testkit::PostgresServer;
use tillroll_wire::Problem;

pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

pub struct World {
    folder: TempDir,
    server: Option<PostgresServer>,
    clock: Arc<dyn Clock>,
    settings: PaymentSettings,
    pub bank: BankSim,
    pub dispatcher: Dispatcher,
    pub shop: StoreNo,
    pub uid: String,
}

/// Quick, so that a test takes no minutes; what was just paid is compared too.
pub fn quick() -> PaymentSettings {
    PaymentSettings {
        look_every: Duration::from_millis(10),
        gone_after: 10,
        probe_every: Duration::from_millis(100),
        compare_after: Duration::ZERO,
        ..PaymentSettings::default()
    }
}

pub fn random() -> u32 {
    getrandom::u32().unwrap()
}

async fn bank_at(folder: &Path, listen: u16, faults: BankFaults, clock: Arc<dyn Clock>) -> BankSim {
    let options = BankOptions {
        data: folder.to_owned(),
        listen: ([127, 0, 0, 1], listen).into(),
        seal: Seal::of(SECRET).unwrap(),
        faults,
        clock,
        random,
    };
    BankSim::start(options).await.unwrap()
}

async fn dispatcher_at(
    folder: &Path,
    bank: &BankSim,
    settings: PaymentSettings,
    clock: Arc<dyn Clock>,
    server: Option<&PostgresServer>,
) -> Dispatcher {
    let mut config = Config { listen: ([127, 0, 0, 1], 0).into(), ..Config::default() };
    if let Some(server) = server {
        config.database = server.url().parse().unwrap();
    }
    config.splits.channel = format!("http://{}", bank.address());
    config.splits.secret = SECRET.to_owned().try_into().unwrap();
    let options = DispatcherOptions::new(folder, config);
    let options = DispatcherOptions { payments: Some(settings), clock, ..options };
    Dispatcher::start(options).await.unwrap()
}

impl World {
    pub async fn new(faults: BankFaults) -> Self {
        Self::with(faults, quick(), Arc::new(SystemClock)).await
    }

    /// On PostgreSQL, as one node of perhaps several.
    pub async fn on_postgres(faults: BankFaults) -> Self {
        Self::over(Some(PostgresServer::start()), faults, quick(), Arc::new(SystemClock)).await
    }

    pub async fn with(
        faults: BankFaults,
        settings: PaymentSettings,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self::over(None, faults, settings, clock).await
    }

    async fn over(
        server: Option<PostgresServer>,
        faults: BankFaults,
        settings: PaymentSettings,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bank = bank_at(&folder.path().join("bank"), 0, faults, Arc::clone(&clock)).await;
        let data = folder.path().join("cloud");
        let dispatcher =
            dispatcher_at(&data, &bank, settings.clone(), Arc::clone(&clock), server.as_ref())
                .await;
        let admin = dispatcher.admin();
        admin.add_tenant("Old Wang").await.unwrap();
        let uid = admin.add_store("Old Wang", "S1", "Shop").await.unwrap().uid;
        let shop = dispatcher.store().store_of(uid.clone()).await.unwrap().unwrap().no;
        dispatcher.store().set_share_table(shop, table(), clock.now()).await.unwrap();
        Self { folder, server, clock, settings, bank, dispatcher, shop, uid }
    }

    /// The dispatcher ends and starts again.
    pub async fn restart(self) -> Self {
        let Self { folder, server, clock, settings, bank, dispatcher, shop, uid } = self;
        dispatcher.stop().await;
        let data = folder.path().join("cloud");
        let dispatcher =
            dispatcher_at(&data, &bank, settings.clone(), Arc::clone(&clock), server.as_ref())
                .await;
        Self { folder, server, clock, settings, bank, dispatcher, shop, uid }
    }

    /// The bank ends, and another one with an empty ledger takes its place.
    pub async fn lose_bank(self) -> Self {
        let Self { folder, server, clock, settings, bank, dispatcher, shop, uid } = self;
        let port = bank.address().port();
        bank.stop().await;
        let data = folder.path().join("other bank");
        let bank = bank_at(&data, port, BankFaults::default(), Arc::clone(&clock)).await;
        Self { folder, server, clock, settings, bank, dispatcher, shop, uid }
    }

    /// Both sides compared. A statement ends before the millisecond in which it is asked for, so what
    /// was paid just now is let pass first.
    pub async fn compare(&self) -> Result<Round, Problem> {
        let asked = self.clock.now();
        while self.clock.now().duration_since(asked).as_millis() < 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        self.dispatcher.admin().check_splits().await
    }

    pub fn store(&self) -> &Engine {
        self.dispatcher.store()
    }

    pub fn new_split(&self, id: &str, amount: i64) -> NewSplit {
        NewSplit {
            store: self.shop,
            id: id.to_owned(),
            fingerprint: Fingerprint::of(format!("{id} {amount}").as_bytes()),
            of: None,
            day: "2026-11-30".parse().unwrap(),
            amount: Minor(amount),
            currency: "CNY".parse().unwrap(),
            paid_at: "2026-11-30T12:00:00Z".parse().unwrap(),
            pace: Pace::Till,
            now: self.clock.now(),
        }
    }

    pub async fn prepare(&self, new: NewSplit) -> Split {
        let prepared = self.store().prepare_split(new).await.unwrap();
        let Prepared::New(split) = prepared else { panic!("not new: {prepared:?}") };
        split
    }

    pub async fn confirm(&self, id: &str) -> Split {
        let cause = Cause::itself(self.clock.now(), 0);
        confirm(self.store(), self.shop, id, &cause).await.unwrap().0
    }

    /// Prepares and confirms so many, of 1.00, 1.01, ...
    pub async fn pay(&self, splits: std::ops::Range<i64>) {
        for n in splits {
            self.prepare(self.new_split(&n.to_string(), 100 + n)).await;
            self.confirm(&n.to_string()).await;
        }
    }

    pub async fn split(&self, id: &str) -> Split {
        self.store().split(self.shop, id.to_owned()).await.unwrap().unwrap()
    }

    /// Looks until a split is in a state.
    pub async fn until(&self, id: &str, state: SplitState) -> Split {
        for _ in 0..3_000 {
            let split = self.split(id).await;
            if split.facts.state == state {
                return split;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{:?}", self.split(id).await)
    }

    pub async fn day(&self) -> SplitDay {
        self.store().split_day(self.shop, "2026-11-30".parse().unwrap()).await.unwrap()
    }

    /// Looks until nothing is pending.
    pub async fn until_all_rest(&self, within: Duration) -> SplitDay {
        let looks = within.as_millis() / 20;
        for _ in 0..looks {
            let day = self.day().await;
            if [day.shares, day.refunds].iter().all(|totals| totals.pending.count == 0) {
                return day;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{:?}", self.day().await)
    }

    pub async fn sums(&self) -> LedgerSums {
        self.bank.sums().await.unwrap()
    }

    /// The ledger of the bank is that of the dispatcher.
    pub async fn assert_equal(&self, totals: SplitTotals) {
        let sums = self.sums().await;
        assert!(are_equal(&sums, &totals), "{sums:?} {totals:?}");
    }

    /// A figure of the metrics.
    pub async fn figure(&self, name: &str) -> u64 {
        let address = format!("http://{}/metrics", self.dispatcher.address());
        let text = reqwest::get(address).await.unwrap().text().await.unwrap();
        let figures: BTreeMap<_, _> =
            text.lines().filter_map(|line| line.rsplit_once(' ')).collect();
        figures.get(name).unwrap_or_else(|| panic!("{name}: {text}")).parse().unwrap()
    }
}

/// Whether the bank paid what the dispatcher has as paid, each once.
pub fn are_equal(sums: &LedgerSums, totals: &SplitTotals) -> bool {
    let (paid, amount) = (totals.succeeded.count, totals.succeeded.amount_minor);
    (sums.paid, sums.amount_minor, sums.twice, sums.queued) == (paid, amount, 0, 0)
}

fn table() -> ShareTable {
    let share = |party: &str, rate_bp| Share {
        party: party.parse().unwrap(),
        rate_bp,
        fixed_minor: Minor(0),
        min_minor: Minor(0),
        cap_minor: None,
    };
    ShareTable {
        version: 1,
        valid_from: "2026-01-01T00:00:00Z".parse().unwrap(),
        valid_until: None,
        shares: vec![share("platform", 600), share("merchant", 9_100), share("agent:A7", 300)],
    }
}
