//! One run: registers connect through the balancer, jobs come while nodes and what they share go and come back,
//! everything settles, and the judge looks.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use jiff::Timestamp;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::JobState;
use tillroll_register::SystemClock;
use tillroll_store::CloudCredential;
use tillroll_sync::HttpLink;
use tillroll_wire::job::CloudState;
use tokio::time::{Instant, sleep, sleep_until};

use super::{Cluster, Fault, chain};
use crate::business_system::{BusinessSystem, Sent, trials};
use crate::gate::Gate;
use crate::history::History;
use crate::judge::{self, Trial};
use crate::lines;
use crate::plan::Plan;
use crate::report::Report;
use crate::shop::Shop;
use crate::without::Copies;

/// All registers are welcomed within this.
const WELCOMED: Duration = Duration::from_secs(60);
/// After the deadline of the last job everything is settled within this.
const SETTLED: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(250);

/// Runs a plan over a cluster; each fault is told as it happens.
pub async fn run(
    cluster: &mut Cluster,
    plan: Plan,
    deadline_s: u64,
    faults: &[(Duration, Fault)],
    tell: impl Fn(Duration, Fault),
) -> Result<Report> {
    let (history, epoch) = (History::new(false), SystemClock.now());
    let shops = open_all(cluster, &plan, &history).await?;
    let stores = (0..plan.shops).map(chain::uid).collect();
    let business = BusinessSystem::new(&cluster.url(), chain::TOKEN, stores, deadline_s)?;
    let began = Instant::now();
    let sending = tokio::spawn(business.clone().send_all(plan));
    let lines = tokio::spawn(lines::come_and_go(plan, shops.clone()));
    for (at, fault) in faults {
        sleep_until(began + *at).await;
        tell(*at, *fault);
        cluster.suffer(*fault).await.with_context(|| fault.to_string())?;
    }
    let sent = sending.await??;
    lines.await?;
    let trials = settled(&business, &sent, &shops, epoch, deadline_s).await?;
    Ok(judge::judge(plan, &trials, &history, Default::default()))
}

/// Every register with its printer, paired and welcomed.
async fn open_all(cluster: &Cluster, plan: &Plan, history: &History) -> Result<Vec<Arc<Shop>>> {
    let (mut shops, mut installations) = (Vec::new(), Vec::new());
    for no in 0..plan.shops {
        let (shop, installation) = lines::open(cluster.folder(), no, history).await;
        shops.push(shop);
        installations.push(installation);
    }
    chain::make(&cluster.database(), &installations, SystemClock.now()).await?;
    for shop in &shops {
        let credential = CloudCredential::new(chain::credential(shop.no));
        let (store, clock) = (chain::uid(shop.no), Arc::new(SystemClock));
        let http = HttpLink::new(&cluster.url(), &credential, &store, clock)?;
        let (line, history) = (shop.line.clone(), history.clone());
        let copies = Copies::of(plan.without);
        shop.connect(Gate { shop: shop.no, http, line, history, copies }).await;
    }
    let began = Instant::now();
    for shop in &shops {
        while !shop.is_online().await {
            ensure!(began.elapsed() < WELCOMED, "shop {} is not welcomed", shop.no);
            sleep(LOOK).await;
        }
    }
    Ok(shops)
}

/// Waits until every job is settled on both sides; those that are not by then are the judge's.
async fn settled(
    business: &BusinessSystem,
    sent: &Sent,
    shops: &[Arc<Shop>],
    epoch: Timestamp,
    deadline_s: u64,
) -> Result<Vec<Trial>> {
    let limit = Instant::now() + Duration::from_secs(deadline_s) + SETTLED;
    loop {
        let told = business.told().await?;
        let trials = trials(sent, &told, &states(sent, shops).await?, epoch)?;
        if trials.iter().all(is_settled) || Instant::now() > limit {
            return Ok(trials);
        }
        sleep(LOOK).await;
    }
}

fn is_settled(trial: &Trial) -> bool {
    let is_open = matches!(trial.local, Some(JobState::Pending | JobState::Printing));
    let is_printed = trial.local == Some(JobState::Printed);
    let is_told = (trial.cloud.state == CloudState::Printed) == is_printed;
    trial.cloud.state.is_final() && !is_open && is_told
}

/// Each job as its register has it.
async fn states(sent: &Sent, shops: &[Arc<Shop>]) -> Result<BTreeMap<JobId, JobState>> {
    let mut states = BTreeMap::new();
    for (shop, job) in sent {
        let id: JobId = job.id.parse()?;
        if let Some(state) = shops[*shop].says_of(&id).await {
            states.insert(id, state);
        }
    }
    Ok(states)
}
