//! Everything that can go wrong with three nodes goes wrong in one run.

use super::fault::of_everything;
use super::{Cluster, run};
use crate::assert_just;
use crate::plan::{Plan, Without};
use crate::report::Report;
use crate::runtime;

fn storm(plan: Plan, deadline_s: u64) -> Report {
    let report = runtime().block_on(async {
        let mut cluster = Cluster::start(3).await?;
        let faults = of_everything(plan.length());
        let tell = |at, fault| println!("{at:?}: {fault}");
        run(&mut cluster, plan, deadline_s, &faults, tell).await
    });
    let report = report.unwrap();
    println!("{}", report.line());
    report
}

fn is_survived(plan: Plan, deadline_s: u64) {
    let report = storm(plan, deadline_s);
    let reports = std::slice::from_ref(&report);
    crate::report::attack("a storm on three nodes with all of their faults", reports).show();
    assert_just(reports);
}

#[test]
fn three_nodes_lose_nothing_and_print_nothing_twice() {
    let plan = Plan { shops: 12, jobs: 300, length_s: 20, lost: 0, ..Plan::short(51) };
    is_survived(plan, 20);
}

#[test]
fn judge_condemns_registers_that_take_every_copy_for_another_job() {
    let few = Plan { shops: 12, jobs: 300, length_s: 20, lost: 0, ..Plan::short(51) };
    let report = storm(Plan { without: Without::Dedup, ..few }, 20);
    assert!(report.doubled > 0, "{}", report.line());
}

#[test]
#[ignore = "minutes: run by make storm-rest"]
fn three_nodes_at_the_published_peak_rate() {
    let plan = Plan { shops: 50, jobs: 73 * 150, length_s: 150, lost: 0, ..Plan::usual(52) };
    is_survived(plan, 40);
}
