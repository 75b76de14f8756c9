//! One, two and four nodes, each with the same share of registers and of orders: what an order costs.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tillroll_dispatcher::postgres::{PostgresOptions, PostgresStore};
use tillroll_tests::figures::number::whole;
use tillroll_tests::figures::{Bar, Findings, Table};
use tokio::runtime::Runtime;
use tokio::time::sleep;

use crate::chain::Chain;
use crate::load::{Load, Routing};
use crate::program::Program;
use crate::shared::{Shared, Used, count};

const MOST: usize = 4;
const RUNS: [(usize, Routing); 5] = [
    (1, Routing::Store),
    (2, Routing::Store),
    (MOST, Routing::Store),
    (2, Routing::Any),
    (MOST, Routing::Any),
];
/// Of each node.
const REGISTERS: usize = 250;
const RATE: u32 = 50;
const LENGTH: Duration = Duration::from_secs(15);
/// The hellos of registers are over after a pause this long.
const CALM: Duration = Duration::from_secs(2);
/// Statements that are shown.
const SHOWN: i64 = 14;

/// So many nodes, and what an order cost.
struct Cost {
    nodes: usize,
    routing: Routing,
    jobs: f64,
    used: Used,
    statements: Vec<(String, u64)>,
}

/// Measures.
pub fn measure(runtime: &Rc<Runtime>, folder: &Path) -> Result<Findings> {
    std::fs::create_dir_all(folder)?;
    let costs = runtime.block_on(run(folder))?;
    let find = |nodes, routing| {
        let found = costs.iter().find(|cost| (cost.nodes, cost.routing) == (nodes, routing));
        found.context("no such run")
    };
    let (one, four) = (find(1, Routing::Store)?, find(MOST, Routing::Store)?);
    let anywhere = find(MOST, Routing::Any)?;
    Ok(Findings::default()
        .table(of_all(&costs))
        .aside(one.of_statements())
        .aside(anywhere.of_statements())
        .bars(four.beside(one)))
}

fn of_all(costs: &[Cost]) -> Table {
    let mut table = Table::new(
        format!("Nodes: {REGISTERS} registers and {RATE} orders a second each"),
        [
            "nodes, an order goes to",
            "orders a second",
            "CPU of nodes, us each",
            "CPU of PostgreSQL, us each",
            "statements each",
            "Redis calls each",
        ],
    );
    for cost in costs {
        table.push([
            format!("{}, {}", cost.nodes, cost.routing.name()),
            (RATE as usize * cost.nodes).to_string(),
            whole(cost.cpu()),
            whole(cost.postgres()),
            format!("{:.2}", cost.statements()),
            format!("{:.2}", cost.calls()),
        ]);
    }
    table
}

impl Routing {
    fn name(self) -> &'static str {
        match self {
            Self::Any => "any node",
            Self::Store => "its store's node",
        }
    }
}

impl Cost {
    fn of_statements(&self) -> Table {
        let (nodes, routing) = (self.nodes, self.routing.name());
        let title = format!("Statements an order: nodes {nodes}, to {routing}");
        let mut table = Table::new(title, ["", "each"]);
        for (sql, calls) in &self.statements {
            table.push([format!("`{sql}`"), format!("{:.3}", count(*calls) / self.jobs)]);
        }
        table
    }

    /// What an order costs with one node is what it may cost with more.
    fn beside(&self, one: &Self) -> [Bar; 4] {
        let beside = |what: &str, unit: &str, figure: fn(&Self) -> f64| {
            let (here, there) = (figure(self), figure(one));
            Bar::at_most(format!("{what} an order, {} nodes of 1", self.nodes), 1.1, here / there)
                .ours(format!("{here:.1}{unit}"))
                .limit(format!("one node {there:.1}{unit}"))
        };
        [
            beside("CPU of nodes", " us", Self::cpu),
            beside("CPU of PostgreSQL", " us", Self::postgres),
            beside("statements", "", Self::statements),
            beside("Redis calls", "", Self::calls),
        ]
    }

    fn cpu(&self) -> f64 {
        self.used.nodes.as_secs_f64() * 1e6 / self.jobs
    }

    fn postgres(&self) -> f64 {
        self.used.postgres.as_secs_f64() * 1e6 / self.jobs
    }

    fn statements(&self) -> f64 {
        count(self.used.statements) / self.jobs
    }

    fn calls(&self) -> f64 {
        count(self.used.calls) / self.jobs
    }
}

async fn run(folder: &Path) -> Result<Vec<Cost>> {
    let mut shared = Shared::start().await?;
    let store = PostgresStore::open(&shared.database(), PostgresOptions::default()).await?;
    let most = MOST * REGISTERS;
    let chain = Chain::fill(&store, folder.to_path_buf(), most, 1).await?;
    store.close();
    let (mut costs, mut first) = (Vec::new(), 1);
    for (nodes, routing) in RUNS {
        let mut programs = Vec::new();
        for no in 0..nodes {
            let data = folder.join(format!("{routing:?}-{nodes}-{no}"));
            programs.push(Program::start(&data, &shared.config()).await?);
        }
        let mut load = Load::connect(&chain, &programs, nodes * REGISTERS, routing).await?;
        sleep(CALM).await;
        shared.forget().await?;
        let before = shared.used(&programs).await?;
        let jobs = load.send(RATE * u32::try_from(nodes)?, LENGTH, first).await?;
        let used = shared.used(&programs).await?.since(before);
        let statements = shared.statements(SHOWN).await?;
        costs.push(Cost { nodes, routing, jobs: f64::from(jobs), used, statements });
        first += jobs;
        drop(load);
        for program in programs {
            program.stop().await?;
        }
    }
    Ok(costs)
}
