//! One run: shops, dispatcher and network are set up, the course happens while jobs come, everything
//! settles, and the judge looks.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tempfile::TempDir;
use tillroll_dispatcher::store::DispatcherStore as _;
use tillroll_domain::clock::Clock as _;
use tillroll_paper::printer::Paper;
use tillroll_testkit::{Dice, Line, Noticed, SimulatedClock, Weather};
use tokio::time::{Instant, sleep_until};

use crate::cloud::{Cloud, Sender};
use crate::course::{self, Event};
use crate::entropy;
use crate::folder::{in_memory, inline};
use crate::history::{History, Spell};
use crate::judge::{self, Told, Trial};
use crate::network::ShopLink;
use crate::order::Order;
use crate::paper;
use crate::plan::Plan;
use crate::platform::Platform;
use crate::report::Report;
use crate::shop::{self, Fittings, Place, Shop};

/// When simulated time begins.
const MORNING: &str = "2026-10-09T10:00:00Z";
/// After the last fault: the deadline of the last job, and what was held up until then.
const SETTLING: Duration = Duration::from_secs(150);

/// The network: packets are lost, some messages are held up or come twice.
fn weather(plan: &Plan) -> Weather {
    if plan.lost == 0 {
        return Weather::calm();
    }
    let ms = Duration::from_millis;
    let late_by = ms(500)..ms(4_000);
    Weather { lost: plan.lost, late: 10, late_by, twice: 20, ..Weather::calm() }
}

/// Runs a plan and judges it.
pub fn run(plan: Plan, is_shown: bool) -> Report {
    let report = simulated(plan, is_shown, |world| async move { world.storm().await });
    Report { cpu_ms: cpu_ms(), ..report }
}

/// Sets a plan's world up and lives in it, in simulated time on a thread of its own.
pub fn simulated<T: Send + 'static, F: Future<Output = T>>(
    plan: Plan,
    is_shown: bool,
    life: impl FnOnce(World) -> F + Send + 'static,
) -> T {
    let running = std::thread::spawn(move || {
        entropy::seed(plan.seed);
        let folder = in_memory();
        make_registers(&plan, &folder);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async { life(World::open(plan, folder, is_shown).await).await })
    });
    running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What this process has computed so far.
fn cpu_ms() -> u64 {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    u64::try_from(used.tv_sec * 1_000 + used.tv_nsec / 1_000_000).unwrap_or_default()
}

/// The files of every register, in real time: only their making needs threads.
fn make_registers(plan: &Plan, folder: &TempDir) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        for no in 0..plan.shops {
            shop::make(&folder.path().join(no.to_string()), no).await;
        }
    });
}

/// Everything of a run.
pub struct World {
    _folder: TempDir,
    plan: Plan,
    cloud: Cloud,
    sender: Sender,
    shops: Vec<Arc<Shop>>,
    places: Arc<Vec<Place>>,
    history: History,
    clock: SimulatedClock,
    epoch: Timestamp,
    began: Instant,
}

impl World {
    async fn open(plan: Plan, folder: TempDir, is_shown: bool) -> Self {
        let clock = SimulatedClock::at(MORNING.parse().unwrap());
        let history = History::new(is_shown);
        let (began, epoch) = (Instant::now(), clock.now());
        let file = folder.path().join("dispatcher.sqlite");
        let cloud = Cloud::new(file, clock.clone(), plan.without, history.clone());
        let node = cloud.start();
        let sender = cloud.sender(&node).await;
        let fittings = Fittings {
            clock: Arc::new(clock.clone()),
            database: inline(),
            random: entropy::jitter,
        };
        let lines = Dice::new(plan.seed).of(13);
        let (mut shops, mut places) = (Vec::new(), Vec::new());
        for no in 0..plan.shops {
            let path = folder.path().join(no.to_string());
            let line = Line::new(lines.of(no as u64), weather(&plan));
            let shop = Arc::new(Shop::new(no, path, line, fittings.clone(), history.clone()));
            let installation = shop.open().await;
            let (store, credential) = cloud.pair(&node, sender, &shop.code, &installation).await;
            places.push(Place { store, credential });
            tokio::spawn(paper::watch(Arc::clone(&shop), history.clone()));
            shops.push(shop);
        }
        let places = Arc::new(places);
        let world = Self {
            _folder: folder,
            plan,
            cloud,
            sender,
            shops,
            places,
            history,
            clock,
            epoch,
            began,
        };
        for shop in &world.shops {
            shop.connect(world.link(shop)).await;
        }
        world
    }

