//! What a run came to. A run is a process of its own, which prints its report as one line of JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tillroll_testkit::Attack;

use crate::history::History;
use crate::plan::Plan;

/// Before the report of a run, on a line of its own.
pub const MARK: &str = "storm-report ";

/// A judged run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Report {
    /// The plan in its text form: it replays the run.
    pub plan: String,
    /// The hash of everything that happened.
    pub hash: String,
    /// Jobs by their state in the dispatcher.
    pub states: BTreeMap<String, usize>,
    /// Jobs that were taken and are gone, or are said to be on paper and are not.
    pub lost: usize,
    /// Jobs on paper more than once, or never sent.
    pub doubled: usize,
    /// Jobs that are not what is said of them.
    pub silent: usize,
    /// Jobs settled by a result after their deadline.
    pub late: usize,
    /// Jobs whose device was there for ten seconds before the deadline, and how many of them were printed.
    pub reachable: usize,
    pub reachable_printed: usize,
    /// Of those the ones that waited for their device to come back.
    pub recovered: usize,
    pub recovered_printed: usize,
    /// From acceptance to the last byte at the printer, of devices that were there all the while.
    pub online: Times,
    /// Pushes in all, and the most in any second.
    pub pushes: usize,
    pub pushes_in_a_second: usize,
    /// The most jobs pushed in any second that had waited for it.
    pub recovered_in_a_second: usize,
    /// Whether that is no more than the configured rate of recovery.
    pub is_within_rate: bool,
    /// The most tries to connect in any second.
    pub dials_in_a_second: usize,
    /// What the judge found wrong: how much, and the first of it.
    pub violations: usize,
    pub told: Vec<String>,
    /// What the run took.
    pub cpu_ms: u64,
}

/// Times in milliseconds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Times(pub Vec<u64>);

impl Times {
    /// One more.
    pub fn push(&mut self, time: Duration) {
        self.0.push(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    }

    /// Their mean.
    pub fn mean(&self) -> u64 {
        let count = u64::try_from(self.0.len()).unwrap_or(1).max(1);
        self.0.iter().sum::<u64>() / count
    }

    /// That part of a hundred is no longer.
    pub fn percentile(&self, part: usize) -> u64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = (sorted.len() * part / 100).min(sorted.len().saturating_sub(1));
        sorted.get(at).copied().unwrap_or_default()
    }
}

impl Report {
    /// A report of what can be counted without a judge.
    pub fn of(plan: Plan, history: &History) -> Self {
        let pushes = history.pushes();
        Self {
            plan: plan.to_string(),
            hash: history.hash(),
            pushes: pushes.len(),
            pushes_in_a_second: most_in_a_second(&pushes),
            dials_in_a_second: most_in_a_second(&history.all_dials()),
            ..Self::default()
        }
    }

    /// Printed jobs.
    pub fn printed(&self) -> usize {
        self.states.get("printed").copied().unwrap_or_default()
    }

    /// Jobs in all.
    pub fn jobs(&self) -> usize {
        self.states.values().sum()
    }

    /// One line for people.
    pub fn line(&self) -> String {
        format!(
            "{}: {} of {} printed, {} twice, {} of {} reachable printed, {} of {} recovered; online {} ms, p99 {} ms; \
             at most {} pushes ({} of jobs that waited) and {} dials a second; {} violations, {} ms CPU; {:?}",
            self.plan,
            self.printed(),
            self.jobs(),
            self.doubled,
            self.reachable_printed,
            self.reachable,
            self.recovered_printed,
            self.recovered,
            self.online.mean(),
            self.online.percentile(99),
            self.pushes_in_a_second,
            self.recovered_in_a_second,
            self.dials_in_a_second,
            self.violations,
            self.cpu_ms,
            self.states,
        )
    }
}

/// Runs as one attack.
pub fn attack(what: &str, reports: &[Report]) -> Attack {
    let sum = |figure: fn(&Report) -> usize| reports.iter().map(figure).sum::<usize>();
    Attack {
        trials: sum(Report::jobs),
        losses: sum(|report| report.lost),
        duplicates: sum(|report| report.doubled),
        silent: sum(|report| report.silent),
        ..Attack::on_all(what)
    }
}

/// Whether the judge found nothing wrong with any run, and of all jobs whose device was there 99.9 % were printed.
pub fn check(reports: &[Report]) -> Result<()> {
    for report in reports {
        ensure!(report.violations == 0, "{}\n{}", report.line(), report.told.join("\n"));
    }
    let sum = |figure: fn(&Report) -> usize| reports.iter().map(figure).sum::<usize>();
    let (printed, of) = (sum(|report| report.reachable_printed), sum(|report| report.reachable));
    ensure!(printed * 1_000 >= of * 999, "{printed} of {of} jobs with a reachable device");
    Ok(())
}

/// The most of sorted instants in any second.
pub fn most_in_a_second(at: &[Duration]) -> usize {
    let (mut most, mut first) = (0, 0);
    for (last, now) in at.iter().enumerate() {
        while *now - at[first] >= Duration::from_secs(1) {
            first += 1;
        }
        most = most.max(last + 1 - first);
    }
    most
}

#[test]
fn busiest_second_is_found() {
    let ms = Duration::from_millis;
    assert_eq!(most_in_a_second(&[ms(0), ms(900), ms(999), ms(1_000), ms(5_000)]), 3);
    assert_eq!(most_in_a_second(&[]), 0);
}
