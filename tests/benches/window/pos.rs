//! A POS that hands over a receipt at every beat, whatever the register is doing: after a slow answer it
//! catches up.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use tokio::time::{MissedTickBehavior, interval};

use crate::client::{Client, Template};
use crate::latencies::Latencies;

/// A running POS, on a thread of its own.
pub struct Pos {
    seen: Arc<Seen>,
    thread: JoinHandle<Result<Latencies>>,
}

#[derive(Default)]
struct Seen {
    handed_over: AtomicU64,
    ending: AtomicBool,
}

impl Pos {
    /// Begins to sell.
    pub fn start(address: SocketAddr, token: &str, every: Duration) -> Result<Self> {
        let template = Template::receipt(address, token)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let seen = Arc::new(Seen::default());
        let own = Arc::clone(&seen);
        let thread = thread::spawn(move || runtime.block_on(sell(address, template, every, &own)));
        Ok(Self { seen, thread })
    }

    /// Receipts the register has answered so far.
    pub fn handed_over(&self) -> u64 {
        self.seen.handed_over.load(Relaxed)
    }

    /// Whether it ended by itself, which is a failure.
    pub fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }

    /// Stops; how many were handed over, and how long each answer took.
    pub fn stop(self) -> Result<(u64, Latencies)> {
        self.seen.ending.store(true, Relaxed);
        let answers = self.thread.join().map_err(|_| anyhow!("the POS broke"))??;
        Ok((self.seen.handed_over.load(Relaxed), answers))
    }
}

async fn sell(
    address: SocketAddr,
    template: Template,
    every: Duration,
    seen: &Seen,
) -> Result<Latencies> {
    let mut client = Client::connect(address, template).await?;
    let mut beat = interval(every);
    beat.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut answers = Latencies::default();
    while !seen.ending.load(Relaxed) {
        beat.tick().await;
        let begun = Instant::now();
        client.ask(seen.handed_over.load(Relaxed) + 1).await?;
        answers.note(begun.elapsed());
        seen.handed_over.fetch_add(1, Relaxed);
    }
    Ok(answers)
}
