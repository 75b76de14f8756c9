//! What idempotency costs: a bare insert, with a table of ids known before, and with state and version on top; on
//! bare SQLite and bare PostgreSQL, one and 32 a commit, on the disk as it is and where a sync takes 1 ms.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use tillroll_testkit::PostgresServer;
use tillroll_tests::figures::number::{a_second, whole};
use tillroll_tests::figures::{Bar, Findings};
use tokio::runtime::Runtime;
use tokio_postgres::Client;

use crate::bare_disk::BareDisk;
use crate::bare_postgres::{self, Rows};
use crate::bare_sqlite::SqliteRows;
use crate::callers::Callers;
use crate::syncs;
use crate::turns::{self, Lane};

const SLICE: Duration = Duration::from_millis(200);
const ROUNDS: u32 = 20;
/// A sync of a slower disk.
const SLOWER: Duration = Duration::from_millis(1);
const CONNECTIONS: usize = 16;
const ALONE: &str = "PostgreSQL";
const TOGETHER: &str = "PostgreSQL, 16 connections";
const BARE: &str = "bare disk: overwrite 4 KiB and fdatasync";
/// Published: transactions a second, and what each part takes of them.
const PUBLISHED: &str = "Published: bare insert 5,000, with deduplication 4,800 (0.96), with state and \
     version 4,700 (0.94).";

const SCHEMA: &str = "
    CREATE TABLE jobs (request TEXT NOT NULL, state BIGINT NOT NULL DEFAULT 0,
        version BIGINT NOT NULL DEFAULT 0, body TEXT NOT NULL);
    CREATE TABLE known (request TEXT PRIMARY KEY);
    CREATE TABLE stated (request TEXT PRIMARY KEY, state BIGINT NOT NULL DEFAULT 0,
        version BIGINT NOT NULL DEFAULT 0, body TEXT NOT NULL)";

/// How much of it there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Bare,
    Deduplicated,
    Stated,
    /// The same row again and again.
    Known,
}

impl Step {
    const ALL: [Self; 3] = [Self::Bare, Self::Deduplicated, Self::Stated];

    fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare insert",
            Self::Deduplicated => "+ deduplication",
            Self::Stated => "+ state and version",
            Self::Known => "known already",
        }
    }

    /// The statements of a row; `id` is how its id is written.
    fn statements(self, id: &str) -> Vec<String> {
        let body = "b".repeat(512);
        match self {
            Self::Bare => vec![format!("INSERT INTO jobs (request, body) VALUES ({id}, '{body}')")],
            Self::Deduplicated => vec![
                format!("INSERT INTO known VALUES ({id}) ON CONFLICT DO NOTHING"),
                format!("INSERT INTO jobs (request, body) VALUES ({id}, '{body}')"),
            ],
            Self::Known => vec![format!("INSERT INTO known VALUES ({id}) ON CONFLICT DO NOTHING")],
            Self::Stated => vec![
                format!(
                    "INSERT INTO stated (request, body) VALUES ({id}, '{body}') ON CONFLICT DO NOTHING"
                ),
                format!(
                    "UPDATE stated SET state = 1, version = version + 1
                     WHERE request = {id} AND state = 0 AND version = 0"
                ),
            ],
        }
    }
}

/// Measures.
pub fn measure(runtime: &Rc<Runtime>, folder: &Path) -> Result<Findings> {
    std::fs::create_dir_all(folder)?;
    let postgres = PostgresServer::durable();
    let bare = runtime.block_on(bare_postgres::connect(&postgres.address()))?;
    runtime.block_on(bare.batch_execute("CREATE SCHEMA bare"))?;
    let mut lanes = vec![Lane::new(BARE, BareDisk::in_folder(folder)?)];
    add_sqlite(&mut lanes, folder)?;
    add_postgres(&mut lanes, runtime, &postgres)?;
    turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
    let found = Findings::default().table(turns::table("What idempotency costs", &lanes));
    let found = found.note(PUBLISHED).bars(as_published(&lanes)?);
    syncs::last_at_least(SLOWER);
    runtime.block_on(slow_down(&bare))?;
    turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
    syncs::last_at_least(Duration::ZERO);
    let found = found.table(turns::table("The same where a sync takes 1 ms", &lanes));
    Ok(found.bars(beside_bare_inserts(&lanes)?))
}

