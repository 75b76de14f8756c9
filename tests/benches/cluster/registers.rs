//! Ten and a hundred times the registers at one node: what they cost at rest, and what an order costs beside them.

use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Result;
use tillroll_dispatcher::postgres::{PostgresOptions, PostgresStore};
use tillroll_tests::figures::number::whole;
use tillroll_tests::figures::{Findings, Table};
use tillroll_tests::scale;
use tokio::runtime::Runtime;
use tokio::time::sleep;

use crate::chain::Chain;
use crate::load::{Load, Routing};
use crate::program::Program;
use crate::shared::{Shared, Used, count};

const COUNTS: [u32; 3] = [100, 1_000, 10_000];
const STORES: usize = 1_000;
const REGISTERS: usize = 10;
/// At rest.
const RESTS: Duration = Duration::from_secs(15);
const RATE: u32 = 50;
const LENGTH: Duration = Duration::from_secs(15);
const CALM: Duration = Duration::from_secs(2);

/// What so many registers cost.
struct Cost {
    registers: u32,
    connecting: Duration,
    connected: Used,
    memory: u64,
    rest: Used,
    jobs: u32,
    work: Used,
}

/// Measures.
pub fn measure(runtime: &Rc<Runtime>, folder: &Path) -> Result<Findings> {
    std::fs::create_dir_all(folder)?;
    let costs = runtime.block_on(run(folder))?;
    Ok(Findings::default().table(connecting(&costs)).table(at_rest(&costs)).table(at_work(&costs)))
}

fn connecting(costs: &[Cost]) -> Table {
    let mut table = Table::new(
        "Registers at one node",
        [
            "registers",
            "to connect: seconds",
            "node's CPU us each",
            "statements each",
            "Redis calls each",
            "memory, KiB each",
        ],
    );
    for cost in costs {
        let (seconds, all) = (cost.connecting.as_secs_f64(), f64::from(cost.registers));
        let [cpu, _, statements, calls] = each(cost.connected, all);
        let memory = count(cost.memory) / 1_024.0 / all;
        table.push([
            whole(all),
            format!("{seconds:.2}"),
            whole(cpu),
            format!("{statements:.2}"),
            format!("{calls:.2}"),
            format!("{memory:.1}"),
        ]);
    }
    table
}

fn at_rest(costs: &[Cost]) -> Table {
    let heads = ["registers", "node", "PostgreSQL", "statements", "Redis calls"];
    let mut table = Table::new("The same at rest, a second: CPU in % of a core", heads);
    for cost in costs {
        let [cpu, postgres, statements, calls] = each(cost.rest, scale::time(RESTS).as_secs_f64());
        let (cpu, postgres) = (format!("{:.2}", cpu / 1e4), format!("{:.2}", postgres / 1e4));
        let (statements, calls) = (format!("{statements:.1}"), format!("{calls:.1}"));
        table.push([whole(f64::from(cost.registers)), cpu, postgres, statements, calls]);
    }
    table
}

fn at_work(costs: &[Cost]) -> Table {
    let heads = ["registers", "node's CPU us", "PostgreSQL's CPU us", "statements", "Redis calls"];
    let mut table = Table::new(format!("An order beside them, at {RATE} a second"), heads);
    for cost in costs {
        let [cpu, postgres, statements, calls] = each(cost.work, f64::from(cost.jobs));
        let (statements, calls) = (format!("{statements:.2}"), format!("{calls:.2}"));
        table.push([
            whole(f64::from(cost.registers)),
            whole(cpu),
            whole(postgres),
            statements,
            calls,
        ]);
    }
    table
}

/// Microseconds of nodes and of PostgreSQL, statements and calls, of one of so many.
fn each(used: Used, all: f64) -> [f64; 4] {
    let us = |cpu: Duration| cpu.as_secs_f64() * 1e6 / all;
    [us(used.nodes), us(used.postgres), count(used.statements) / all, count(used.calls) / all]
}

async fn run(folder: &Path) -> Result<Vec<Cost>> {
    let mut shared = Shared::start().await?;
    let store = PostgresStore::open(&shared.database(), PostgresOptions::default()).await?;
    let chain = Chain::fill(&store, folder.to_path_buf(), STORES, REGISTERS).await?;
    store.close();
    let (mut costs, mut first) = (Vec::new(), 1);
    for registers in COUNTS.map(scale::count) {
        let data = folder.join(format!("node-{registers}"));
        let programs = [Program::start(&data, &shared.config()).await?];
        let cost = cost(&mut shared, &chain, &programs, registers, first).await?;
        first += cost.jobs;
        costs.push(cost);
        let [program] = programs;
        program.stop().await?;
    }
    Ok(costs)
}

async fn cost(
    shared: &mut Shared,
    chain: &Chain,
    programs: &[Program; 1],
    registers: u32,
    first: u32,
) -> Result<Cost> {
    let (empty, memory, begun) =
        (shared.used(programs).await?, programs[0].memory()?, Instant::now());
    let mut load =
        Load::connect(chain, programs, usize::try_from(registers)?, Routing::Any).await?;
    let connecting = begun.elapsed();
    sleep(CALM).await;
    let full = shared.used(programs).await?;
    sleep(scale::time(RESTS)).await;
    let rested = shared.used(programs).await?;
    let memory = programs[0].memory()?.saturating_sub(memory);
    let jobs = load.send(RATE, LENGTH, first).await?;
    let worked = shared.used(programs).await?;
    Ok(Cost {
        registers,
        connecting,
        connected: full.since(empty),
        memory,
        rest: rested.since(full),
        jobs,
        work: worked.since(rested),
    })
}
