//! The real window under load: how long a start takes, what a person notices while 200 receipts a second
//! arrive beside 100,000 recorded ones, and what memory a receipt costs.
//!
//! `make bench-window`; `starts` or `load` after `--` picks one part. The window is the program that
//! `TILLROLL_WINDOW` names, under Xvfb, driven through WebKitWebDriver. Figures and what they mean:
//! `docs/performance.md`.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

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
#[path = "../measure/settings.rs"]
mod settings;
mod starts;
mod till;
mod trace;

use anyhow::Result;
use tokio::runtime::Runtime;

/// Receipts in the store of a till that has been in use.
const PAST: u32 = 100_000;

fn main() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for (name, measure) in PARTS {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            measure(&runtime)?;
        }
    }
    Ok(())
}

type Measure = fn(&Runtime) -> Result<()>;

const PARTS: [(&str, Measure); 2] = [("starts", starts::measure), ("load", load::measure)];
