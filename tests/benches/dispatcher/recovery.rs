//! One printer with 200 parked jobs comes back.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use tillroll_domain::ids::JobId;
use tillroll_wire::channel::{Down, Up};
use tokio::runtime::Runtime;
use tokio::time::{Instant, sleep_until};

use crate::bars::{self, Bar};
use crate::chain::{Chain, Shop};
use crate::line::{Line, Printer, printed};
use crate::platform::Platform;
use crate::program::Program;
use crate::simulated;

/// Jobs that wait.
pub const JOBS: u32 = 200;
/// From the register's return to the last of them on paper, in the published account.
const PUBLISHED_S: f64 = 80.0;
/// The results alone set the pace.
const BY_RESULTS: &str = "[schedule]\nrecovery_every_ms = 0\n";
const FROM: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

/// How a printer came back.
#[derive(Debug, Clone, Copy)]
pub struct Return {
    /// From the connection to the last job on paper and acknowledged.
    pub took: Duration,
    /// Most jobs pushed and without a result at any time.
    pub open: usize,
}

/// Measures and prints.
pub fn measure(runtime: &Runtime, folder: &Path) -> Result<()> {
    let ceiling = simulated::at_the_ceiling(runtime, folder)?;
    let instant = runtime.block_on(by_results(folder, "instant", Duration::ZERO))?;
    let device = Duration::from_millis(20);
    let fast = runtime.block_on(by_results(folder, "fast", device))?;
    println!("\n{JOBS} parked jobs of a printer that comes back; published: {PUBLISHED_S} s\n");
    println!("| | s | most without a result |\n| --- | ---: | ---: |");
    row("5 in 2 s, as delivered (simulated time)", ceiling);
    row("paced by results, a printer that takes no time", instant);
    row("paced by results, a printer that takes 20 ms a job", fast);
    bars::print(&[
        Bar::at_most("s at the delivered ceiling", PUBLISHED_S, ceiling.took.as_secs_f64()),
        Bar::at_most("s paced by results, 20 ms a job", 8.0, fast.took.as_secs_f64()),
        Bar::at_most(
            "jobs without a result",
            5.0,
            count(ceiling.open.max(instant.open).max(fast.open)),
        ),
    ]);
    Ok(())
}

fn row(name: &str, Return { took, open }: Return) {
    println!("| {name} | {:.2} | {open} |", took.as_secs_f64());
}

#[expect(clippy::cast_precision_loss, reason = "a handful")]
fn count(jobs: usize) -> f64 {
    jobs as f64
}

/// Real time, real sockets, the real program.
async fn by_results(folder: &Path, name: &str, device: Duration) -> Result<Return> {
    let chain = Chain::make(folder, name, 1, 1).await?;
    let program = Program::start(&chain.data, BY_RESULTS).await?;
    let (shop, platform) = (&chain.shops[0], Platform::of(&chain, program.address)?);
    park(&platform, shop, &program).await?;
    let begun = Instant::now();
    let line = Line::greeted(FROM, program.address, &shop.tills[0], Printer::Ready).await?;
    let open = print_all(line, device).await?;
    let took = begun.elapsed();
    program.stop().await?;
    Ok(Return { took, open })
}

/// The register announces its printer, leaves, and the jobs come.
async fn park(platform: &Platform, shop: &Shop, program: &Program) -> Result<()> {
    let till = &shop.tills[0];
    drop(Line::greeted(FROM, program.address, till, Printer::Ready).await?);
    for number in 1..=JOBS {
        platform.order(shop, &till.printer, number).await?;
    }
    let all = usize::try_from(JOBS)?;
    platform.until(shop, "parked", all).await
}

/// Prints one after the other, each in its time; gives the most jobs that were here at once.
async fn print_all(mut line: Line, device: Duration) -> Result<usize> {
    let (mut queue, mut most, mut stored) = (VecDeque::new(), 0, 0);
    let mut free_at = Instant::now();
    while stored < JOBS {
        tokio::select! {
            biased;
            () = sleep_until(free_at), if !queue.is_empty() => {
                let done: Option<JobId> = queue.pop_front();
                if let Some(id) = done {
                    line.say(&printed(id)).await?;
                }
                free_at = Instant::now() + device;
            }
            said = line.hear() => match said? {
                Down::Push(push) => {
                    if queue.is_empty() {
                        free_at = free_at.max(Instant::now() + device);
                    }
                    let (id, fingerprint) = (push.id.clone(), push.fingerprint);
                    line.say(&Up::Accepted { id, fingerprint }).await?;
                    queue.push_back(push.id);
                    most = most.max(queue.len());
                }
                Down::ResultStored { .. } => stored += 1,
                Down::Welcome { .. }
            | Down::Status { .. }
            | Down::Cancel { .. }
            | Down::PrinterNameTaken { .. }
            | Down::Bye { .. } => {}
            },
        }
    }
    Ok(most)
}
