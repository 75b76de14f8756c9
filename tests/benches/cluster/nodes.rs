//! One, two and four nodes, each with the same share of registers and of orders: what an order costs.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tillroll_dispatcher::postgres::{PostgresOptions, PostgresStore};
use tokio::runtime::Runtime;
use tokio::time::sleep;

use crate::bars::{self, Bar};
use crate::chain::Chain;
use crate::load::{Load, Routing};
use crate::program::Program;
use crate::shared::{Shared, Used};

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

/// Measures and prints.
pub fn measure(runtime: &Rc<Runtime>, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let costs = runtime.block_on(run(folder))?;
    println!("\nNodes: {REGISTERS} registers and {RATE} orders a second each\n");
    println!(
        "| nodes | an order goes to | orders a second | CPU of nodes, us each | CPU of PostgreSQL, us each | statements each | Redis calls each |"
    );
    println!("| ---: | --- | ---: | ---: | ---: | ---: | ---: |");
    for cost in &costs {
        println!(
            "| {} | {} | {} | {:.0} | {:.0} | {:.2} | {:.2} |",
            cost.nodes,
            cost.routing.name(),
            RATE as usize * cost.nodes,
            cost.cpu(),
            cost.postgres(),
            cost.statements(),
            cost.calls()
        );
    }
    let find = |nodes, routing| {
        let found = costs.iter().find(|cost| (cost.nodes, cost.routing) == (nodes, routing));
        found.context("no such run")
    };
    let (one, four) = (find(1, Routing::Store)?, find(MOST, Routing::Store)?);
    for cost in [one, find(MOST, Routing::Any)?] {
        let routing = cost.routing.name();
        println!(
            "\nStatements an order: nodes {}, to {routing}\n\n| | each |\n| --- | ---: |",
            cost.nodes
        );
        for (sql, calls) in &cost.statements {
            println!("| `{sql}` | {:.3} |", count(*calls) / cost.jobs);
        }
    }
    bars::print(&[
        Bar::at_most("CPU of nodes, 4 of 1", 1.1, four.cpu() / one.cpu()),
        Bar::at_most("CPU of PostgreSQL, 4 of 1", 1.1, four.postgres() / one.postgres()),
        Bar::at_most("statements, 4 of 1", 1.1, four.statements() / one.statements()),
        Bar::at_most("Redis calls, 4 of 1", 1.1, four.calls() / one.calls()),
    ]);
    Ok(())
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

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn count(figure: u64) -> f64 {
    figure as f64
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
