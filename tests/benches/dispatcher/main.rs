//! The dispatcher, as a program beside its rivals: a million waiting jobs, a printer that comes back, a
//! register's backlog, ten thousand connected registers, a storm of orders.
//!
//! `make bench-dispatcher`; `waiting`, `recovery`, `backlog`, `connections` or `storm` after `--` picks one.
//! Figures and what they mean: `docs/performance.md`.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod alone;
mod backlog;
#[path = "../measure/bars.rs"]
mod bars;
mod chain;
mod connections;
mod crowd;
mod floor;
mod jobs;
#[path = "../measure/latencies.rs"]
#[expect(dead_code, reason = "nobody here puts those of several callers together")]
mod latencies;
mod lateness;
mod line;
mod platform;
mod program;
mod recovery;
mod relay;
mod rival;
mod simulated;
mod sleepers;
mod sockets;
mod storm;
mod waiting;

use std::path::Path;

use anyhow::Result;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::runtime::Runtime;

fn main() -> Result<()> {
    raise_open_files()?;
    if let Some(rival) = rival::wanted() {
        return rival.run();
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let runtime = Runtime::new()?;
    for (name, measure) in FIGURES {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            measure(&runtime, folder.path())?;
        }
    }
    Ok(())
}

type Measure = fn(&Runtime, &Path) -> Result<()>;

const FIGURES: [(&str, Measure); 5] = [
    ("waiting", waiting::measure),
    ("recovery", recovery::measure),
    ("backlog", backlog::measure),
    ("connections", connections::measure),
    ("storm", storm::measure),
];

/// A connection is an open file on both sides.
fn raise_open_files() -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    Ok(setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?)
}

/// Milliseconds of a time, for people.
fn ms(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// MiB of a number of bytes, for people.
#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
