//! `make demo-cluster`: two nodes of the dispatcher on PostgreSQL and Redis behind HAProxy, and the registers of
//! fifty stores. Orders come at the mean rate of a published storm, registers go and come back, and in the middle
//! one node is killed.
//!
//! It ends by itself, with 0 only if nothing is on paper twice, every order has an end with a true reason, and of
//! those whose register was there 99.9 % are printed. The judge is that of the storms in `tests/tests/storm`.
#![allow(clippy::print_stdout, reason = "a demonstration")]

#[path = "../../tests/storm"]
#[allow(
    dead_code,
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::wildcard_enum_match_arm,
    reason = "written for a test suite, which uses all of it"
)]
mod storm {
    pub mod business_system;
    pub mod cluster;
    pub mod course;
    pub mod folder;
    pub mod gate;
    pub mod history;
    pub mod judge;
    pub mod lines;
    pub mod order;
    pub mod paper;
    pub mod plan;
    pub mod report;
    pub mod shop;
    pub mod without;
    pub mod wrong;
}

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

use self::storm::cluster::{self, Cluster, Fault};
use self::storm::plan::Plan;
use self::storm::report::{self, Report};
use self::storm::{
    business_system, course, folder, gate, history, judge, lines, order, paper, plan, shop,
    without, wrong,
};

const SHOPS: usize = 50;
/// A second: the mean of the published storm.
const RATE: u32 = 44;
const LENGTH_S: u32 = 30;
/// Of each order.
const DEADLINE_S: u64 = 30;

#[tokio::main]
async fn main() -> ExitCode {
    let begun = Instant::now();
    match play().await {
        Ok(()) => {
            println!("\nIt holds. That took {:.0} s.", begun.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("\nIt does not hold: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn play() -> Result<()> {
    title("Two nodes on one PostgreSQL and one Redis, behind HAProxy");
    let mut cluster = Cluster::start(2).await?;
    println!("all of it is reached at {}", cluster.url());

    title(&format!("{SHOPS} stores with a register and a printer each, {RATE} orders a second"));
    println!("a tenth of the registers is away at any time, and connections break");
    let jobs = RATE * LENGTH_S;
    let calm = Plan { lost: 0, ..Plan::short(4) };
    let plan = Plan { shops: SHOPS, jobs, length_s: LENGTH_S.into(), ..calm };
    let s = Duration::from_secs;
    let faults = [(s(15), Fault::Kill(0)), (s(24), Fault::Start(0))];
    let tell = |at: Duration, fault| println!("{:>3} s: {fault}", at.as_secs());
    let report = cluster::run(&mut cluster, plan, DEADLINE_S, &faults, tell).await?;

    title("The judge, by its own list of acknowledged orders and the paper of every printer");
    print(&report);
    report::check(&[report])
}

fn print(report: &Report) {
    println!("acknowledged            {:>6}", report.jobs());
    println!("printed                 {:>6}", report.printed());
    println!("on paper twice          {:>6}", report.doubled);
    println!("their register was there{:>6}", report.reachable);
    println!("  and they are printed  {:>6}", report.reachable_printed);
    println!("they waited for it      {:>6}", report.recovered);
    println!("  and they are printed  {:>6}", report.recovered_printed);
    println!("found wrong             {:>6}", report.violations);
    let online = &report.online;
    println!("to paper, register there: {} ms, p99 {} ms", online.mean(), online.percentile(99));
    let others = report.states.iter().filter(|(state, _)| *state != "printed");
    others.for_each(|(state, count)| println!("ended as {state}: {count}"));
}

fn title(text: &str) {
    println!("\n== {text} ==");
}
