//! A running bench: which of its parts are wanted, and what becomes of their findings.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use anyhow::Result;

use super::{Bar, Finding, Findings, Sheet};

/// A bench, with the words after `--` on its command line: each picks a part, none picks all.
pub struct Bench {
    name: &'static str,
    wanted: Vec<String>,
}

impl Bench {
    /// The bench of that name.
    #[must_use]
    pub fn begin(name: &'static str) -> Self {
        let words = std::env::args().skip(1);
        Self { name, wanted: words.filter(|word| !word.starts_with('-')).collect() }
    }

    /// Measures a part if it is wanted; prints and keeps what it found.
    ///
    /// # Errors
    /// Those of the part, and when its sheet cannot be kept.
    pub fn part(&self, part: &str, measure: impl FnOnce() -> Result<Findings>) -> Result<()> {
        if !self.wanted.is_empty() && !self.wanted.iter().any(|word| word == part) {
            return Ok(());
        }
        let findings = measure()?;
        print(&findings);
        Sheet::of(self.name, part, findings).keep()
    }
}

fn print(findings: &Findings) {
    let mut is_among_bars = false;
    for finding in &findings.0 {
        match finding {
            Finding::Table(table) | Finding::Aside(table) => println!("\n{table}"),
            Finding::Note(note) => println!("\n{note}"),
            Finding::Bar(bar) if is_among_bars => println!("{bar}"),
            Finding::Bar(bar) => {
                println!("\n| {} |\n|{}\n{bar}", Bar::HEADS.join(" | "), " --- |".repeat(8));
            }
        }
        is_among_bars = matches!(finding, Finding::Bar(_));
    }
}
