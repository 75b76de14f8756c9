//! The delivered pace of recovery, in simulated time: 80 s pass in a moment.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::job::NewJob;
use tillroll_dispatcher::schedule::{ScheduleSettings, Scheduler};
use tillroll_dispatcher::secret::hash_of;
use tillroll_dispatcher::sqlite::{Calls, SqliteOptions, SqliteStore};
use tillroll_dispatcher::store::DispatcherStore as _;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_testkit::SimulatedClock;
use tillroll_wire::channel::{Down, Up};
use tillroll_wire::job::AfterDeadline;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::chain::{Chain, Shop};
use crate::line::{Printer, hello, printed};
use crate::recovery::{JOBS, Return};

/// Messages to the register.
const WAITING: usize = 256;
const DEADLINE: Duration = Duration::from_secs(3_600);

/// A printer that takes no time comes back to the settings as they are delivered.
pub fn at_the_ceiling(runtime: &Runtime, folder: &Path) -> Result<Return> {
    let chain = runtime.block_on(Chain::make(folder, "ceiling", 1, 1))?;
    let paused =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build()?;
    paused.block_on(come_back(&chain))
}

async fn come_back(chain: &Chain) -> Result<Return> {
    let mut options = SqliteOptions { calls: Calls::Inline, ..SqliteOptions::default() };
    options.database.inline = true;
    let (store, _) = SqliteStore::open(&chain.database(), options)?;
    let clock = Arc::new(SimulatedClock::at(SystemClock.now()));
    let scheduler = Scheduler::start(store.clone(), clock, ScheduleSettings::default(), || 7);
    let shop = &chain.shops[0];
    for number in 1..=JOBS {
        scheduler.submit(order(chain, shop, &scheduler, number)?).await?;
    }
    let returned = print_all(&store, &scheduler, shop).await?;
    scheduler.stop().await;
    Ok(returned)
}

fn order(
    chain: &Chain,
    shop: &Shop,
    scheduler: &Scheduler<SqliteStore>,
    number: u32,
) -> Result<NewJob> {
    let (body, now) = (format!("{{\"order_no\":\"{number}\"}}"), scheduler.now());
    Ok(NewJob {
        store: shop.no,
        id: format!("{}:{number}:kitchen:v1", shop.code).parse()?,
        fingerprint: Fingerprint::of(body.as_bytes()),
        body,
        printer: Some(shop.tills[0].printer.clone()),
        deadline_at: now + DEADLINE,
        after_deadline: AfterDeadline::Hold,
        api_key: chain.api_key,
        now,
    })
}

async fn print_all(
    store: &SqliteStore,
    scheduler: &Scheduler<SqliteStore>,
    shop: &Shop,
) -> Result<Return> {
    let till = &shop.tills[0];
    let credential = store.register_of(hash_of(&till.credential)).await?.context("not paired")?;
    let (down, mut heard) = mpsc::channel(WAITING);
    let begun = Instant::now();
    let connected = scheduler.connect(credential, hello(till, Printer::Ready), down).await;
    let Ok(mut connection) = connected else { bail!("the register was not let in") };
    let (mut open, mut most, mut stored) = (0, 0, 0);
    while stored < JOBS {
        match heard.recv().await.context("the connection ended")? {
            Down::Push(push) => {
                open += 1;
                most = most.max(open);
                let (id, fingerprint) = (push.id.clone(), push.fingerprint);
                connection.receive(Up::Accepted { id, fingerprint }).await?;
                connection.receive(printed(push.id)).await?;
            }
            Down::ResultStored { .. } => {
                open -= 1;
                stored += 1;
            }
            Down::Welcome { .. }
            | Down::Status { .. }
            | Down::Cancel { .. }
            | Down::PrinterNameTaken { .. }
            | Down::Bye { .. } => {}
        }
    }
    Ok(Return { took: begun.elapsed(), open: most })
}
