//! What each part of the schedule is for: the same three storms without it, side by side.

use std::fmt::Write as _;

use crate::plan::{Plan, Without};
use crate::report::{Report, Times};
use crate::runs;

/// Three seeds each.
const SEEDS: [u64; 3] = [101, 102, 103];
const ROWS: [Without; 5] =
    [Without::Nothing, Without::StateCheck, Without::Wheels, Without::Recovery, Without::Deadline];

/// The row of a table.
struct Row {
    without: Without,
    reports: Vec<Report>,
}

/// Runs all of it; the table as Markdown.
pub fn table() -> String {
    let plan = |without, seed| Plan { without, ..Plan::usual(seed) };
    let plans: Vec<_> =
        ROWS.iter().flat_map(|without| SEEDS.map(|seed| plan(*without, seed))).collect();
    let mut reports = runs::all(&plans, |report| println!("{}", report.line())).into_iter();
    let mut table = String::from(
        "| without | printed | of reachable | wrong or missing reason | online mean / p99 | pushes a job | most pushes in 1 s |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for without in ROWS {
        let row = Row { without, reports: reports.by_ref().take(SEEDS.len()).collect() };
        // Writing to a string does not fail.
        let _ = writeln!(table, "{}", row.markdown());
    }
    table
}

impl Row {
    fn markdown(&self) -> String {
        let sum = |figure: fn(&Report) -> usize| self.reports.iter().map(figure).sum::<usize>();
        let online =
            Times(self.reports.iter().flat_map(|report| &report.online.0).copied().collect());
        let (jobs, reachable) = (sum(Report::jobs), sum(|report| report.reachable));
        let most = self.reports.iter().map(|report| report.pushes_in_a_second).max();
        format!(
            "| {} | {} | {} | {} | {} / {} ms | {} | {} |",
            self.without,
            share(sum(Report::printed), jobs),
            share(sum(|report| report.reachable_printed), reachable),
            sum(|report| report.violations),
            online.mean(),
            online.percentile(99),
            hundredths(sum(|report| report.pushes), jobs),
            most.unwrap_or_default(),
        )
    }
}

fn share(part: usize, of: usize) -> String {
    format!("{} %", hundredths(part * 100, of))
}

fn hundredths(part: usize, of: usize) -> String {
    let hundredths = part * 100 / of.max(1);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[test]
fn shares_are_cut_to_hundredths() {
    assert_eq!(
        (share(1, 3), share(3, 3), hundredths(5, 4)),
        ("33.33 %".into(), "100.00 %".into(), "1.25".into())
    );
}
