//! From the program's start to a screen that can be used: printers and receipts are shown.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::fs::sync;
use rustix::time::{ClockId, clock_gettime};
use tillroll_tests::figures::number::ms;
use tillroll_tests::figures::{Bar, Findings, Table};
use tillroll_tests::scale;
use tokio::runtime::Runtime;

use crate::desktop::PATIENCE;
use crate::latencies::Latencies;
use crate::till::{Till, Window};
use crate::{FEW, MANY};

const STARTS: u32 = 8;
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Notes the first frame that shows the printer, and the receipts or that there are none.
const WATCH: &str = "
    const usable = () => {
        const main = document.querySelector('main');
        const printer = main?.querySelector('li h2')?.textContent === 'front';
        return printer && Boolean(main.querySelector('[role=option], .empty'));
    };
    const look = () => {
        if (!usable()) return requestAnimationFrame(look);
        window.usableAt = performance.timeOrigin + performance.now();
    };
    window.usableBefore = usable();
    look();";

/// A start that was watched.
struct Start {
    took: Duration,
    /// The window was usable before it could be watched, so it took less.
    took_less: bool,
}

/// Measures.
pub fn measure(runtime: &Runtime) -> Result<Findings> {
    let heads =
        ["from the program's start to a usable window", "nothing in memory", "p50", "slowest"];
    let (mut table, mut medians) = (Table::new("", heads), Vec::new());
    let stores = [("empty store", 0), ("20,000 receipts", FEW), ("a million receipts", MANY)];
    let mut noted = String::new();
    for (name, receipts) in stores {
        let Starts { cold, warm, took_less } = starts(runtime, receipts)?;
        let cold = cold.map_or_else(|| "-".to_owned(), ms);
        table.push([name.to_owned(), cold, ms(warm.quantile(0.5)), ms(warm.quantile(1.0))]);
        medians.push(warm.quantile(0.5));
        if took_less > 0 {
            noted += &format!(" Of those with {name} {took_less} took less than could be seen.");
        }
    }
    let [_, few, many] = medians[..] else { bail!("three stores") };
    let figure = "start of the window beside a million receipts, of 20,000";
    let bar = Bar::at_most(figure, 1.2, many.div_duration_f64(few));
    let note = format!("p50 and slowest of {STARTS} starts after the first.{noted}");
    let bar = bar.ours(ms(many)).limit(format!("beside 20,000 {}", ms(few)));
    Ok(Findings::default().table(table).note(note).bars([bar]))
}

/// Starts on one store.
struct Starts {
    /// After the computer's own start; none for who may not drop what the system has read.
    cold: Option<Duration>,
    warm: Latencies,
    took_less: usize,
}

fn starts(runtime: &Runtime, receipts: u32) -> Result<Starts> {
    let past = if receipts == 0 { 0 } else { scale::count(receipts) };
    let till = Till::with_past(runtime, past)?;
    let is_cold = drop_file_caches();
    let first = runtime.block_on(start(&till))?;
    let (mut warm, mut took_less) = (Latencies::default(), 0);
    for _ in 0..scale::count(STARTS) {
        let start = runtime.block_on(start(&till))?;
        warm.note(start.took);
        took_less += usize::from(start.took_less);
    }
    Ok(Starts { cold: is_cold.then_some(first.took), warm, took_less })
}

/// Makes the next start read everything from the disk, as after the computer's own start; only root may.
fn drop_file_caches() -> bool {
    sync();
    std::fs::write("/proc/sys/vm/drop_caches", "3").is_ok()
}

async fn start(till: &Till) -> Result<Start> {
    let window = till.open().await?;
    let usable_at = usable_at(&window).await?;
    let took = usable_at.checked_sub(window.processes.began()?).context("usable too early")?;
    let took_less = window.page.run("return window.usableBefore").await? == true;
    till.close(window).await?;
    Ok(Start { took, took_less })
}

/// When the window was usable, on the clock that counts since the computer's start.
async fn usable_at(window: &Window) -> Result<Duration> {
    window.page.run(WATCH).await?;
    let begun = Instant::now();
    let at_ms = loop {
        if let Some(at) = window.page.run("return window.usableAt").await?.as_f64() {
            break at;
        }
        ensure!(begun.elapsed() < PATIENCE, "the window does not become usable");
        tokio::time::sleep(LOOK_AGAIN).await;
    };
    let since_boot = Duration::try_from(clock_gettime(ClockId::Boottime))?;
    let wall = Duration::try_from(clock_gettime(ClockId::Realtime))?;
    Ok(Duration::from_secs_f64(at_ms / 1_000.0) + since_boot - wall)
}
