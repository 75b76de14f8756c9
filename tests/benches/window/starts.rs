//! From the program's start to a screen that can be used: printers and receipts are shown.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use rustix::fs::sync;
use rustix::time::{ClockId, clock_gettime};
use tokio::runtime::Runtime;

use crate::PAST;
use crate::desktop::PATIENCE;
use crate::latencies::Latencies;
use crate::till::{Till, Window};

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

/// Measures and prints.
pub fn measure(runtime: &Runtime) -> Result<()> {
    println!("\nFrom the program's start to a usable window\n");
    println!("| | nothing in memory ms | p50 ms of {STARTS} more | slowest ms |");
    println!("| --- | ---: | ---: | ---: |");
    for (name, receipts) in [("empty store", 0), ("100,000 receipts", PAST)] {
        let till = Till::with_past(runtime, receipts)?;
        let is_cold = drop_file_caches();
        let first = runtime.block_on(start(&till))?;
        let cold = if is_cold { first.took.as_millis().to_string() } else { "-".to_owned() };
        let mut warm = Latencies::default();
        for _ in 0..STARTS {
            let start = runtime.block_on(start(&till))?;
            warm.note(start.took);
            if start.took_less {
                println!("(one of the next row's starts took less)");
            }
        }
        let ms = |share| warm.quantile(share).as_millis();
        println!("| {name} | {cold} | {} | {} |", ms(0.5), ms(1.0));
    }
    Ok(())
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
