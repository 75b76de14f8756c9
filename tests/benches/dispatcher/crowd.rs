//! Many registers, each on a connection of its own.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use tillroll_wire::channel::{Down, Up};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::chain::Till;
use crate::line::{Line, Printer, printed};

/// Connections being opened at once.
const AT_ONCE: usize = 64;
/// Source addresses, from 127.0.0.2 on: one address has too few ports.
const ADDRESSES: usize = 8;
/// Longer than anything takes that is right.
const PATIENCE: Duration = Duration::from_secs(60);

/// Connected registers. Dropping them ends the connections.
pub struct Crowd {
    tally: Arc<Tally>,
    _lines: JoinSet<()>,
}

/// What they have done so far.
#[derive(Debug, Default)]
struct Tally {
    accepted: AtomicUsize,
    stored: AtomicUsize,
}

impl Crowd {
    /// Connects registers that take and print what is pushed.
    pub async fn of_registers(to: SocketAddr, tills: Vec<Till>) -> Result<Self> {
        let tally = Arc::new(Tally::default());
        let here = Arc::clone(&tally);
        let lines = connect(tills, move |from, till, connected| {
            let tally = Arc::clone(&here);
            async move {
                let line = Line::greeted(from, to, &till, Printer::Ready).await;
                let Some(line) = pass_on(line, &connected).await else { return };
                // Its end is seen by what it no longer does.
                let _ = serve(line, &tally).await;
            }
        })
        .await?;
        Ok(Self { tally, _lines: lines })
    }

    /// Opens bare WebSockets.
    pub async fn of_sockets(to: SocketAddr, tills: Vec<Till>) -> Result<Self> {
        let lines = connect(tills, move |from, till, connected| async move {
            let line = Line::open(from, to, &till.credential).await;
            let Some(line) = pass_on(line, &connected).await else { return };
            line.idle().await;
        })
        .await?;
        Ok(Self { tally: Arc::default(), _lines: lines })
    }

    /// Waits until so many jobs were accepted; how many are on paper and acknowledged then.
    pub async fn until_accepted(&self, count: usize) -> Result<()> {
        until(&self.tally.accepted, count).await
    }

    /// Waits until so many results were acknowledged.
    pub async fn until_stored(&self, count: usize) -> Result<()> {
        until(&self.tally.stored, count).await
    }
}

async fn until(counter: &AtomicUsize, count: usize) -> Result<()> {
    let begun = Instant::now();
    while counter.load(Relaxed) < count {
        ensure!(begun.elapsed() < PATIENCE, "{} of {count}", counter.load(Relaxed));
        sleep(Duration::from_millis(1)).await;
    }
    Ok(())
}

type Connected = mpsc::Sender<Result<()>>;

/// Starts a line for each, a few at a time, until all are connected.
async fn connect<L, F>(tills: Vec<Till>, line: L) -> Result<JoinSet<()>>
where
    L: Fn(IpAddr, Till, Connected) -> F,
    F: Future<Output = ()> + Send + 'static,
{
    let (mut lines, places) = (JoinSet::new(), Arc::new(Semaphore::new(AT_ONCE)));
    let (count, (connected, mut waiting)) = (tills.len(), mpsc::channel(tills.len().max(1)));
    for (number, till) in tills.into_iter().enumerate() {
        places.acquire().await?.forget();
        let (told, mut here) = mpsc::channel(1);
        lines.spawn(line(address(number)?, till, told));
        let (places, connected) = (Arc::clone(&places), connected.clone());
        lines.spawn(async move {
            let outcome = here.recv().await.unwrap_or(Ok(()));
            places.add_permits(1);
            // Nobody waits any more after a failure.
            let _ = connected.send(outcome).await;
        });
    }
    for _ in 0..count {
        waiting.recv().await.context("a line ended")??;
    }
    Ok(lines)
}

fn address(number: usize) -> Result<IpAddr> {
    Ok(IpAddr::V4(Ipv4Addr::new(127, 0, 0, u8::try_from(2 + number % ADDRESSES)?)))
}

async fn pass_on(line: Result<Line>, connected: &Connected) -> Option<Line> {
    let (line, outcome) = match line {
        Ok(line) => (Some(line), Ok(())),
        Err(error) => (None, Err(error)),
    };
    // Nobody waits any more after a failure.
    let _ = connected.send(outcome).await;
    line
}

async fn serve(mut line: Line, tally: &Tally) -> Result<()> {
    loop {
        match line.hear().await? {
            Down::Push(push) => {
                let (id, fingerprint) = (push.id.clone(), push.fingerprint);
                line.say(&Up::Accepted { id, fingerprint }).await?;
                tally.accepted.fetch_add(1, Relaxed);
                line.say(&printed(push.id)).await?;
            }
            Down::ResultStored { .. } => drop(tally.stored.fetch_add(1, Relaxed)),
            Down::Welcome { .. }
            | Down::Status { .. }
            | Down::Cancel { .. }
            | Down::PrinterNameTaken { .. }
            | Down::Bye { .. } => {}
        }
    }
}
