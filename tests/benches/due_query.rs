//! What is due at a printer: in a database that holds nothing else, and beside a million receipts
//! that were printed.
//!
//! `make bench-store`.

#[path = "measure/fresh_store.rs"]
mod fresh_store;
#[path = "measure/history.rs"]
mod history;
#[path = "measure/medians.rs"]
mod medians;
#[path = "measure/receipt_rows.rs"]
mod receipt_rows;
#[path = "measure/settings.rs"]
mod settings;

use std::path::Path;

use anyhow::{Result, ensure};
use tillroll_store::{PrinterId, Store};
use tillroll_tests::figures::{Bar, Bench, Findings, Table};
use tillroll_tests::scale;
use tokio::runtime::Runtime;

use crate::history::Past;
use crate::medians::Medians;
use crate::receipt_rows::instant;

const MILLION: u32 = 1_000_000;
const WAITING: u32 = 100;
const EMPTY: &str = "empty";
const BESIDE: &str = "a million";
/// Names of files too, so without a mark.
const DUE: &str = "due job and its body";
const NOTHING: &str = "that nothing is due";
const NEXT: &str = "next due time";

fn main() -> Result<()> {
    Bench::begin("due-query").part("due", measure)
}

fn measure() -> Result<Findings> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let mut medians = Medians::in_folder(&folder.path().join("medians"));
    let runtime = Runtime::new()?;
    for waiting in [WAITING, 0] {
        let printed = [(EMPTY, 0), (BESIDE, scale::count(MILLION))];
        let pasts = printed.map(|(name, printed)| (name, Past { printed, waiting }));
        let stores = pasts.map(|(name, past)| Beside::open(&runtime, folder.path(), name, past));
        let stores = stores.into_iter().collect::<Result<Vec<_>>>()?;
        measure_in_turn(&mut medians, &runtime, &stores);
        stores.into_iter().try_for_each(|beside| beside.store.close())?;
    }
    found(&medians)
}

/// A store and what lies in it beside what is asked for.
struct Beside {
    name: &'static str,
    store: Store,
    printer: PrinterId,
    is_due: bool,
}

impl Beside {
    fn open(runtime: &Runtime, folder: &Path, name: &'static str, past: Past) -> Result<Self> {
        let folder = folder.join(format!("{name} {}", past.waiting));
        let (store, printer) = history::store(runtime, &folder, past)?;
        let is_due = runtime.block_on(due(&store, printer))?;
        ensure!(is_due == (past.waiting > 0), "{name}: due is {is_due}");
        Ok(Self { name, store, printer, is_due })
    }
}

/// Each question of one store right after the other: a machine is not as fast in one minute as in the next.
fn measure_in_turn(medians: &mut Medians, runtime: &Runtime, stores: &[Beside]) {
    for Beside { name, store, printer, is_due } in stores {
        let asked = if *is_due { DUE } else { NOTHING };
        medians.criterion.bench_function(&named(asked, name), |bencher| {
            bencher.iter(|| runtime.block_on(due(store, *printer)));
        });
    }
    for Beside { name, store, printer, .. } in stores.iter().filter(|beside| beside.is_due) {
        medians.criterion.bench_function(&named(NEXT, name), |bencher| {
            bencher.iter(|| runtime.block_on(store.next_due_at(*printer)));
        });
    }
}

fn named(asked: &str, beside: &str) -> String {
    format!("{asked} beside {beside}")
}

async fn due(store: &Store, printer: PrinterId) -> Result<bool> {
    Ok(store.due_job(printer, instant(0)).await?.is_some())
}

fn found(medians: &Medians) -> Result<Findings> {
    let mut table = Table::new("What is due", ["", "us beside a million", "us without", "ratio"]);
    let mut bars = Vec::new();
    for asked in [DUE, NEXT, NOTHING] {
        let [million, empty] = [BESIDE, EMPTY].map(|beside| medians.of(&named(asked, beside)));
        let (million, empty) = (million?, empty?);
        let ratio = million.div_duration_f64(empty);
        let [million, empty] =
            [million, empty].map(|took| format!("{:.1}", took.as_secs_f64() * 1e6));
        table.push([asked.to_owned(), million.clone(), empty.clone(), format!("{ratio:.2}")]);
        bars.push(
            Bar::at_most(format!("{asked}, beside a million receipts, of empty"), 1.2, ratio)
                .ours(format!("{million} us"))
                .limit(format!("empty {empty} us")),
        );
    }
    Ok(Findings::default().table(table).bars(bars))
}
