//! Many splits at a steady rate against a bank that runs as a program of its own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tillroll_dispatcher::bank_sim::LedgerSums;
use tillroll_dispatcher::clock::SystemClock;
use tillroll_tests::program;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use super::office::{Office, SECRET, compare};

/// Splits begun in each step of the rate.
const EACH: u32 = 10;
const STEP: Duration = Duration::from_millis(20);
/// Preparations at the same time.
const AT_ONCE: usize = 256;
/// The rest must come to its end in this time.
const WITHIN: Duration = Duration::from_secs(1_800);

pub async fn play(splits: u32) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let ledger = folder.path().join("bank").display().to_string();
    let faults = ["--delay-ms", "20", "--jitter-ms", "6", "--lose-requests", "15"];
    let more = ["--lose-answers", "15", "--late", "5", "--late-ms", "500"];
    let own = ["bank-sim", "--ledger", &ledger, "--listen", "127.0.0.1:0", "--secret", SECRET];
    let arguments = [&own[..], &faults, &more].concat();
    let (_bank, address) = program::start_of(&program::dispatcher()?, &arguments).await?;
    let office = Office::open(&address, Arc::new(SystemClock)).await?;
    let begun = Instant::now();
    let mut took = begin(&office, splits).await?;
    let rate = f64::from(splits) / begun.elapsed().as_secs_f64();
    took.sort_unstable();
    let p99 = took.get(took.len() * 99 / 100).copied().unwrap_or_default();
    println!("begun at {rate:.0}/s; prepared in {:.1} ms at p99", p99.as_secs_f64() * 1_000.0);
    let totals = office.until_all_rest(WITHIN).await?;
    println!("all at rest after {:.0} s", begun.elapsed().as_secs_f64());
    let sums: LedgerSums =
        reqwest::get(format!("http://{address}/admin/sums")).await?.json().await?;
    println!("the bank was asked to pay {} times by requests that arrived", sums.asked);
    compare(totals, sums)?;
    ensure!(totals.succeeded.count == u64::from(splits), "not all succeeded: {totals:?}");
    office.dispatcher.stop().await;
    Ok(())
}

/// Begins them at 500/s; how long each preparation took.
async fn begin(office: &Office, splits: u32) -> Result<Vec<Duration>> {
    let (places, mut begun) = (Arc::new(Semaphore::new(AT_ONCE)), JoinSet::new());
    let mut steps = interval(STEP);
    steps.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut took = Vec::new();
    for n in 0..splits {
        if n % EACH == 0 {
            steps.tick().await;
        }
        let place = Arc::clone(&places).acquire_owned().await?;
        let till = office.till();
        begun.spawn(async move {
            let took = till.pay(n).await;
            drop(place);
            took
        });
        while let Some(done) = begun.try_join_next() {
            took.push(done??);
        }
    }
    while let Some(done) = begun.join_next().await {
        took.push(done??);
    }
    Ok(took)
}
