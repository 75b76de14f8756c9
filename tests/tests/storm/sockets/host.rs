//! The process among the tills: many registers with their printers, connected by real sockets.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::clock::Clock;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::JobState;
use tillroll_register::SystemClock;
use tillroll_store::CloudCredential;
use tillroll_sync::HttpLink;
use tillroll_wire::PROTOCOL;
use tillroll_wire::pairing::{PairBody, Paired};
use tokio::time::{Instant, sleep};

use super::plain::{self, Asking};
use super::{sales, steady};
use crate::gate::Gate;
use crate::history::{History, Record};
use crate::lines;
use crate::plan::Plan;
use crate::report::{MARK, Times};
use crate::runtime;
use crate::shop::{self, Shop};
use crate::without::Copies;

/// What the host is to do, in the environment of its process.
pub const ERRAND: &str = "TILLROLL_STORM_HOST";
/// Said when every register is connected.
pub const READY: &str = "storm-ready ";

/// The first connection takes no longer, whatever gets lost.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the host is to do.
#[derive(Debug, Serialize, Deserialize)]
pub struct Errand {
    pub plan: String,
    pub url: String,
    pub folder: PathBuf,
    /// A pairing code for each shop.
    pub codes: Vec<String>,
    /// What the registers sell, instead of a storm.
    pub sales: Option<Sales>,
    /// Who answers over plain TCP, to be asked all the while.
    pub plain: Option<SocketAddr>,
}

/// How every register sells.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Sales {
    /// So many while it is away.
    Away(u32),
    /// Some in each of so many turns while it is connected.
    Steadily { turns: u32 },
}

/// What the host saw.
#[derive(Debug, Serialize, Deserialize)]
pub struct Seen {
    /// When its time began, by the clock of this machine.
    pub epoch: Timestamp,
    pub record: Record,
    pub states: Vec<(JobId, JobState)>,
    /// Exchanges over plain TCP.
    pub plain: Times,
}

/// Runs registers until standard input ends.
pub fn run(errand: &Errand) {
    let runtime = runtime();
    match errand.sales {
        Some(Sales::Away(sales)) => report(&runtime.block_on(sales::sell_away(errand, sales))),
        Some(Sales::Steadily { turns }) => report(&runtime.block_on(steady::sell(errand, turns))),
        None => report(&runtime.block_on(host(errand))),
    }
}

fn report(seen: &impl Serialize) {
    println!("\n{MARK}{}", serde_json::to_string(seen).unwrap());
}

/// Every register, welcomed.
pub async fn open_all(errand: &Errand, history: &History) -> Vec<Arc<Shop>> {
    let mut shops = Vec::new();
    for (no, code) in errand.codes.iter().enumerate() {
        shops.push(open(errand, no, code, history).await);
    }
    for shop in &shops {
        welcomed(shop).await;
    }
    shops
}

async fn host(errand: &Errand) -> Seen {
    let plan: Plan = errand.plan.parse().unwrap();
    let (history, epoch) = (History::new(false), SystemClock.now());
    let shops = open_all(errand, &history).await;
    say(READY);
    let course = tokio::spawn(lines::come_and_go(plan, shops.clone()));
    let asking = errand.plain.map(plain::ask);
    until_told().await;
    course.abort();
    let plain = asking.map(Asking::end).unwrap_or_default();
    let record = history.record();
    let mut states = BTreeMap::new();
    for shop in &shops {
        for (id, _) in record.papers.iter().filter(|(id, _)| id.store == shop.code) {
            if let Some(state) = shop.says_of(id).await {
                states.insert(id.clone(), state);
            }
        }
    }
    Seen { epoch, record, states: states.into_iter().collect(), plain }
}

/// Standard input ends: the driver is done, or wants the next.
pub async fn until_told() {
    let reading = || std::io::stdin().read_to_end(&mut Vec::new());
    tokio::task::spawn_blocking(reading).await.unwrap().unwrap();
}

/// Tells the driver.
pub fn say(line: &str) {
    println!("\n{line}");
    std::io::stdout().flush().unwrap();
}

/// A dispatcher that never met a register takes no job for its printer.
async fn welcomed(shop: &Shop) {
    let began = Instant::now();
    while !shop.is_online().await {
        assert!(began.elapsed() < PATIENCE, "shop {} is not welcomed", shop.no);
        sleep(Duration::from_millis(20)).await;
    }
}

/// A register with its printer, paired and connected.
async fn open(errand: &Errand, no: usize, code: &str, history: &History) -> Arc<Shop> {
    let (shop, installation) = lines::open(&errand.folder, no, history).await;
    let credential = pair(errand, no, code, installation).await;
    let http = HttpLink::new(&errand.url, &credential, "", Arc::new(SystemClock)).unwrap();
    let line = shop.line.clone();
    let plan: Plan = errand.plan.parse().unwrap();
    let copies = Copies::of(plan.without);
    shop.connect(Gate { shop: no, http, line, history: history.clone(), copies }).await;
    shop
}

/// As a register pairs, but each from an address of its own: one address may try only a few codes.
async fn pair(errand: &Errand, no: usize, code: &str, installation: String) -> CloudCredential {
    let from = IpAddr::V4(Ipv4Addr::new(10, 77, 0, u8::try_from(no + 2).unwrap()));
    let client = reqwest::Client::builder().no_proxy().local_address(from).build().unwrap();
    let body = PairBody {
        protocol: PROTOCOL,
        code: code.to_owned(),
        store: shop::code(no),
        register: "R1".parse().unwrap(),
        installation,
    };
    let answer = client.post(format!("{}/v1/pair", errand.url)).json(&body).send().await.unwrap();
    let text = answer.text().await.unwrap();
    let paired: Paired = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{no}: {text}"));
    CloudCredential::new(paired.credential)
}
