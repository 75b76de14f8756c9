//! Durable acceptance of orders over HTTP, on SQLite and on PostgreSQL, beside bare PostgreSQL that writes the same
//! rows and Redis that syncs each write. Their registers are away, so a job is accepted and nothing more.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use anyhow::Result;
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::folder::Folder;
use tillroll_dispatcher::postgres::{PostgresOptions, PostgresStore};
use tillroll_dispatcher::sqlite::{SqliteOptions, SqliteStore};
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_domain::clock::Clock as _;
use tillroll_testkit::{PostgresServer, RedisServer, receipts};
use tillroll_tests::figures::number::a_second;
use tillroll_tests::figures::{Bar, Findings};
use tokio::runtime::Runtime;

use crate::bare_disk::BareDisk;
use crate::bare_postgres::{self, Rows};
use crate::bare_redis::{self, Adding};
use crate::callers::Callers;
use crate::chain::Chain;
use crate::client::{Client, Template};
use crate::program::Program;
use crate::receipt_rows::LINES;
use crate::turns::{self, Lane};

const SLICE: Duration = Duration::from_millis(200);
const ROUNDS: u32 = 15;
/// A store for each connection: two orders of one store wait for each other's number.
const STORES: usize = 128;

const BARE: &str = "bare disk: overwrite 4 KiB and fdatasync";
const POSTGRES_32: &str = "bare PostgreSQL, the same rows, 32 connections, 1 a commit";
const REDIS_32: &str = "bare Redis, appendfsync always, 32 connections";
const ON_SQLITE_32: &str = "dispatcher on SQLite, 32 connections";
const WINDOW: &str = "sliding windows in Redis, asked over HTTP, 32 connections";

/// Measures.
pub fn measure(runtime: &Rc<Runtime>, folder: &Path) -> Result<Findings> {
    std::fs::create_dir_all(folder)?;
    let (postgres, durable, redis) =
        (PostgresServer::durable(), RedisServer::durable(), RedisServer::start());
    let on_sqlite = runtime.block_on(on_sqlite(folder))?;
    let on_postgres = runtime.block_on(on_postgres(folder, &postgres, &redis))?;
    let mut lanes = vec![Lane::new(BARE, BareDisk::in_folder(folder)?)];
    runtime.block_on(bare_tables(&postgres.address()))?;
    for (name, connections, a_commit) in [
        ("bare PostgreSQL, the same rows, 1 connection, 1 a commit", 1, 1),
        ("bare PostgreSQL, the same rows, 1 connection, 32 a commit", 1, 32),
        (POSTGRES_32, 32, 1),
    ] {
        lanes.push(Lane::new(name, bare_rows(runtime, &postgres, connections, a_commit)?));
    }
    for (name, connections) in [("bare Redis, appendfsync always, 1 connection", 1), (REDIS_32, 32)]
    {
        lanes.push(Lane::new(name, adding(runtime, &durable, connections)?));
    }
    for (name, connections) in [(ON_SQLITE_32, 32), ("dispatcher on SQLite, 128 connections", 128)]
    {
        lanes.push(Lane::new(name, posting(runtime, &on_sqlite, connections)?));
    }
    for (name, connections) in [
        ("dispatcher on PostgreSQL, 1 connection", 1),
        ("dispatcher on PostgreSQL, 32 connections", 32),
        ("dispatcher on PostgreSQL, 128 connections", 128),
    ] {
        lanes.push(Lane::new(name, posting(runtime, &on_postgres, connections)?));
    }
    lanes.push(Lane::new(WINDOW, asking(runtime, &on_postgres, 32)?));
    turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
    let table = turns::table("Durable acceptance (CPU: that of the callers)", &lanes);
    let found = Findings::default().table(table).bars(bars(&lanes)?);
    drop(lanes);
    runtime.block_on(on_sqlite.program.stop())?;
    runtime.block_on(on_postgres.program.stop())?;
    Ok(found)
}

fn bars(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let rate = |name| Ok::<_, anyhow::Error>(Lane::named(lanes, name)?.rate);
    let (bare, ours) = (rate(BARE)?, rate(ON_SQLITE_32)?);
    let beside = |name, peer: &str, bar| -> Result<Bar> {
        let theirs = rate(name)?;
        let figure = format!("dispatcher on SQLite, of bare {peer}, 32 connections each");
        Ok(Bar::at_least(figure, bar, ours / theirs)
            .ours(a_second(ours))
            .peer(format!("{peer} {}", a_second(theirs)))
            .limit(format!("bare syncs {}", a_second(bare))))
    };
    let window = Lane::named(lanes, WINDOW)?.p99.as_secs_f64() * 1e3;
    Ok(vec![
        beside(POSTGRES_32, "PostgreSQL", 2.0)?,
        beside(REDIS_32, "Redis", 1.0)?,
        Bar::at_most("sliding window: p99, ms", 20.0, window).peer("published 20 ms"),
    ])
}

/// A running dispatcher and the stores it knows.
struct Site {
    program: Program,
    chain: Chain,
    next: Arc<AtomicU64>,
}

