//! Durable enqueue, and claim with completion, in process: the register's store beside bare SQLite
//! that writes the same rows and beside the disk alone, in turn, in one run, on the disk as it is and
//! as if its syncs took a millisecond. What must hold is judged by the run itself.
//!
//! `make bench-store`; `accepting`, `slow-disk`, `million` or `printing` after `cargo bench -p tillroll-tests
//! --bench enqueue --` picks one.

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
#[path = "../measure/syncs.rs"]
mod syncs;
#[path = "../measure/turns.rs"]
mod turns;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use tillroll_tests::figures::number::{a_second, us};
use tillroll_tests::figures::{Bar, Bench, Findings};
use tillroll_tests::scale;
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
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    syncs::check(&tempfile::tempfile_in(folder.path())?)?;
    let runtime = Arc::new(Runtime::new().context("runtime")?);
    let bench = Bench::begin("enqueue");
    for comparison in COMPARISONS {
        let own = tempfile::tempdir_in(folder.path())?;
        bench.part(comparison.part, || comparison.measure(&runtime, own.path()))?;
    }
    Ok(())
}

/// Ways of doing the same work, and what is asked of them.
struct Comparison {
    part: &'static str,
    title: &'static str,
    /// A sync lasts at least so long.
    sync: Duration,
    lanes: fn(&Arc<Runtime>, &Path) -> Result<Vec<Lane>>,
    bars: fn(&[Lane]) -> Result<Vec<Bar>>,
}

const COMPARISONS: [Comparison; 4] = [
    Comparison {
        part: "accepting",
        title: "Durable enqueue, receipts a second",
        sync: Duration::ZERO,
        lanes: enqueue,
        bars: beside_bare_sqlite,
    },
    Comparison {
        part: "slow-disk",
        title: "Durable enqueue where a sync takes 1 ms, receipts a second",
        sync: Duration::from_millis(1),
        lanes: enqueue,
        bars: beside_bare_syncs,
    },
    Comparison {
        part: "million",
        title: "Enqueue beside a million receipts, receipts a second",
        sync: Duration::ZERO,
        lanes: beside_a_million,
        bars: beside_empty,
    },
    Comparison {
        part: "printing",
        title: "Claim and completion, jobs a second",
        sync: Duration::ZERO,
        lanes: printing,
        bars: |_| Ok(Vec::new()),
    },
];

impl Comparison {
    fn measure(&self, runtime: &Arc<Runtime>, folder: &Path) -> Result<Findings> {
        let mut lanes = (self.lanes)(runtime, folder)?;
        syncs::last_at_least(self.sync);
        turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
        syncs::last_at_least(Duration::ZERO);
        let table = turns::table(self.title, &lanes);
        Ok(Findings::default().table(table).bars((self.bars)(&lanes)?))
    }
}

const BARE: &str = "bare disk: overwrite 4 KiB and fdatasync";
const LONE: &str = "register, one caller";

fn beside_bare_sqlite(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let named = |name: &str| Lane::named(lanes, name);
    let (bare, raw, lone) = (named(BARE)?, named(&raw_name(1))?, named(LONE)?);
    let (raw_32, at_32) = (named(&raw_name(32))?, named(&async_name(32))?);
    let cpu = at_32.cpu.div_duration_f64(raw_32.cpu);
    Ok(vec![
        Bar::at_least(
            "durable enqueue, one caller, of bare SQLite at 1 a commit",
            0.9,
            lone.rate / raw.rate,
        )
        .aim(0.97)
        .ours(a_second(lone.rate))
        .peer(format!("bare SQLite {}", a_second(raw.rate)))
        .limit(format!("bare syncs {}", a_second(bare.rate))),
        Bar::at_most("CPU of a receipt of 32 callers, of bare SQLite at 32 a commit", 2.5, cpu)
            .ours(format!("{} us", us(at_32.cpu)))
            .peer(format!("bare SQLite {} us", us(raw_32.cpu))),
    ])
}

fn beside_bare_syncs(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let mut bars = beside_bare_sqlite(lanes)?;
    let (bare, lone) = (Lane::named(lanes, BARE)?.rate, Lane::named(lanes, LONE)?.rate);
    let bar = Bar::at_least("durable enqueue, one caller, of bare syncs", 0.75, lone / bare);
    bars.push(bar.ours(a_second(lone)).limit(format!("bare syncs {}", a_second(bare))));
    Ok(bars.into_iter().map(|bar| bar.under("1 ms a sync")).collect())
}

fn beside_empty(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let of_empty = |callers| -> Result<Bar> {
        let rate = |past| Lane::named(lanes, &past_name(past, callers)).map(|lane| lane.rate);
        let (million, empty) = (rate("million")?, rate("empty")?);
        let figure = format!("enqueue beside a million receipts, callers: {callers}, of empty");
        Ok(Bar::at_least(figure, 0.8, million / empty)
            .aim(0.95)
            .ours(a_second(million))
            .limit(format!("empty {}", a_second(empty))))
    };
    Ok(vec![of_empty(1)?, of_empty(32)?])
}

fn raw_name(a_commit: u32) -> String {
    format!("bare SQLite, the same rows, {a_commit} a commit")
}

fn async_name(callers: u32) -> String {
    format!("register, async callers: {callers}")
}

fn past_name(past: &str, callers: u32) -> String {
    format!("register, {past}, callers: {callers}")
}

fn enqueue(runtime: &Arc<Runtime>, folder: &Path) -> Result<Vec<Lane>> {
    let mut lanes = vec![bare(folder)?];
    for a_commit in CALLERS {
        let rival = RawSqlite::in_folder(&folder.join(format!("raw-{a_commit}")), a_commit)?;
        lanes.push(Lane::new(raw_name(a_commit), rival));
    }
    let (store, printer) = fresh_store::open(runtime, &folder.join("lone"))?;
    lanes.push(Lane::new(LONE, LoneCaller::new(store, printer)?));
    for callers in CALLERS {
        let (store, printer) =
            fresh_store::open(runtime, &folder.join(format!("async-{callers}")))?;
        let rival = AsyncCallers::new(runtime, store, printer, callers)?;
        lanes.push(Lane::new(async_name(callers), rival));
    }
    Ok(lanes)
}

fn beside_a_million(runtime: &Arc<Runtime>, folder: &Path) -> Result<Vec<Lane>> {
    let mut lanes = vec![bare(folder)?];
    for (name, printed) in [("empty", 0), ("million", scale::count(MILLION))] {
        let past = Past { printed, waiting: 0 };
        for callers in [1, 32] {
            let folder = folder.join(format!("{name}-{callers}"));
            let (store, printer) = history::store(runtime, &folder, past)?;
            let title = past_name(name, callers);
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
    Ok(Lane::new(BARE, BareDisk::in_folder(folder)?))
}
