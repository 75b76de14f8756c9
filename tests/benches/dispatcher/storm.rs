//! What a storm of orders costs the dispatcher: intake, commits, push, answer and result of each, at the published
//! mean, its peak and ten times its mean, in its share of one core; and with a webhook for each. Beside it the same
//! messages with nothing behind them.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use tillroll_tests::figures::number::us;
use tillroll_tests::figures::{Bar, Findings, Table};
use tillroll_tests::process;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use crate::chain::Chain;
use crate::crowd::Crowd;
use crate::platform::Platform;
use crate::program::Program;
use crate::receiver::Receiver;
use crate::relay::Relay;
use crate::rival::Rival;

/// Published: 80,000 jobs in 30 min for about as many printers, 73 a second at the peak, at 12 % of the processor.
const STORES: usize = 1_267;
const RATES: [u32; 3] = [44, 73, 444];
/// 12 % of a core where the same messages passed on bare take 4 %: docs/adr/0009.
const OF_BARE: f64 = 3.0;
/// How long each rate lasts.
const LENGTH: Duration = Duration::from_secs(20);
/// The dispatcher's start and the registers' hellos are over after a pause this long.
const CALM: Duration = Duration::from_secs(2);

/// A rate and what it took.
struct Storm {
    rate: u32,
    cpu: Duration,
    jobs: u32,
}

/// Measures.
pub fn measure(runtime: &Runtime, folder: &Path) -> Result<Findings> {
    let [silent, telling] = runtime.block_on(run(folder))?;
    let findings = Findings::default();
    let findings = findings.table(silent.table("A storm of orders"));
    let findings = findings.table(telling.table("A storm of orders, each end told by a webhook"));
    Ok(findings.bars([
        silent.bar("CPU at 444 orders a second, of the same messages passed on bare"),
        telling.bar("the same with a webhook for each"),
    ]))
}

/// The storms at the dispatcher, and the same with nothing behind the wire.
struct Measured {
    storms: Vec<Storm>,
    relayed: Vec<Storm>,
}

impl Measured {
    fn table(&self, title: &str) -> Table {
        let heads = [
            "orders a second",
            "CPU, % of a core",
            "CPU us each",
            "passed on bare, % of a core",
            "us each",
            "of bare",
        ];
        let mut table = Table::new(title, heads);
        for (storm, bare) in self.storms.iter().zip(&self.relayed) {
            let ([share, each], [bare_share, bare_each]) = (storm.figures(), bare.figures());
            let of_bare = format!("{:.1}", storm.share() / bare.share());
            table.push([storm.rate.to_string(), share, each, bare_share, bare_each, of_bare]);
        }
        table
    }

    fn bar(&self, figure: &str) -> Bar {
        let last = self.storms.len() - 1;
        let (tenfold, bare) = (self.storms[last].share(), self.relayed[last].share());
        Bar::at_most(figure, OF_BARE, tenfold / bare)
            .ours(format!("{:.1} % of a core", tenfold * 100.0))
            .peer("published 12 % at 44 to 73 a second")
            .limit(format!("passed on bare {:.1} %", bare * 100.0))
    }
}

impl Storm {
    /// Of the time in which the orders came, however much later the last webhook went.
    fn share(&self) -> f64 {
        self.cpu.div_duration_f64(LENGTH)
    }

    fn figures(&self) -> [String; 2] {
        [format!("{:.1}", self.share() * 100.0), us(self.cpu / self.jobs)]
    }
}

/// Without and with webhooks.
async fn run(folder: &Path) -> Result<[Measured; 2]> {
    let chain = Arc::new(Chain::make(folder, "storm", STORES, 1).await?);
    let silent = both(&chain, None).await?;
    let chain = Arc::new(Chain::make(folder, "storm-told", STORES, 1).await?);
    let receiver = Receiver::listen().await?;
    receiver.listens_to(&chain).await?;
    Ok([silent, both(&chain, Some(&receiver)).await?])
}

async fn both(chain: &Arc<Chain>, told: Option<&Receiver>) -> Result<Measured> {
    let storms = at_program(chain, told).await?;
    let mut relay = Rival::Relay(Relay { told: told.map(Receiver::url) }).start()?;
    let address = relay.said().await?;
    let relayed = at(chain, address, relay.pid, told).await?;
    Ok(Measured { storms, relayed })
}

async fn at_program(chain: &Arc<Chain>, told: Option<&Receiver>) -> Result<Vec<Storm>> {
    let program = Program::start(&chain.data, "").await?;
    let storms = at(chain, program.address, program.pid(), told).await?;
    program.stop().await?;
    Ok(storms)
}

/// A storm at each rate against whoever listens there; it is over when every end was told.
async fn at(
    chain: &Arc<Chain>,
    address: SocketAddr,
    pid: u32,
    told: Option<&Receiver>,
) -> Result<Vec<Storm>> {
    let tills = chain.shops.iter().flat_map(|shop| shop.tills.clone()).collect();
    let crowd = Crowd::of_registers(address, tills).await?;
    let platform = Platform::of(chain, address)?;
    let heard = told.map_or(0, Receiver::taken);
    let (mut storms, mut stored) = (Vec::new(), 0);
    for rate in RATES {
        sleep(CALM).await;
        let cpu = process::cpu(pid)?;
        let jobs = send(chain, &platform, rate, stored).await?;
        stored += jobs;
        crowd.until_stored(stored as usize).await?;
        if let Some(told) = told {
            told.until(heard + stored).await?;
        }
        let cpu = process::cpu(pid)?.saturating_sub(cpu);
        storms.push(Storm { rate, cpu, jobs });
    }
    Ok(storms)
}

/// Sends at a rate, the next order whether or not the last was answered.
async fn send(chain: &Arc<Chain>, platform: &Platform, rate: u32, sent: u32) -> Result<u32> {
    let (began, mut under_way) = (Instant::now(), JoinSet::new());
    let jobs = rate * u32::try_from(LENGTH.as_secs())?;
    for nth in 0..jobs {
        sleep_until(began + Duration::from_secs(1) * nth / rate).await;
        let (chain, platform) = (Arc::clone(chain), platform.clone());
        under_way.spawn(async move {
            let number = sent + nth;
            let shop = &chain.shops[number as usize % chain.shops.len()];
            platform.order(shop, &shop.tills[0].printer, number + 1).await
        });
    }
    under_way.join_all().await.into_iter().collect::<Result<()>>()?;
    Ok(jobs)
}