async fn on_sqlite(folder: &Path) -> Result<Site> {
    let data = folder.join("sqlite");
    let place = Folder::at(&data);
    place.make()?;
    let (store, _) = SqliteStore::open(&place.database(), SqliteOptions::default())?;
    let chain = filled(&store, data.clone()).await?;
    tokio::task::spawn_blocking(|| store.close()).await??;
    let program = Program::start(&data, LIMITS).await?;
    Ok(Site { program, chain, next: Arc::new(AtomicU64::new(1)) })
}

async fn on_postgres(
    folder: &Path,
    postgres: &PostgresServer,
    redis: &RedisServer,
) -> Result<Site> {
    let data = folder.join("postgres");
    let store = PostgresStore::open(&postgres.url(), PostgresOptions::default()).await?;
    let chain = filled(&store, data.clone()).await?;
    store.close();
    let shared = format!("database = '{}'\nredis = '{}'\n", postgres.url(), redis.address());
    let program = Program::start(&data, &(shared + LIMITS)).await?;
    Ok(Site { program, chain, next: Arc::new(AtomicU64::new(1)) })
}

/// What is measured is not how calls are refused.
const LIMITS: &str = "[limits]\nstore_per_s = 100000\nregister_per_s = 100000\n";

/// Stores with a register each, whose printer is known.
async fn filled(store: &impl DispatcherStore, data: std::path::PathBuf) -> Result<Chain> {
    let chain = Chain::fill(store, data, STORES, 1).await?;
    for shop in &chain.shops {
        for register in store.registers(shop.no).await? {
            let printers = vec![shop.tills[0].printer.clone()];
            store.announce(register.no, printers, Vec::new(), SystemClock.now()).await?;
        }
    }
    Ok(chain)
}

fn posting(runtime: &Rc<Runtime>, site: &Site, connections: usize) -> Result<Callers<Client>> {
    let mut clients = Vec::new();
    for shop in site.chain.shops.iter().cycle().take(connections) {
        let mut body = serde_json::to_value(receipts::long(1, LINES))?;
        body["printer"] = shop.tills[0].printer.as_str().into();
        body["deadline_s"] = 86_400.into();
        let path = format!("/v1/stores/{}/print-jobs", shop.uid);
        let (address, token) = (site.program.address, &site.chain.token);
        let template = Template::post(address, &path, token, &body.to_string())?;
        clients.push(runtime.block_on(Client::connect(address, template))?);
    }
    Ok(Callers::from(runtime, clients, &site.next))
}

/// Asks whether a register may scan; refused calls are answered as others are.
fn asking(runtime: &Rc<Runtime>, site: &Site, connections: usize) -> Result<Callers<Client>> {
    let mut clients = Vec::new();
    for shop in site.chain.shops.iter().take(connections) {
        let asked = serde_json::json!({"register": shop.tills[0].name}).to_string();
        let path = format!("/v1/stores/{}/limits/scan", shop.uid);
        let template = Template::ask_for(site.program.address, &path, &site.chain.token, &asked);
        clients.push(runtime.block_on(Client::connect(site.program.address, template))?);
    }
    Ok(Callers::new(runtime, clients))
}

/// Tables like those of the dispatcher, with all of their indexes.
async fn bare_tables(address: &str) -> Result<()> {
    let sql = "CREATE SCHEMA bare;
        CREATE TABLE bare.jobs (LIKE public.jobs INCLUDING ALL);
        CREATE TABLE bare.job_bodies (LIKE public.job_bodies INCLUDING ALL)";
    Ok(bare_postgres::connect(address).await?.batch_execute(sql).await?)
}

fn bare_rows(
    runtime: &Rc<Runtime>,
    postgres: &PostgresServer,
    connections: i64,
    a_commit: u64,
) -> Result<Callers<Rows>> {
    let body = receipts::json(&receipts::long(1, LINES));
    // Lanes and connections must not meet in a row: each has a store of its own.
    let first = 1_000 * connections + 100 * i64::try_from(a_commit)?;
    let rows = (0..connections).map(|nth| {
        let store = first + nth;
        let insert = format!(
            "WITH job AS (
                 INSERT INTO bare.jobs (store, seq, job_id, kind, fingerprint, api_key, printer, state,
                     after_deadline, created_at, deadline_at, next_push_at, changed_at)
                 VALUES ({store}, ($1::text)::bigint, 'S1:' || $1 || ':receipt:v1', 'receipt',
                     '\\x{}', 1, 'front-1', 'scheduled', 'hold', 1790000000000, 1790086400000,
                     1790000000000, 1790000000000)
                 RETURNING store, seq)
             INSERT INTO bare.job_bodies (store, seq, body, created_at)
             SELECT store, seq, '{body}', 1790000000000 FROM job",
            "07".repeat(32)
        );
        runtime.block_on(Rows::new(&postgres.address(), &[&insert], a_commit))
    });
    Ok(Callers::new(runtime, rows.collect::<Result<_>>()?))
}

fn adding(
    runtime: &Rc<Runtime>,
    redis: &RedisServer,
    connections: usize,
) -> Result<Callers<Adding>> {
    let body = receipts::json(&receipts::long(1, LINES));
    let connect = |_| {
        let connection = runtime.block_on(bare_redis::connect(&redis.address()))?;
        Ok(Adding { connection, body: body.clone() })
    };
    Ok(Callers::new(runtime, (0..connections).map(connect).collect::<Result<_>>()?))
}
