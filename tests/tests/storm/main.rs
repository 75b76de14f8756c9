//! The storm: many real registers with virtual printers against the real dispatcher, in simulated time.
//! Devices go away and come back, messages are late, lost and repeated, programs are killed and started on
//! the same files. A seed decides all of it, and replays it to the last event:
//!
//! ```text
//! TILLROLL_STORM='seed=7 shops=20 jobs=500' TILLROLL_STORM_SHOW=1 \
//!     cargo test -p tillroll-tests --test storm one -- --exact --ignored --nocapture
//! ```
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::wildcard_enum_match_arm,
    reason = "a test suite: a run tells its report to the process that asked for it, and looks at the states and messages it judges"
)]

mod ablation;
mod backlog;
mod business_system;
mod cloud;
mod cluster;
mod course;
mod entropy;
mod folder;
mod gate;
mod history;
mod judge;
mod large;
mod lines;
mod lives;
mod network;
mod order;
mod outage;
mod paper;
mod plan;
mod platform;
mod report;
mod run;
mod runs;
mod shop;
mod sockets;
mod without;
mod wrong;

use tokio::runtime::{Builder, Runtime};

use crate::plan::{Plan, Without};
use crate::report::{MARK, Report};

#[test]
#[ignore = "one run, for the other tests and to replay a seed"]
fn one() {
    let plan = std::env::var(runs::PLAN).unwrap_or_default().parse().unwrap();
    let report = run::run(plan, std::env::var(runs::SHOW).is_ok());
    println!("\n{MARK}{}", serde_json::to_string(&report).unwrap());
    eprintln!("{}", report.line());
}

/// For runs in real time.
fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// The judge found nothing wrong with any run, nor with all of them together.
fn assert_just(reports: &[Report]) {
    report::check(reports).unwrap();
}

#[test]
fn three_short_storms_lose_nothing_and_print_nothing_twice() {
    let reports = runs::all(&[1, 2, 3].map(Plan::short), |report| println!("{}", report.line()));
    report::attack("storms in simulated time, seeds 1 to 3", &reports).show();
    assert_just(&reports);
}

#[test]
fn seed_replays_a_storm_to_the_last_event() {
    let plan = Plan { shops: 8, jobs: 100, length_s: 60, ..Plan::short(11) };
    let reports = runs::all(&[plan, plan], |_| ());
    assert_eq!(reports[0].hash, reports[1].hash);
    let other = runs::one(Plan { seed: 12, ..plan });
    assert_ne!(reports[0].hash, other.hash);
}

#[test]
fn judge_condemns_a_register_that_takes_every_copy_for_another_job() {
    let report = runs::one(Plan { without: Without::Dedup, ..Plan::short(5) });
    assert!(report.doubled > 0, "{}", report.line());
}

#[test]
fn judge_condemns_a_schedule_that_does_not_look_who_is_there() {
    let plan = Plan { shops: 40, jobs: 600, length_s: 240, ..Plan::short(5) };
    let report = runs::one(Plan { without: Without::StateCheck, ..plan });
    assert!(report.violations > 0, "{}", report.line());
}
