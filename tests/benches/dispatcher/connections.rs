//! Ten thousand registers connected to one dispatcher: memory of each, CPU at rest, and a job for each.
//! Beside it as many bare WebSockets.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::bars::{self, Bar};
use crate::chain::{Chain, Till};
use crate::crowd::Crowd;
use crate::platform::Platform;
use crate::program::Program;
use crate::rival::Rival;
use crate::sockets::Sockets;
use tillroll_tests::process;

const STORES: usize = 1_000;
const REGISTERS: usize = 10;
const ALL: u32 = 10_000;
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
}

/// Measures and prints.
pub fn measure(runtime: &Runtime, folder: &Path) -> Result<()> {
    runtime.block_on(async {
        let chain = Chain::make(folder, "connections", STORES, REGISTERS).await?;
        let tills: Vec<Till> = chain.shops.iter().flat_map(|shop| shop.tills.clone()).collect();
        let (bare, held) = (sockets(tills.clone()).await?, dispatcher(chain, tills).await?);
        print(bare, held);
        Ok(())
    })
}

async fn sockets(tills: Vec<Till>) -> Result<Held> {
    let mut rival = Rival::Sockets(Sockets).start()?;
    let to: SocketAddr = rival.said().await?;
    let (crowd, held) = hold(rival.pid, Crowd::of_sockets(to, tills)).await?;
    drop(crowd);
    Ok(held)
}

async fn dispatcher(chain: Chain, tills: Vec<Till>) -> Result<(Held, Pushed)> {
    let program = Program::start(&chain.data, "").await?;
    let connecting = Crowd::of_registers(program.address, tills);
    let (crowd, held) = hold(program.pid(), connecting).await?;
    let pushed = push(chain, &program, &crowd).await?;
    drop(crowd);
    program.stop().await?;
    Ok((held, pushed))
}

async fn hold(pid: u32, connecting: impl Future<Output = Result<Crowd>>) -> Result<(Crowd, Held)> {
    let (before, cpu_before, begun) = (process::memory(pid)?, process::cpu(pid)?, Instant::now());
    let crowd = connecting.await?;
    let (connecting, cpu) = (begun.elapsed(), process::cpu(pid)?.saturating_sub(cpu_before));
    let rests_from = process::cpu(pid)?;
    sleep(RESTS).await;
    let rest = process::cpu(pid)?.saturating_sub(rests_from).as_secs_f64() / RESTS.as_secs_f64();
    let grown = process::memory(pid)?.saturating_sub(before);
    Ok((crowd, Held { connecting, cpu, each: bytes(grown) / f64::from(ALL), rest }))
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
    let (chain, cpu, begun) = (Arc::new(chain), program.cpu()?, Instant::now());
    let mut callers = JoinSet::new();
    for caller in 0..CALLERS {
        let (chain, platform) = (Arc::clone(&chain), platform.clone());
        callers.spawn(async move { order_share(&chain, &platform, caller).await });
    }
    let all = STORES * REGISTERS;
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

fn print(bare: Held, (held, pushed): (Held, Pushed)) {
    println!("\n{ALL} connections\n");
    println!(
        "| | bytes a connection | CPU at rest, % of a core | connected a second | CPU us each |"
    );
    println!("| --- | ---: | ---: | ---: | ---: |");
    row("registers at the dispatcher", held);
    row("bare WebSockets", bare);
    let rate = |took: Duration| f64::from(ALL) / took.as_secs_f64();
    println!(
        "\nA job for each: taken {:.0} a second, accepted {:.0} a second, on paper and stored {:.0} a second, CPU {} us each.",
        rate(pushed.taken),
        rate(pushed.accepted),
        rate(pushed.stored),
        (pushed.cpu / ALL).as_micros()
    );
    bars::print(&[
        Bar::at_most("KiB a connected register", 20.0, held.each / 1_024.0),
        Bar::at_most("CPU at rest, % of a core", 2.0, held.rest * 100.0),
        Bar::at_least("accepted a second", 1_000.0, rate(pushed.accepted)),
    ]);
}

fn row(name: &str, held: Held) {
    println!(
        "| {name} | {:.0} | {:.2} | {:.0} | {} |",
        held.each,
        held.rest * 100.0,
        f64::from(ALL) / held.connecting.as_secs_f64(),
        (held.cpu / ALL).as_micros()
    );
}