fn add_sqlite(lanes: &mut Vec<Lane>, folder: &Path) -> Result<()> {
    for a_commit in [1, 32] {
        for step in Step::ALL {
            let path = folder.join(format!("{step:?}-{a_commit}.db"));
            let statements = step.statements("?1");
            let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
            let rows = SqliteRows::new(&path, SCHEMA, &statements, a_commit)?;
            lanes.push(Lane::new(name("SQLite", a_commit, step), rows));
        }
    }
    let repeated = Step::Known.statements("?1");
    let repeated = SqliteRows::new(&folder.join("known.db"), SCHEMA, &[&repeated[0]], 1)?;
    lanes.push(Lane::new(name("SQLite", 1, Step::Known), repeated.repeated()));
    Ok(())
}

fn add_postgres(
    lanes: &mut Vec<Lane>,
    runtime: &Rc<Runtime>,
    postgres: &PostgresServer,
) -> Result<()> {
    for (engine, connections, a_commit) in
        [(ALONE, 1, 1), (ALONE, 1, 32), (TOGETHER, CONNECTIONS, 1)]
    {
        for step in Step::ALL {
            let schema = format!("lane_{connections}_{a_commit}_{}", step as usize);
            let rows = runtime.block_on(rows(postgres, &schema, connections, a_commit, step))?;
            lanes.push(Lane::new(name(engine, a_commit, step), Callers::new(runtime, rows)));
        }
    }
    let known = runtime.block_on(rows(postgres, "lane_known", 1, 1, Step::Known))?;
    let known = known.into_iter().map(Rows::repeated).collect();
    lanes.push(Lane::new(name(ALONE, 1, Step::Known), Callers::new(runtime, known)));
    Ok(())
}

/// Lets PostgreSQL wait before each sync for as long as a slower disk would take.
async fn slow_down(postgres: &Client) -> Result<()> {
    let delay = format!("ALTER SYSTEM SET commit_delay = {}", SLOWER.as_micros());
    for statement in [&delay, "ALTER SYSTEM SET commit_siblings = 0", "SELECT pg_reload_conf()"] {
        postgres.batch_execute(statement).await?;
    }
    Ok(())
}

fn name(engine: &str, a_commit: u64, step: Step) -> String {
    format!("{engine}, {a_commit} a commit: {}", step.name())
}

async fn rows(
    postgres: &PostgresServer,
    schema: &str,
    connections: usize,
    a_commit: u64,
    step: Step,
) -> Result<Vec<Rows>> {
    let address = format!("{} options='-c search_path={schema}'", postgres.address());
    let make = bare_postgres::connect(&address).await?;
    make.batch_execute(&format!("CREATE SCHEMA {schema}")).await?;
    make.batch_execute(SCHEMA).await?;
    let statements = step.statements("$1");
    let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
    let mut rows = Vec::new();
    for _ in 0..connections {
        rows.push(Rows::new(&address, &statements, a_commit).await?);
    }
    Ok(rows)
}

/// The rates that were published, on the disk as it is.
fn as_published(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let rate = |name: &str| Ok::<_, anyhow::Error>(Lane::named(lanes, name)?.rate);
    let bare = rate(BARE)?;
    let beside = |engine: &str, step: Step, published: f64| -> Result<Bar> {
        let figure = format!("{engine}, {}, a second", step.name());
        Ok(Bar::at_least(figure, published, rate(&name(engine, 1, step))?)
            .peer(format!("published {}", whole(published)))
            .limit(format!("bare syncs {}", a_second(bare))))
    };
    Ok(vec![
        beside("SQLite", Step::Deduplicated, 4_800.0)?,
        beside("SQLite", Step::Stated, 4_700.0)?,
        beside(TOGETHER, Step::Deduplicated, 4_800.0)?,
        beside(TOGETHER, Step::Stated, 4_700.0)?,
    ])
}

/// What each part takes, where the sync is what a row waits for.
fn beside_bare_inserts(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let rate = |name: &str| Ok::<_, anyhow::Error>(Lane::named(lanes, name)?.rate);
    let (bare, all_of_it) = (rate(BARE)?, rate(&name("SQLite", 32, Step::Stated))?);
    let figure = "1 ms a sync: SQLite, state and version, 32 a commit, of bare syncs";
    let mut bars = vec![
        Bar::at_least(figure, 10.0, all_of_it / bare)
            .aim(13.0)
            .ours(a_second(all_of_it))
            .limit(format!("bare syncs {}", a_second(bare))),
    ];
    for engine in ["SQLite", ALONE] {
        for step in [Step::Deduplicated, Step::Stated] {
            let (ours, insert) =
                (rate(&name(engine, 1, step))?, rate(&name(engine, 1, Step::Bare))?);
            let figure = format!("1 ms a sync: {engine}, {}, of a bare insert", step.name());
            bars.push(
                Bar::at_least(figure, 0.94, ours / insert)
                    .aim(0.98)
                    .ours(a_second(ours))
                    .limit(format!("bare insert {}", a_second(insert))),
            );
        }
    }
    Ok(bars)
}
