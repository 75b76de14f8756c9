//! The trace of the page: what `trace.js` noted, and its figures.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use crate::latencies::Latencies;
use crate::page::Page;

/// Nobody touches the page at first.
pub const UNTOUCHED: Duration = Duration::from_secs(10);
/// The whole trace.
pub const TRACED: Duration = Duration::from_secs(30);
/// After the trace the page has this long to come to its end.
const GRACE: Duration = Duration::from_secs(10);

/// What the page noted; times in milliseconds.
#[derive(Debug, Deserialize)]
pub struct Trace {
    gaps: Vec<f64>,
    /// Since the trace began, with the command.
    calls: Vec<(f64, String)>,
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
    let (untouched, end) = (UNTOUCHED.as_millis(), TRACED.as_millis());
    page.run(&format!("((...arguments) => {{ {script} }})({untouched}, {end})")).await?;
    tokio::time::sleep(TRACED).await;
    let deadline = tokio::time::Instant::now() + GRACE;
    while page.run("return window.tillrollTrace.ended ?? false").await? != true {
        ensure!(tokio::time::Instant::now() < deadline, "the page draws no frames");
    }
    let noted = page.run("return window.tillrollTrace").await?;
    serde_json::from_value(noted).context("the page's notes")
}

impl Trace {
    /// Prints its figures.
    pub fn print(&self) {
        println!("| | p50 ms | p99 ms | most ms | count |");
        println!("| --- | ---: | ---: | ---: | ---: |");
        print_row("between two frames", &self.gaps);
        print_row("click on a receipt to its details", &self.receipts);
        print_row("click on a receipt to its paper", &self.papers);
        print_row("click on a screen's name to the screen", &self.screens);
        let touched_from = millis(UNTOUCHED);
        let (untouched, touched): (Vec<_>, Vec<_>) =
            self.calls.iter().partition(|(at, _)| *at < touched_from);
        println!(
            "\ncalls in one second: untouched {} at most, clicked about {}; rows drawn {} at most, elements {}; clicks without an answer {}",
            most_in_a_second(&untouched),
            most_in_a_second(&touched),
            self.rows,
            self.nodes,
            self.missed
        );
        println!("calls while untouched, a second: {}", by_command(&untouched));
    }
}

fn print_row(name: &str, times: &[f64]) {
    let mut latencies = Latencies::default();
    for time in times {
        latencies.note(Duration::from_secs_f64(time / 1_000.0));
    }
    let ms = |share| latencies.quantile(share).as_secs_f64() * 1_000.0;
    println!("| {name} | {:.1} | {:.1} | {:.1} | {} |", ms(0.5), ms(0.99), ms(1.0), times.len());
}

/// The most calls in any second; they stand in the order of their times.
fn most_in_a_second(calls: &[&(f64, String)]) -> usize {
    let in_second = |(first, (from, _)): (usize, &&(f64, String))| {
        calls[first..].iter().take_while(|(at, _)| *at < from + 1_000.0).count()
    };
    calls.iter().enumerate().map(in_second).max().unwrap_or(0)
}

fn by_command(calls: &[&(f64, String)]) -> String {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    for (_, command) in calls {
        *counts.entry(command).or_default() += 1.0 / UNTOUCHED.as_secs_f64();
    }
    let named: Vec<String> =
        counts.iter().map(|(name, rate)| format!("{name} {rate:.1}")).collect();
    named.join(", ")
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}
