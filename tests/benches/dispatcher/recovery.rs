//! One printer with 200 parked jobs comes back.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use tillroll_domain::ids::JobId;
use tillroll_tests::figures::{Bar, Findings, Table};
use tillroll_wire::channel::{Down, Up};
use tokio::runtime::Runtime;
use tokio::time::{Instant, sleep_until};

use crate::chain::{Chain, Shop};
use crate::line::{Line, Printer, printed};
use crate::platform::Platform;
use crate::program::Program;
use crate::simulated;

/// Jobs that wait.
pub const JOBS: u32 = 200;
/// From the register's return to the last of them on paper, in the published account.
const PUBLISHED_S: f64 = 80.0;
/// What a job takes a fast printer.
const DEVICE: Duration = Duration::from_millis(20);
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

/// Measures.
pub fn measure(runtime: &Runtime, folder: &Path) -> Result<Findings> {
    let ceiling = simulated::at_the_ceiling(runtime, folder)?;
    let instant = runtime.block_on(by_results(folder, "instant", Duration::ZERO))?;
    let fast = runtime.block_on(by_results(folder, "fast", DEVICE))?;
    let title = format!("{JOBS} parked jobs of a printer that comes back");
    let table = Table::new(title, ["", "s", "most without a result"])
        .row(row("5 in 2 s, as delivered (simulated time)", ceiling))
        .row(row("paced by results, a printer that takes no time", instant))
        .row(row("paced by results, a printer that takes 20 ms a job", fast));
    let most = count(ceiling.open.max(instant.open).max(fast.open));
    let paper = DEVICE * JOBS;
    Ok(Findings::default().table(table).bars([
        Bar::at_most(
            "200 parked jobs, s at the delivered ceiling",
            PUBLISHED_S,
            ceiling.took.as_secs_f64(),
        )
        .peer(format!("published {PUBLISHED_S} s")),
        Bar::at_most(
            "200 parked jobs, s paced by results, 20 ms a job",
            8.0,
            fast.took.as_secs_f64(),
        )
        .limit(format!("the paper alone {:.1} s", paper.as_secs_f64())),
        Bar::at_most("200 parked jobs, most without a result", 5.0, most),
    ]))
}

fn row(name: &str, Return { took, open }: Return) -> [String; 3] {
    [name.to_owned(), format!("{:.2}", took.as_secs_f64()), open.to_string()]
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
