//! The table of cases from the field is true: each has its public report, and every test that it names is there and
//! is run.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::repository::{files, text};

const TABLE: &str = "docs/field-cases.md";
/// Cases there are.
const CASES: usize = 30;
/// Where a behaviour that is tested on several engines gets its tests.
const SUITES: [&str; 1] = ["crates/tillroll-dispatcher/tests/it/conformance.rs"];

/// A row: the address of its report, and its tests as `path::name`.
#[derive(Debug, PartialEq, Eq)]
struct Case<'a> {
    report: &'a str,
    tests: Vec<(&'a str, &'a str)>,
}

fn cases(table: &str) -> Vec<Case<'_>> {
    table.lines().filter_map(case).collect()
}

fn case(row: &str) -> Option<Case<'_>> {
    let (_, from) = row.split_once("](https://github.com/")?;
    let (report, rest) = from.split_once(')')?;
    let named = rest.split('`').filter_map(|part| part.split_once(".rs::"));
    Some(Case { report, tests: named.collect() })
}

/// A public thread: `owner/repository/issues/number`, or `pull`.
fn is_thread(report: &str) -> bool {
    let parts: Vec<_> = report.split('/').collect();
    matches!(parts[..], [_, _, "issues" | "pull", number] if number.parse::<u32>().is_ok())
}

/// The short form that a test's comment names a report by.
fn short(report: &str) -> String {
    report.replace("/issues/", "#").replace("/pull/", "#")
}

/// A function that an attribute of a test, or a macro that makes tests, stands for, and that is run by default.
fn is_test(source: &str, suites: &[String], name: &str) -> bool {
    let before = |marker: &str| source.split_once(marker).map(|(before, _)| before);
    let head = [format!("fn {name}("), format!("fn {name}<")];
    let Some(before) = head.iter().find_map(|marker| before(marker)) else { return false };
    let above = before.rfind('\n').map_or(before, |at| &before[..at]);
    let attributes =
        above.lines().rev().map(str::trim_start).take_while(|line| line.starts_with("#["));
    let attributes: Vec<_> = attributes.collect();
    if attributes.iter().any(|line| line.starts_with("#[ignore")) {
        return false;
    }
    let marked = attributes.iter().any(|line| line.contains("test"));
    let listed = |text: &str| text.lines().any(|line| line.trim() == format!("{name},"));
    marked || listed(source) || suites.iter().any(|suite| listed(suite))
}

#[test]
fn every_case_has_its_report_and_tests_that_are_run() -> Result<()> {
    let table = text(Path::new(TABLE))?.context("text")?;
    let cases = cases(&table);
    let reports: BTreeSet<_> = cases.iter().map(|case| case.report).collect();
    ensure!(reports.len() == CASES, "{} reports: {reports:?}", reports.len());
    let suites = SUITES.iter().map(|suite| text(Path::new(suite))?.context("text"));
    let suites = suites.collect::<Result<Vec<_>>>()?;
    for Case { report, tests } in &cases {
        ensure!(is_thread(report), "{report} is no public thread");
        ensure!(!tests.is_empty(), "{report} has no test");
        for (path, name) in tests {
            let source = text(Path::new(&format!("{path}.rs")))?.context("text")?;
            ensure!(is_test(&source, &suites, name), "{path}.rs has no test {name}");
        }
    }
    Ok(())
}

#[test]
fn every_report_is_named_by_a_test() -> Result<()> {
    let table = text(Path::new(TABLE))?.context("text")?;
    let mut unnamed: BTreeSet<_> = cases(&table).iter().map(|case| short(case.report)).collect();
    for file in files()?.iter().filter(|file| file.extension().is_some_and(|end| end == "rs")) {
        let source = text(file)?.unwrap_or_default();
        unnamed.retain(|report| !source.contains(&format!("({report})")));
    }
    ensure!(unnamed.is_empty(), "no test's comment names {unnamed:?}");
    Ok(())
}

#[test]
fn missing_tests_and_reports_are_found() {
    let row = "| x | [a/b#1](https://github.com/a/b/pull/1) | y | `c/d.rs::e`, `f.rs::g` |";
    let expected = Case { report: "a/b/pull/1", tests: vec![("c/d", "e"), ("f", "g")] };
    assert_eq!(case(row), Some(expected));
    assert_eq!(case("| what went wrong | reported | Tillroll | held by |"), None);
    assert!(is_thread("a/b/pull/1") && !is_thread("a/b") && !is_thread("a/b/issues/x"));
    let source = "#[tokio::test]\nasync fn e() {}\nfn helper() {}\nfn made<S>() {}\n\
        #[test]\n#[ignore = \"minutes\"]\nfn late() {}\n";
    let suites = ["    made,\n".to_owned()];
    let found = |name| is_test(source, &suites, name);
    assert!(found("e") && found("made"));
    assert!(!found("helper") && !found("gone") && !found("late"));
}
