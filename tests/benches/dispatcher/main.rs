//! The dispatcher, as a program beside its rivals: a million waiting jobs, a printer that comes back, a
//! register's backlog, ten thousand connected registers, a storm of orders.
//!
//! `make bench-dispatcher`; `waiting`, `recovery`, `backlog`, `connections` or `storm` after `--` picks one.
//! Figures and what they mean: `docs/performance.md`.

#![expect(clippy::print_stdout, reason = "a rival says what it found to the bench that started it")]

mod alone;
mod backlog;
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
mod receiver;
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
use tillroll_tests::figures::{Bench, Findings};
use tokio::runtime::Runtime;

fn main() -> Result<()> {
    raise_open_files()?;
    if let Some(rival) = rival::wanted() {
        return rival.run();
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let (bench, runtime) = (Bench::begin("dispatcher"), Runtime::new()?);
    for (name, measure) in FIGURES {
        bench.part(name, || measure(&runtime, folder.path()))?;
    }
    Ok(())
}

type Measure = fn(&Runtime, &Path) -> Result<Findings>;

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
