//! Half an hour without the bank, and how soon the backlog is paid when it is back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use jiff::Timestamp;
use tillroll_dispatcher::bank_sim::{BankFaults, BankOptions, BankSim};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::payments::Seal;
use tillroll_domain::clock::Clock;

use super::office::{Office, SECRET, compare};

/// The machine's clocks, set ahead step by step.
#[derive(Debug, Default)]
struct SkippingClock(AtomicU64);

impl SkippingClock {
    fn skipped(&self) -> Duration {
        Duration::from_secs(self.0.load(Relaxed))
    }
}

impl Clock for SkippingClock {
    fn now(&self) -> Timestamp {
        SystemClock.now().saturating_add(self.skipped()).unwrap_or(Timestamp::MAX)
    }

    fn boot(&self) -> Duration {
        SystemClock.boot() + self.skipped()
    }
}

/// Skipped at a time, with a pause in which the dispatcher looks around.
const STEP_S: u64 = 30;
const STEPS: u32 = 60;
const PAUSE: Duration = Duration::from_millis(150);
/// The backlog must be paid in this time.
const WITHIN: Duration = Duration::from_secs(10);

pub async fn play(splits: u32) -> Result<()> {
    let clock = Arc::new(SkippingClock::default());
    let folder = tempfile::tempdir()?;
    let options = BankOptions {
        data: folder.path().join("bank"),
        listen: ([127, 0, 0, 1], 0).into(),
        seal: Seal::of(SECRET)?,
        faults: BankFaults { down: true, ..BankFaults::default() },
        clock: Arc::<SkippingClock>::clone(&clock),
        random: || 0,
    };
    let bank = BankSim::start(options).await?;
    let clock_of_office: Arc<SkippingClock> = Arc::clone(&clock);
    let office = Office::open(&bank.address().to_string(), clock_of_office).await?;
    for n in 0..splits {
        office.till().pay(n).await?;
    }
    for _ in 0..STEPS {
        clock.0.fetch_add(STEP_S, Relaxed);
        tokio::time::sleep(PAUSE).await;
    }
    println!("after 30 min: {} pending", office.totals().await?.pending.count);
    let end = Instant::now();
    bank.set_faults(BankFaults::default());
    let totals = office.until_all_rest(WITHIN).await?;
    println!("paid {:.1} s after its end", end.elapsed().as_secs_f64());
    compare(totals, bank.sums().await?)?;
    ensure!(totals.succeeded.count == u64::from(splits), "not all succeeded: {totals:?}");
    office.dispatcher.stop().await;
    bank.stop().await;
    Ok(())
}
