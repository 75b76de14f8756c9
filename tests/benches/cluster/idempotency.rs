//! What idempotency costs: a bare insert, with a table of ids known before, and with state and version on top; on
//! bare SQLite and bare PostgreSQL, one and 32 a commit.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use tillroll_testkit::PostgresServer;
use tokio::runtime::Runtime;

use crate::bare_disk::BareDisk;
use crate::bare_postgres::{self, Rows};
use crate::bare_sqlite::SqliteRows;
use crate::bars::{self, Bar};
use crate::callers::Callers;
use crate::turns::{self, Lane};

const SLICE: Duration = Duration::from_millis(200);
const ROUNDS: u32 = 20;
const BARE: &str = "bare disk: overwrite 4 KiB and fdatasync";
/// Published: transactions a second, and what each part takes of them.
const PUBLISHED: &str = "published: bare insert 5,000, with deduplication 4,800 (0.96), with state and \
     version 4,700 (0.94)";

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

/// Measures and prints.
pub fn measure(runtime: &Rc<Runtime>, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let postgres = PostgresServer::durable();
    let bare = runtime.block_on(bare_postgres::connect(&postgres.address()))?;
    runtime.block_on(bare.batch_execute("CREATE SCHEMA bare"))?;
    let mut lanes = vec![Lane::new(BARE, BareDisk::in_folder(folder)?)];
    for a_commit in [1, 32] {
        for step in Step::ALL {
            let path = folder.join(format!("{step:?}-{a_commit}.db"));
            let statements = step.statements("?1");
            let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
            let rows = SqliteRows::new(&path, SCHEMA, &statements, a_commit)?;
            lanes.push(Lane::new(name("SQLite", a_commit, step), rows));
        }
    }
    for a_commit in [1, 32] {
        for step in Step::ALL {
            let rows = runtime.block_on(rows(&postgres, a_commit, step))?;
            let rows = Callers::new(runtime, vec![rows]);
            lanes.push(Lane::new(name("PostgreSQL", a_commit, step), rows));
        }
    }
    let known = runtime.block_on(rows(&postgres, 1, Step::Known))?.repeated();
    lanes.push(Lane::new(name("PostgreSQL", 1, Step::Known), Callers::new(runtime, vec![known])));
    let repeated = Step::Known.statements("?1");
    let repeated = SqliteRows::new(&folder.join("known.db"), SCHEMA, &[&repeated[0]], 1)?;
    lanes.push(Lane::new(name("SQLite", 1, Step::Known), repeated.repeated()));
    turns::take_turns(&mut lanes, ROUNDS, SLICE)?;
    turns::print("What idempotency costs", &lanes);
    println!("\n{PUBLISHED}.");
    bars::print(&bars(&lanes)?);
    Ok(())
}

fn name(engine: &str, a_commit: u64, step: Step) -> String {
    format!("{engine}, {a_commit} a commit: {}", step.name())
}

async fn rows(postgres: &PostgresServer, a_commit: u64, step: Step) -> Result<Rows> {
    let address = format!(
        "{} options='-c search_path=lane_{a_commit}_{}'",
        postgres.address(),
        step as usize
    );
    let make = bare_postgres::connect(&address).await?;
    make.batch_execute(&format!("CREATE SCHEMA lane_{a_commit}_{}", step as usize)).await?;
    make.batch_execute(SCHEMA).await?;
    let statements = step.statements("$1");
    let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
    Rows::new(&address, &statements, a_commit).await
}

fn bars(lanes: &[Lane]) -> Result<Vec<Bar>> {
    let rate = |name: &str| Ok::<_, anyhow::Error>(Lane::named(lanes, name)?.rate);
    let of_bare = |engine, step| {
        Ok::<_, anyhow::Error>(rate(&name(engine, 1, step))? / rate(&name(engine, 1, Step::Bare))?)
    };
    let disk = rate(BARE)?;
    Ok(vec![
        Bar::at_least(
            "SQLite, deduplication, of bare insert",
            0.94,
            of_bare("SQLite", Step::Deduplicated)?,
        ),
        Bar::at_least(
            "SQLite, state and version, of bare insert",
            0.94,
            of_bare("SQLite", Step::Stated)?,
        ),
        Bar::at_least(
            "PostgreSQL, deduplication, of bare insert",
            0.94,
            of_bare("PostgreSQL", Step::Deduplicated)?,
        ),
        Bar::at_least(
            "PostgreSQL, state and version, of bare insert",
            0.94,
            of_bare("PostgreSQL", Step::Stated)?,
        ),
        Bar::at_least(
            "SQLite, all of it, 32 a commit, of bare disk",
            10.0,
            rate(&name("SQLite", 32, Step::Stated))? / disk,
        ),
        Bar::at_least(
            "PostgreSQL, 1 a commit, all of it, a second (published)",
            4_700.0,
            rate(&name("PostgreSQL", 1, Step::Stated))?,
        ),
    ])
}
