//! Runs as processes of their own: the runtime counts what is made in a process and draws on that count, so
//! that only the first run of a process is the one its seed names.

use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::plan::Plan;
use crate::report::{MARK, Report};

/// The plan of a run, in the environment of its process.
pub const PLAN: &str = "TILLROLL_STORM";
/// With this set, a run tells everything that happens.
pub const SHOW: &str = "TILLROLL_STORM_SHOW";

/// Runs a plan in a process of its own.
pub fn one(plan: Plan) -> Report {
    let program = std::env::current_exe().unwrap();
    let run = Command::new(program)
        .args(["--exact", "one", "--ignored", "--nocapture"])
        .env(PLAN, plan.to_string())
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    let report = said.lines().find_map(|line| line.split_once(MARK)).map(|(_, report)| report);
    let Some(report) = report else {
        let errors = String::from_utf8_lossy(&run.stderr);
        panic!("{plan} came to no report: {said}{errors}");
    };
    serde_json::from_str(report).unwrap()
}

/// Runs plans, as many at a time as the machine has cores; reports in their order.
pub fn all(plans: &[Plan], told: impl Fn(&Report) + Sync) -> Vec<Report> {
    let (next, reports) = (AtomicUsize::new(0), Mutex::new(vec![None; plans.len()]));
    let work = || {
        while let Some((at, plan)) = {
            let at = next.fetch_add(1, Relaxed);
            plans.get(at).map(|plan| (at, *plan))
        } {
            let report = one(plan);
            told(&report);
            reports.lock().unwrap()[at] = Some(report);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    reports.into_inner().unwrap().into_iter().flatten().collect()
}
