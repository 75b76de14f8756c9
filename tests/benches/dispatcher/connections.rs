//! Ten thousand registers connected to one dispatcher: memory of each, CPU at rest, and a job for each.
//! Beside it as many bare WebSockets.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use tillroll_tests::figures::number::{a_second, us, whole};
use tillroll_tests::figures::{Bar, Findings, Table};
use tillroll_tests::{process, scale};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::chain::{Chain, Till};
use crate::crowd::Crowd;
use crate::platform::Platform;
use crate::program::Program;
use crate::rival::Rival;
use crate::sockets::Sockets;

const STORES: u32 = 1_000;
const REGISTERS: usize = 10;
/// At rest.
const RESTS: Duration = Duration::from_secs(30);
/// Orders under way at once.
const CALLERS: usize = 32;

/// What so many connections came to.
#[derive(Debug, Clone, Copy)]
struct Held {
    /// To connect all.
    connecting: Duration,
    /// CPU of that.
    cpu: Duration,
    /// Bytes a connection.
    each: f64,
    /// A share of a core while nothing happens.
    rest: f64,
    /// How many.
    all: u32,
}

/// Measures.
pub fn measure(runtime: &Runtime, folder: &Path) -> Result<Findings> {
    runtime.block_on(async {
        let stores = usize::try_from(scale::count(STORES))?;
        let chain = Chain::make(folder, "connections", stores, REGISTERS).await?;
        let tills: Vec<Till> = chain.shops.iter().flat_map(|shop| shop.tills.clone()).collect();
        let (bare, held) = (sockets(tills.clone()).await?, dispatcher(chain, tills).await?);
        Ok(found(bare, held))
    })
}

async fn sockets(tills: Vec<Till>) -> Result<Held> {
    let (mut rival, all) = (Rival::Sockets(Sockets).start()?, u32::try_from(tills.len())?);
    let to: SocketAddr = rival.said().await?;
    let (crowd, held) = hold(rival.pid, all, Crowd::of_sockets(to, tills)).await?;
    drop(crowd);
    Ok(held)
}

async fn dispatcher(chain: Chain, tills: Vec<Till>) -> Result<(Held, Pushed)> {
    let (program, all) = (Program::start(&chain.data, "").await?, u32::try_from(tills.len())?);
    let connecting = Crowd::of_registers(program.address, tills);
    let (crowd, held) = hold(program.pid(), all, connecting).await?;
    let pushed = push(chain, &program, &crowd).await?;
    drop(crowd);
    program.stop().await?;
    Ok((held, pushed))
}

async fn hold(
    pid: u32,
    all: u32,
    connecting: impl Future<Output = Result<Crowd>>,
) -> Result<(Crowd, Held)> {
    let (before, cpu_before, begun) = (process::memory(pid)?, process::cpu(pid)?, Instant::now());
    let crowd = connecting.await?;
    let (connecting, cpu) = (begun.elapsed(), process::cpu(pid)?.saturating_sub(cpu_before));
    let rests_from = process::cpu(pid)?;
    let rests = scale::time(RESTS);
    sleep(rests).await;
    let rest = process::cpu(pid)?.saturating_sub(rests_from).div_duration_f64(rests);
    let grown = process::memory(pid)?.saturating_sub(before);
    Ok((crowd, Held { connecting, cpu, each: bytes(grown) / f64::from(all), rest, all }))
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn bytes(count: u64) -> f64 {
    count as f64
}

/// A job for every register.
#[derive(Debug, Clone, Copy)]
struct Pushed {
    /// From the first order to the last answer to one.
    taken: Duration,
    /// To the last acceptance by a register.
    accepted: Duration,
    /// To the last result that is stored.
    stored: Duration,
    /// CPU of the dispatcher.
    cpu: Duration,
}

async fn push(chain: Chain, program: &Program, crowd: &Crowd) -> Result<Pushed> {
    let platform = Platform::of(&chain, program.address)?;
    let all = chain.shops.len() * REGISTERS;
    let (chain, cpu, begun) = (Arc::new(chain), program.cpu()?, Instant::now());
    let mut callers = JoinSet::new();
    for caller in 0..CALLERS {
        let (chain, platform) = (Arc::clone(&chain), platform.clone());
        callers.spawn(async move { order_share(&chain, &platform, caller).await });
    }
    let taking = async {
        callers.join_all().await.into_iter().collect::<Result<()>>()?;
        Ok(begun.elapsed())
    };
    let accepting = async {
        crowd.until_accepted(all).await?;
        Ok::<_, anyhow::Error>(begun.elapsed())
    };
    let (taken, accepted) = tokio::try_join!(taking, accepting)?;
    crowd.until_stored(all).await?;
    let stored = begun.elapsed();
    Ok(Pushed { taken, accepted, stored, cpu: program.cpu()?.saturating_sub(cpu) })
}

/// One order for each register of every so many-th store.
async fn order_share(chain: &Chain, platform: &Platform, caller: usize) -> Result<()> {
    for shop in chain.shops.iter().skip(caller).step_by(CALLERS) {
        for (number, till) in (1..).zip(&shop.tills) {
            platform.order(shop, &till.printer, number).await?;
        }
    }
    Ok(())
}

fn found(bare: Held, (held, pushed): (Held, Pushed)) -> Findings {
    let heads =
        ["", "bytes a connection", "CPU at rest, % of a core", "connected a second", "CPU us each"];
    let table = Table::new(format!("{} connections", whole(f64::from(held.all))), heads)
        .row(row("registers at the dispatcher", held))
        .row(row("bare WebSockets", bare));
    let rate = |took: Duration| f64::from(held.all) / took.as_secs_f64();
    let note = format!(
        "A job for each: taken {}, accepted by the registers {}, on paper and stored {}, CPU {} us each.",
        a_second(rate(pushed.taken)),
        whole(rate(pushed.accepted)),
        whole(rate(pushed.stored)),
        us(pushed.cpu / held.all)
    );
    let (kib, share) = (|held: Held| held.each / 1_024.0, |held: Held| held.rest * 100.0);
    Findings::default().table(table).note(note).bars([
        Bar::at_most("10,000 registers, KiB each", 20.0, kib(held))
            .limit(format!("bare WebSocket {:.1} KiB", kib(bare))),
        Bar::at_most("10,000 registers, CPU at rest, % of a core", 2.0, share(held))
            .limit(format!("bare WebSockets {:.1} %", share(bare))),
        Bar::at_least("a job for each of them, accepted a second", 1_000.0, rate(pushed.accepted)),
    ])
}

fn row(name: &str, held: Held) -> [String; 5] {
    [
        name.to_owned(),
        whole(held.each),
        format!("{:.2}", held.rest * 100.0),
        whole(f64::from(held.all) / held.connecting.as_secs_f64()),
        us(held.cpu / held.all),
    ]
}