    /// The shops.
    pub fn shops(&self) -> &[Arc<Shop>] {
        &self.shops
    }

    /// Where each shop is in the dispatcher.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The wall clock when the run began.
    pub fn began_at(&self) -> Timestamp {
        self.epoch
    }

    /// Everybody's clock.
    pub fn clock(&self) -> &SimulatedClock {
        &self.clock
    }

    /// The dispatcher.
    pub fn cloud(&self) -> &Cloud {
        &self.cloud
    }

    /// The storm: jobs come, the course happens, everything settles.
    async fn storm(&self) -> Report {
        let platform = Platform {
            plan: self.plan,
            cloud: self.cloud.clone(),
            sender: self.sender,
            places: Arc::clone(&self.places),
            history: self.history.clone(),
            epoch: self.epoch,
        };
        let sending = tokio::spawn(platform.send_all());
        self.happen().await;
        let orders = sending.await.unwrap();
        tokio::time::sleep(SETTLING).await;
        self.judge(orders).await
    }

    /// What came out on paper, and all else that happened.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// A shop's way to the dispatcher.
    pub fn link(&self, shop: &Shop) -> ShopLink {
        ShopLink {
            shop: shop.no,
            line: shop.line.clone(),
            cloud: self.cloud.clone(),
            credential: self.places[shop.no].credential,
            history: self.history.clone(),
            without: self.plan.without,
        }
    }

    /// The whole course, each event in its time.
    async fn happen(&self) {
        for (at, event) in course::of(&self.plan) {
            sleep_until(self.began + at).await;
            self.happens(event).await;
        }
        sleep_until(self.began + self.plan.length()).await;
    }

    async fn happens(&self, event: Event) {
        match event {
            Event::KillCloud => {
                self.cloud.kill().await;
                for shop in &self.shops {
                    shop.line.break_calls(Noticed::default());
                }
            }
            Event::StartCloud => drop(self.cloud.start()),
            Event::Cut(shop, noticed) => self.shops[shop].line.cut(noticed),
            Event::Restore(shop) => self.shops[shop].line.restore(),
            Event::Reconnect(shop, noticed) => self.shops[shop].line.break_calls(noticed),
            Event::Slow(shop, by) => self.slow(shop, by),
            Event::KillRegister(shop) => {
                self.shops[shop].kill();
                self.shops[shop].line.break_calls(Noticed::default());
            }
            Event::StartRegister(shop) => {
                let shop = &self.shops[shop];
                shop.start(self.link(shop)).await;
            }
            Event::PaperOut(shop) => {
                self.history.begin(shop, Spell::NoPaper);
                self.shops[shop].printer.set_paper(Paper::End);
            }
            Event::PaperIn(shop) => {
                self.history.end(shop, Spell::NoPaper);
                self.shops[shop].printer.set_paper(Paper::Ok);
            }
        }
    }

    fn slow(&self, shop: usize, by: Duration) {
        self.shops[shop].line.slow_by(by);
        if by.is_zero() {
            self.history.end(shop, Spell::Slow);
        } else {
            self.history.begin(shop, Spell::Slow);
        }
    }

    async fn judge(&self, orders: Vec<Order>) -> Report {
        let node = self.cloud.node().unwrap();
        let mut trials = Vec::new();
        for order in orders {
            let store = self.places[order.shop].store;
            let cloud = node.store.job(store, order.id.clone()).await.unwrap().unwrap();
            let cloud = Told { state: cloud.state, reason: cloud.reason, late: cloud.late };
            let local = self.shops[order.shop].says_of(&order.id).await;
            trials.push(Trial { order, cloud, local });
        }
        judge::judge(self.plan, &trials, &self.history, self.cloud.settings())
    }
}
