//! What an attack came to: one row of the table that `make attacks` prints.

use std::fmt;
use std::fs::File;
use std::io::{self, Write as _};

/// All rows of a run are gathered in the file of this name, if it is set.
const ROWS: &str = "TILLROLL_ATTACKS";

/// An attack and what it found. Every figure is counted while it runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attack {
    /// What is promised.
    pub promise: &'static str,
    /// What was done, and the seed if there is one.
    pub what: String,
    /// How often. None says that the attack could not be made here.
    pub trials: usize,
    /// How often something acknowledged was gone.
    pub losses: usize,
    /// How often something was there twice, or was never asked for.
    pub duplicates: usize,
    /// How often something was wrong and nobody was told.
    pub silent: usize,
}

impl Attack {
    /// An attack on all three promises; nothing is counted yet.
    #[must_use]
    pub fn on_all(what: impl Into<String>) -> Self {
        Self { promise: "all three", what: what.into(), ..Self::default() }
    }

    /// Says that it could not be made, and why: a row without trials.
    pub fn skip(self, why: &str) {
        Self { what: format!("{}: skipped, {why}", self.what), trials: 0, ..self }.show();
    }

    /// Counts a trial that must come out so; what came out otherwise.
    pub fn holds(&mut self, is_so: bool, otherwise: impl FnOnce() -> String) {
        self.tried(if is_so { Ok(()) } else { Err(otherwise()) });
    }

    /// Counts a trial; of one that nothing should have come of, what did.
    pub fn tried(&mut self, held: Result<(), String>) {
        self.trials += 1;
        if let Err(fault) = held {
            self.silent += 1;
            told(&fault);
        }
    }

    /// Shows the row of an attack that is over.
    ///
    /// # Panics
    /// When it was never made, or found something.
    pub fn end(&self) {
        self.show();
        let found = self.losses + self.duplicates + self.silent;
        assert!(self.trials > 0 && found == 0, "{self}");
    }

    /// Shows the row, and adds it to those of the run.
    ///
    /// # Panics
    /// When the file of the run cannot be written.
    pub fn show(&self) {
        told(&format!("\n{self}"));
        if let Some(path) = std::env::var_os(ROWS) {
            let added = File::options().append(true).create(true).open(&path);
            let added = added.and_then(|mut rows: File| writeln!(rows, "{self}"));
            added.unwrap_or_else(|error: io::Error| panic!("{}: {error}", path.display()));
        }
    }
}

#[expect(clippy::print_stdout, reason = "what attacks find is for people")]
fn told(text: &str) {
    println!("{text}");
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { promise, what, trials, losses, duplicates, silent } = self;
        write!(f, "| {promise} | {what} | {trials} | {losses} | {duplicates} | {silent} |")
    }
}

#[test]
#[should_panic = "| all three | kill -9 | 1 | 0 | 0 | 1 |"]
fn attack_that_found_something_does_not_end_well() {
    let mut attack = Attack::on_all("kill -9");
    attack.tried(Err("gone".to_owned()));
    attack.end();
}

#[test]
fn row_has_the_columns_of_the_table() {
    let attack = Attack { trials: 3, losses: 1, silent: 2, ..Attack::on_all("kill -9") };
    assert_eq!(attack.to_string(), "| all three | kill -9 | 3 | 1 | 0 | 2 |");
}
