//! Durable enqueue, and claim with completion, in process: the register's store beside bare SQLite
//! that writes the same rows and beside the disk alone, in turn, in one run.
//!
//! `cargo bench -p tillroll-tests --bench enqueue`; a word after `--` picks the tables whose title
//! has it.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../measure/bare_disk.rs"]
mod bare_disk;
mod callers;
#[path = "../measure/cpu.rs"]
mod cpu;
#[path = "../measure/fresh_store.rs"]
mod fresh_store;
#[path = "../measure/history.rs"]
mod history;
#[path = "../measure/latencies.rs"]
mod latencies;
mod printing;
#[path = "../measure/raw_sqlite.rs"]
mod raw_sqlite;
#[path = "../measure/receipt_rows.rs"]
mod receipt_rows;
mod receipts;
#[path = "../measure/settings.rs"]
mod settings;
#[path = "../measure/turns.rs"]
mod turns;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::runtime::Runtime;

use crate::bare_disk::BareDisk;
use crate::callers::{AsyncCallers, LoneCaller};
use crate::history::Past;
use crate::printing::{RawPrinting, StorePrinting};
use crate::raw_sqlite::RawSqlite;
use crate::turns::Lane;

const SLICE: Duration = Duration::from_millis(200);
const ROUNDS: u32 = 15;
const CALLERS: [u32; 4] = [1, 8, 32, 128];
const MILLION: u32 = 1_000_000;
/// More than a printing lane gets through.
const BACKLOG: u32 = 250_000;

fn main() -> Result<()> {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let runtime = Arc::new(Runtime::new().context("runtime")?);
    for (title, lanes) in TABLES {
        if wanted.is_empty() || wanted.iter().any(|word| title.contains(word.as_str())) {
            let folder = tempfile::tempdir_in(folder.path())?;
            let mut lanes = lanes(&runtime, folder.path())?;
            turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
            turns::print(title, &lanes);
        }
    }
    Ok(())
}

type Lanes = fn(&Arc<Runtime>, &Path) -> Result<Vec<Lane>>;

const TABLES: [(&str, Lanes); 3] = [
    ("Durable enqueue, receipts a second", enqueue),
    ("Enqueue beside a million receipts, receipts a second", beside_a_million),
    ("Claim and completion, jobs a second", printing),
];

fn enqueue(runtime: &Arc<Runtime>, folder: &Path) -> Result<Vec<Lane>> {
    let mut lanes = vec![bare(folder)?];
    for a_commit in CALLERS {
        let rival = RawSqlite::in_folder(&folder.join(format!("raw-{a_commit}")), a_commit)?;
        lanes.push(Lane::new(format!("bare SQLite, the same rows, {a_commit} a commit"), rival));
    }
    let (store, printer) = fresh_store::open(runtime, &folder.join("lone"))?;
    lanes.push(Lane::new("register, one caller", LoneCaller::new(store, printer)?));
    for callers in CALLERS {
        let (store, printer) =
            fresh_store::open(runtime, &folder.join(format!("async-{callers}")))?;
        let rival = AsyncCallers::new(runtime, store, printer, callers)?;
        lanes.push(Lane::new(format!("register, {callers} async callers"), rival));
    }
    Ok(lanes)
}

fn beside_a_million(runtime: &Arc<Runtime>, folder: &Path) -> Result<Vec<Lane>> {
    let mut lanes = vec![bare(folder)?];
    for (name, printed) in [("empty", 0), ("million", MILLION)] {
        let past = Past { printed, waiting: 0 };
        for callers in [1, 32] {
            let folder = folder.join(format!("{name}-{callers}"));
            let (store, printer) = history::store(runtime, &folder, past)?;
            let title = format!("register, {name}, callers: {callers}");
            lanes.push(match callers {
                1 => Lane::new(title, LoneCaller::new(store, printer)?),
                _ => Lane::new(title, AsyncCallers::new(runtime, store, printer, callers)?),
            });
        }
    }
    Ok(lanes)
}

fn printing(runtime: &Arc<Runtime>, folder: &Path) -> Result<Vec<Lane>> {
    let past = Past { printed: 0, waiting: BACKLOG };
    let (store, _) = history::store(runtime, &folder.join("raw"), past)?;
    store.close()?;
    let raw = RawPrinting::of_database(&folder.join("raw/register.db"))?;
    let (store, printer) = history::store(runtime, &folder.join("store"), past)?;
    let ours = StorePrinting::new(runtime, store, printer);
    Ok(vec![
        bare(folder)?,
        Lane::new("bare SQLite, the same rows, \"done k\" and \"claim k + 1\" in one commit", raw),
        Lane::new("register, due query, then settle and claim", ours),
    ])
}

fn bare(folder: &Path) -> Result<Lane> {
    Ok(Lane::new("bare disk: overwrite 4 KiB and fdatasync", BareDisk::in_folder(folder)?))
}
