//! The trace of the page: what `trace.js` noted, and its figures.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use tillroll_tests::figures::{Bar, Table};
use tillroll_tests::scale;

use crate::latencies::Latencies;
use crate::page::Page;

/// Nobody touches the page at first.
pub const UNTOUCHED: Duration = Duration::from_secs(10);
/// The whole trace.
pub const TRACED: Duration = Duration::from_secs(30);
/// After the trace the page has this long to come to its end.
const GRACE: Duration = Duration::from_secs(10);

/// When since the trace began, and the command.
type Call = (f64, String);

/// What the page noted; times in milliseconds.
#[derive(Debug, Deserialize)]
pub struct Trace {
    gaps: Vec<f64>,
    calls: Vec<Call>,
    rows: u64,
    nodes: u64,
    receipts: Vec<f64>,
    papers: Vec<f64>,
    screens: Vec<f64>,
    missed: u64,
}

/// Traces the page to the end.
pub async fn take(page: &Page) -> Result<Trace> {
    let script = include_str!("trace.js");
    let (untouched, traced) = (scale::time(UNTOUCHED), scale::time(TRACED));
    let (untouched, end) = (untouched.as_millis(), traced.as_millis());
    page.run(&format!("((...arguments) => {{ {script} }})({untouched}, {end})")).await?;
    tokio::time::sleep(traced).await;
    let deadline = tokio::time::Instant::now() + GRACE;
    while page.run("return window.tillrollTrace.ended ?? false").await? != true {
        ensure!(tokio::time::Instant::now() < deadline, "the page draws no frames");
    }
    let noted = page.run("return window.tillrollTrace").await?;
    serde_json::from_value(noted).context("the page's notes")
}

impl Trace {
    /// Its times.
    pub fn table(&self, title: &str) -> Table {
        Table::new(title, ["", "p50 ms", "p99 ms", "most ms", "count"])
            .row(row("between two frames", &self.gaps))
            .row(row("click on a receipt to its details", &self.receipts))
            .row(row("click on a receipt to its paper", &self.papers))
            .row(row("click on a screen's name to the screen", &self.screens))
    }

    /// What it counted.
    pub fn note(&self) -> String {
        let (untouched, touched) = self.calls_of();
        format!(
            "Calls to the register in one second: untouched {} at most, clicked about {}; rows drawn {} at most, \
             elements {}; clicks without an answer {}. Calls while untouched, a second: {}.",
            most_in_a_second(&untouched),
            most_in_a_second(&touched),
            self.rows,
            self.nodes,
            self.missed,
            by_command(&untouched)
        )
    }

    /// What a page may do however many receipts there are and come.
    #[expect(clippy::cast_precision_loss, reason = "a few calls and rows")]
    pub fn bars(&self) -> [Bar; 2] {
        let (untouched, _) = self.calls_of();
        let calls = most_in_a_second(&untouched) as f64;
        [
            Bar::at_most(
                "calls of an untouched page in any second, 200 receipts a second",
                10.0,
                calls,
            ),
            Bar::at_most("rows drawn of the 200 listed", 50.0, self.rows as f64),
        ]
    }

    fn calls_of(&self) -> (Vec<&Call>, Vec<&Call>) {
        let touched_from = scale::time(UNTOUCHED).as_secs_f64() * 1_000.0;
        self.calls.iter().partition(|(at, _)| *at < touched_from)
    }
}

fn row(name: &str, times: &[f64]) -> [String; 5] {
    let mut latencies = Latencies::default();
    for time in times {
        latencies.note(Duration::from_secs_f64(time / 1_000.0));
    }
    let ms = |share| format!("{:.1}", latencies.quantile(share).as_secs_f64() * 1_000.0);
    [name.to_owned(), ms(0.5), ms(0.99), ms(1.0), times.len().to_string()]
}

/// The most calls in any second; they stand in the order of their times.
fn most_in_a_second(calls: &[&Call]) -> usize {
    let in_second = |(first, (from, _)): (usize, &&Call)| {
        calls[first..].iter().take_while(|(at, _)| *at < from + 1_000.0).count()
    };
    calls.iter().enumerate().map(in_second).max().unwrap_or(0)
}

fn by_command(calls: &[&Call]) -> String {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    for (_, command) in calls {
        *counts.entry(command).or_default() += 1.0 / scale::time(UNTOUCHED).as_secs_f64();
    }
    let named: Vec<String> =
        counts.iter().map(|(name, rate)| format!("{name} {rate:.1}")).collect();
    named.join(", ")
}
