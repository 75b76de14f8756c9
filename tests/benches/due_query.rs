//! What is due at a printer: in a database that holds nothing else, and beside a million receipts
//! that were printed.

#[path = "measure/fresh_store.rs"]
mod fresh_store;
#[path = "measure/history.rs"]
mod history;
#[path = "measure/receipt_rows.rs"]
mod receipt_rows;
#[path = "measure/settings.rs"]
mod settings;

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use criterion::{Criterion, criterion_group, criterion_main};
use tillroll_store::{PrinterId, Store};
use tokio::runtime::Runtime;

use crate::history::Past;
use crate::receipt_rows::instant;

const MILLION: u32 = 1_000_000;
const WAITING: u32 = 100;

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
    targets = measure
}
criterion_main!(benches);

fn measure(criterion: &mut Criterion) {
    try_measure(criterion).unwrap_or_else(|error| panic!("{error:#}"));
}

fn try_measure(criterion: &mut Criterion) -> Result<()> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    for (name, printed) in [("empty", 0), ("a million", MILLION)] {
        for (queue, waiting) in [("100 waiting", WAITING), ("nothing due", 0)] {
            let past = Past { printed, waiting };
            let case = format!("{name}, {queue}");
            measure_case(criterion, &folder.path().join(&case), &case, past)?;
        }
    }
    Ok(())
}

fn measure_case(criterion: &mut Criterion, folder: &Path, case: &str, past: Past) -> Result<()> {
    let runtime = Runtime::new()?;
    let (store, printer) = history::store(&runtime, folder, past)?;
    let found = runtime.block_on(due(&store, printer))?;
    ensure!(found == (past.waiting > 0), "{case}: due is {found}");
    criterion.bench_function(&format!("due job and its body: {case}"), |bencher| {
        bencher.iter(|| runtime.block_on(due(&store, printer)));
    });
    criterion.bench_function(&format!("next due time: {case}"), |bencher| {
        bencher.iter(|| runtime.block_on(store.next_due_at(printer)));
    });
    store.close()?;
    Ok(())
}

async fn due(store: &Store, printer: PrinterId) -> Result<bool> {
    Ok(store.due_job(printer, instant(0)).await?.is_some())
}
