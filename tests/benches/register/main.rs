//! The whole path of a receipt: from the HTTP request of a till program to the first byte at the
//! printer, beside the disk alone, bare SQLite, a CUPS raw queue, PostgreSQL and Redis, in turn, in one run.
//!
//! `make bench-register`; `printing` or `accepting` after `--` picks one half. Figures and what they
//! mean: `docs/performance.md`.

mod accepting;
#[path = "../measure/bare_disk.rs"]
mod bare_disk;
#[path = "../cluster/bare_postgres.rs"]
#[expect(dead_code, reason = "the cluster's bench asks for the same row again")]
mod bare_postgres;
#[path = "../cluster/bare_redis.rs"]
mod bare_redis;
#[path = "../cluster/callers.rs"]
mod callers;
#[expect(dead_code, reason = "the cluster's bench asks for windows too")]
mod client;
#[path = "../measure/cpu.rs"]
mod cpu;
mod cups;
mod device;
#[path = "../measure/latencies.rs"]
mod latencies;
mod printing;
#[path = "../measure/raw_sqlite.rs"]
mod raw_sqlite;
#[path = "../measure/receipt_rows.rs"]
mod receipt_rows;
mod servers;
#[path = "../measure/settings.rs"]
mod settings;
mod site;
mod sync_count;
#[path = "../measure/syncs.rs"]
mod syncs;
mod tills;
#[path = "../measure/turns.rs"]
mod turns;

use std::path::Path;
use std::rc::Rc;

use anyhow::Result;
use tillroll_tests::figures::{Bench, Findings};
use tokio::runtime::Runtime;

fn main() -> Result<()> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    syncs::check(&tempfile::tempfile_in(folder.path())?)?;
    // The tills run on this thread, so that their CPU can be told from the register's.
    let tills = Rc::new(tokio::runtime::Builder::new_current_thread().enable_all().build()?);
    let bench = Bench::begin("register");
    for (name, measure) in HALVES {
        bench.part(name, || measure(&tills, folder.path()))?;
    }
    Ok(())
}

type Measure = fn(&Rc<Runtime>, &Path) -> Result<Findings>;

const HALVES: [(&str, Measure); 2] =
    [("printing", printing::measure), ("accepting", accepting::measure)];
