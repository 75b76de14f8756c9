//! 200 receipts a second beside 100,000 recorded ones: the window's trace, then its memory.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::runtime::Runtime;

use crate::latencies::Latencies;
use crate::till::{Till, Window};
use crate::{PAST, memory, trace};

/// 200 receipts a second.
const A_RECEIPT_EVERY: Duration = Duration::from_millis(5);

/// Measures and prints.
pub fn measure(runtime: &Runtime) -> Result<()> {
    let till = Till::with_past(runtime, PAST)?;
    runtime.block_on(under_load(&till))
}

async fn under_load(till: &Till) -> Result<()> {
    let window = till.open().await?;
    window.page.sees("front").await?;
    let pos = till.pos(A_RECEIPT_EVERY).await?;
    let (begun, cpu) = (Instant::now(), window.processes.cpu()?);
    let trace = trace::take(&window.page).await?;
    let (traced, handed_over) = (begun.elapsed(), pos.handed_over());
    println!("\n{handed_over} receipts in {:.1} s\n", traced.as_secs_f64());
    trace.print();
    print_cpu(&window, cpu, traced)?;
    memory::sample(&window.processes, &pos).await?.print();
    let (sold, answers) = pos.stop()?;
    print_answers(sold, &answers);
    till.wait_printed(sold).await?;
    till.close(window).await
}

fn print_cpu(window: &Window, before: (Duration, Duration), within: Duration) -> Result<()> {
    let now = window.processes.cpu()?;
    let share = |now: Duration, before: Duration| {
        100.0 * now.saturating_sub(before).as_secs_f64() / within.as_secs_f64()
    };
    println!(
        "CPU of one core: register and window {:.0} %, pages {:.0} %",
        share(now.0, before.0),
        share(now.1, before.1)
    );
    Ok(())
}

fn print_answers(sold: u64, answers: &Latencies) {
    let ms = |share| answers.quantile(share).as_secs_f64() * 1_000.0;
    println!("\nanswers to {sold} receipts: p50 {:.1} ms, p99 {:.1} ms", ms(0.5), ms(0.99));
}
