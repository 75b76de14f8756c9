//! Every judged figure of all benches in one table, and where and when they were measured.

use std::fs;
use std::process::Command;

use jiff::Timestamp;

use super::{Bar, Sheet, Table};

/// All figures in the order of their benches; missed ones stand among the others.
#[must_use]
pub fn summary(sheets: &[Sheet]) -> Table {
    let mut table = Table::new("", Bar::HEADS);
    for bar in sheets.iter().flat_map(|sheet| sheet.findings.judged()) {
        table.push(bar.row());
    }
    table
}

/// One sentence: the days of the oldest and the newest sheet, and the machine.
#[must_use]
pub fn where_and_when(sheets: &[Sheet]) -> String {
    let day = |at: Timestamp| at.strftime("%Y-%m-%d").to_string();
    let from = sheets.iter().map(|sheet| sheet.at).min().map(day).unwrap_or_default();
    let to = sheets.iter().map(|sheet| sheet.at).max().map(day).unwrap_or_default();
    let days = if from == to { from } else { format!("{from} to {to}") };
    format!("Measured {days} on {}.", machine())
}

/// Processor, system and compiler, as far as they say what they are.
fn machine() -> String {
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("an unnamed processor", |(_, model)| model.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{cores} cores of {model}, Linux {}, {}", kernel.trim(), compiler())
}

fn compiler() -> String {
    let said = Command::new("rustc").arg("--version").output();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let words = said.unwrap_or_default();
    words.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}
