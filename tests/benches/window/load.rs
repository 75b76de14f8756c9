//! 200 receipts a second beside twenty thousand recorded ones and beside a million: the window's trace, then the
//! memory it needs.

use std::time::{Duration, Instant};

use anyhow::Result;
use tillroll_tests::figures::Findings;
use tillroll_tests::scale;
use tokio::runtime::Runtime;

use crate::latencies::Latencies;
use crate::till::{Till, Window};
use crate::trace::Trace;
use crate::{FEW, MANY, memory, trace};

/// 200 receipts a second.
const A_RECEIPT_EVERY: Duration = Duration::from_millis(5);

/// Measures.
pub fn measure(runtime: &Runtime) -> Result<Findings> {
    let few = traced(runtime, FEW)?.0.table("200 receipts a second beside 20,000 receipts");
    let (many, seen) = traced(runtime, MANY)?;
    let table = many.table("200 receipts a second beside a million receipts");
    let found = Findings::default().table(few).table(table).note(many.note());
    Ok(found.and(seen).bars(many.bars()))
}

/// The trace of a window on a till with a past, and what was seen from outside.
fn traced(runtime: &Runtime, past: u32) -> Result<(Trace, Findings)> {
    let till = Till::with_past(runtime, scale::count(past))?;
    runtime.block_on(under_load(&till, past == MANY))
}

async fn under_load(till: &Till, with_memory: bool) -> Result<(Trace, Findings)> {
    let window = till.open().await?;
    window.page.sees("front").await?;
    let pos = till.pos(A_RECEIPT_EVERY).await?;
    let (begun, cpu) = (Instant::now(), window.processes.cpu()?);
    let trace = trace::take(&window.page).await?;
    let mut seen = Findings::default().note(cpu_used(&window, cpu, begun.elapsed())?);
    if with_memory {
        seen = seen.table(memory::sample(&window.processes, &pos).await?.table());
    }
    let (sold, answers) = pos.stop()?;
    till.wait_printed(sold).await?;
    till.close(window).await?;
    Ok((trace, seen.note(answered(sold, &answers))))
}

fn cpu_used(window: &Window, before: (Duration, Duration), within: Duration) -> Result<String> {
    let now = window.processes.cpu()?;
    let share = |now: Duration, before: Duration| {
        100.0 * now.saturating_sub(before).div_duration_f64(within)
    };
    let (program, pages) = (share(now.0, before.0), share(now.1, before.1));
    Ok(format!("CPU of one core: register and window {program:.0} %, pages {pages:.0} %."))
}

fn answered(sold: u64, answers: &Latencies) -> String {
    let ms = |share| answers.quantile(share).as_secs_f64() * 1_000.0;
    format!("Answers to {sold} receipts: p50 {:.1} ms, p99 {:.1} ms.", ms(0.5), ms(0.99))
}
