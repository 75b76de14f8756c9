//! Counters: a sale counted durably, on both engines, beside the disk alone and beside Redis that runs a script for
//! each sale and syncs its log always; in turn, in one run. PostgreSQL and Redis are servers of the bench's own.
//!
//! `make bench-counters`. Figures and what they mean: `docs/performance.md`.

#[path = "../measure/bare_disk.rs"]
mod bare_disk;
mod callers;
#[path = "../measure/cpu.rs"]
mod cpu;
#[path = "../measure/latencies.rs"]
mod latencies;
mod redis_script;
mod shop;
#[path = "../measure/syncs.rs"]
#[expect(dead_code, reason = "nobody here counts them")]
mod syncs;
#[path = "../measure/turns.rs"]
mod turns;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tillroll_dispatcher::counters::Counters;
use tillroll_dispatcher::postgres::{PostgresOptions, PostgresStore};
use tillroll_dispatcher::sqlite::{SqliteOptions, SqliteStore};
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_testkit::{PostgresServer, RedisServer};
use tillroll_tests::figures::number::{a_second, ms};
use tillroll_tests::figures::{Bar, Bench, Findings};
use tokio::runtime::Runtime;

use crate::bare_disk::BareDisk;
use crate::callers::{Asks, Callers};
use crate::redis_script::ScriptCallers;
use crate::shop::Shop;
use crate::turns::Lane;

const SLICE: Duration = Duration::from_millis(300);
const ROUNDS: u32 = 12;
const CALLERS: [u32; 3] = [1, 32, 128];

const BARE: &str = "bare disk: overwrite 4 KiB and fdatasync";

fn main() -> Result<()> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let runtime = Arc::new(Runtime::new().context("runtime")?);
    let bench = Bench::begin("counters");
    bench.part("sales", || sales(&runtime, folder.path()))?;
    bench.part("slow-disk", || on_a_slower_disk(&runtime, folder.path()))
}

/// Both engines beside Redis.
fn sales(runtime: &Arc<Runtime>, folder: &Path) -> Result<Findings> {
    let (postgres, redis) = (PostgresServer::durable(), RedisServer::durable());
    let sqlite = SqliteStore::open(&folder.join("counters.db"), SqliteOptions::default())?;
    let address = postgres.address();
    let opening = PostgresStore::open(&address, PostgresOptions::default());
    let postgres_store = runtime.block_on(opening)?;
    let mut lanes = vec![Lane::new(BARE, BareDisk::in_folder(folder)?)];
    for callers in [1, 32] {
        let script = ScriptCallers::connect(runtime, redis.port(), callers)?;
        lanes.push(Lane::new(redis_named(callers), script));
    }
    add_engine(&mut lanes, runtime, "SQLite", sqlite.0)?;
    add_engine(&mut lanes, runtime, "PostgreSQL", postgres_store)?;
    turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
    let title = "Sales counted in one store (client included in CPU, servers not)";
    Ok(Findings::default().table(turns::table(title, &lanes)).bars(beside_redis(&lanes)?))
}

/// The program's own syncs can be lengthened, those of the servers cannot.
fn on_a_slower_disk(runtime: &Arc<Runtime>, folder: &Path) -> Result<Findings> {
    let sqlite = SqliteStore::open(&folder.join("slower.db"), SqliteOptions::default())?.0;
    let mut lanes = vec![Lane::new(BARE, BareDisk::in_folder(folder)?)];
    add_engine(&mut lanes, runtime, "SQLite", sqlite)?;
    syncs::last_at_least(Duration::from_millis(1));
    turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
    let table = turns::table("Sales counted where a sync takes 1 ms", &lanes);
    let (bare, sqlite) = (Lane::named(&lanes, BARE)?, Lane::named(&lanes, &named("SQLite", 32))?);
    let ratio = sqlite.rate / bare.rate;
    let bar =
        Bar::at_least("1 ms a sync: counters on SQLite, 32 callers, of bare syncs", 10.0, ratio);
    let bar = bar.ours(a_second(sqlite.rate)).limit(format!("bare syncs {}", a_second(bare.rate)));
    Ok(Findings::default().table(table).bars([bar]))
}

fn add_engine<S: Counters + DispatcherStore>(
    lanes: &mut Vec<Lane>,
    runtime: &Arc<Runtime>,
    engine: &str,
    store: S,
) -> Result<()> {
    let shop = runtime.block_on(Shop::open(store))?;
    for callers in CALLERS {
        let rival = Callers::new(runtime, &shop, callers, Asks::Anew);
        lanes.push(Lane::new(named(engine, callers), rival));
    }
    let rival = Callers::new(runtime, &shop, 32, Asks::Again);
    lanes.push(Lane::new(format!("{engine}, 32 callers that repeat what counted"), rival));
    Ok(())
}

fn named(engine: &str, callers: u32) -> String {
    format!("{engine}, callers: {callers}")
}

fn redis_named(callers: u32) -> String {
    format!("Redis, a script a sale, appendfsync always, connections: {callers}")
}

/// The 99th percentile may be that of Redis and one sync of the disk.
fn beside_redis(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let (bare, rival) = (Lane::named(lanes, BARE)?, Lane::named(lanes, &redis_named(32))?);
    let p99 = |engine| Lane::named(lanes, &named(engine, 32)).map(|figures| figures.p99);
    let (sqlite, postgres) = (p99("SQLite")?, p99("PostgreSQL")?);
    let beside = |engine: &str, p99: Duration| {
        let figure = format!("p99 of counters on {engine}, 32 callers, of Redis and one sync");
        Bar::at_most(figure, 1.0, p99.div_duration_f64(rival.p99 + bare.p50))
            .ours(ms(p99))
            .peer(format!("Redis {}", ms(rival.p99)))
            .limit(format!("bare sync {}", ms(bare.p50)))
    };
    let published = postgres.as_secs_f64() * 1e3;
    Ok(vec![
        beside("SQLite", sqlite),
        beside("PostgreSQL", postgres),
        Bar::at_most("p99 of counters on PostgreSQL, 32 callers, ms", 20.0, published)
            .peer("published 20 ms"),
    ])
}
