//! The dispatcher on PostgreSQL and Redis beside bare PostgreSQL and bare Redis: durable acceptance, sliding windows,
//! idempotency; and how its cost grows with nodes and registers.
//!
//! `make bench-cluster`; `accept`, `idempotency`, `nodes` or `registers` after `--` picks one. Figures
//! and what they mean: `docs/scale.md`.

mod accept;
#[path = "../measure/bare_disk.rs"]
mod bare_disk;
mod bare_postgres;
mod bare_redis;
mod bare_sqlite;
mod callers;
#[path = "../dispatcher/chain.rs"]
#[expect(dead_code, reason = "the dispatcher's bench makes jobs too")]
mod chain;
#[path = "../register/client.rs"]
#[expect(dead_code, reason = "the register's bench hands over receipts")]
mod client;
#[path = "../measure/cpu.rs"]
mod cpu;
#[path = "../dispatcher/crowd.rs"]
#[expect(dead_code, reason = "the dispatcher's bench holds bare sockets too")]
mod crowd;
mod idempotency;
#[path = "../measure/latencies.rs"]
mod latencies;
#[path = "../dispatcher/line.rs"]
#[expect(dead_code, reason = "the dispatcher's bench has printers without paper too")]
mod line;
mod load;
mod nodes;
#[path = "../dispatcher/platform.rs"]
#[expect(dead_code, reason = "the dispatcher's bench waits for states too")]
mod platform;
#[path = "../dispatcher/program.rs"]
#[expect(dead_code, reason = "the dispatcher's bench looks at its peak too")]
mod program;
#[path = "../measure/receipt_rows.rs"]
#[expect(dead_code, reason = "the register's bench writes its rows too")]
mod receipt_rows;
mod registers;
mod shared;
#[path = "../measure/syncs.rs"]
#[expect(dead_code, reason = "other benches count syncs too")]
mod syncs;
#[path = "../measure/turns.rs"]
mod turns;

use std::path::Path;
use std::rc::Rc;

use anyhow::Result;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tillroll_tests::figures::{Bench, Findings};
use tokio::runtime::Runtime;

type Measure = fn(&Rc<Runtime>, &Path) -> Result<Findings>;

const FIGURES: [(&str, Measure); 4] = [
    ("accept", accept::measure),
    ("idempotency", idempotency::measure),
    ("nodes", nodes::measure),
    ("registers", registers::measure),
];

fn main() -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let (bench, runtime) = (Bench::begin("cluster"), Rc::new(Runtime::new()?));
    for (name, measure) in FIGURES {
        bench.part(name, || measure(&runtime, &folder.path().join(name)))?;
    }
    Ok(())
}
