//! The real window beside a million receipts: how long a start takes, how long answers to its screens take, what a
//! person notices while 200 receipts a second arrive, and what memory a receipt costs.
//!
//! `make bench-window`; `starts`, `screens` or `load` after `--` picks one part. The window is the program that
//! `TILLROLL_WINDOW` names, under Xvfb, driven through WebKitWebDriver. Figures and what they mean:
//! `docs/performance.md`.

#[path = "../register/client.rs"]
#[allow(dead_code, reason = "shared with the bench of the register")]
mod client;
#[path = "../../tests/window/desktop.rs"]
#[allow(dead_code, clippy::expect_used, missing_docs, reason = "shared with the journeys")]
mod desktop;
#[path = "../register/device.rs"]
#[allow(dead_code, reason = "shared with the bench of the register")]
mod device;
#[path = "../measure/fresh_store.rs"]
mod fresh_store;
#[path = "../measure/history.rs"]
mod history;
#[path = "../measure/latencies.rs"]
#[allow(dead_code, reason = "shared with the other benches")]
mod latencies;
mod load;
mod memory;
#[path = "../../tests/window/page.rs"]
#[allow(
    dead_code,
    clippy::expect_used,
    clippy::unwrap_used,
    missing_docs,
    reason = "shared with the journeys"
)]
mod page;
mod pos;
mod processes;
#[path = "../measure/receipt_rows.rs"]
#[allow(dead_code, reason = "shared with the other benches")]
mod receipt_rows;
mod screens;
#[path = "../measure/settings.rs"]
mod settings;
mod starts;
mod till;
mod trace;

use anyhow::Result;
use tillroll_tests::figures::{Bench, Findings};
use tokio::runtime::Runtime;

/// Receipts in the store of a till that has been in use for years.
const MANY: u32 = 1_000_000;
/// Receipts of its first weeks: as many as an amount is looked for among, however many there are.
const FEW: u32 = 20_000;

fn main() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let bench = Bench::begin("window");
    for (name, measure) in PARTS {
        bench.part(name, || measure(&runtime))?;
    }
    Ok(())
}

type Measure = fn(&Runtime) -> Result<Findings>;

const PARTS: [(&str, Measure); 3] =
    [("starts", starts::measure), ("screens", screens::measure), ("load", load::measure)];
