//! `counters`: a store's counters beside their ledger.

use clap::{Args, Subcommand};
use jiff::civil::Date;
use tillroll_dispatcher::admin::Command;
use tillroll_dispatcher::counters::{DayCheck, Difference};

use crate::desk::Desk;
use crate::failure::Failure;
use crate::output;

/// Compares a store's counters with their ledger, and counts them anew.
#[derive(Debug, Subcommand)]
pub enum Counters {
    /// Names every figure that differs; exit code 1 when there is one.
    Check(Which),
    /// Counts the figures of the day, and the stock of what differs, anew from the ledger.
    Rebuild(Which),
}

/// Which day.
#[derive(Debug, Args)]
pub struct Which {
    /// The store's uid.
    #[arg(long)]
    store: String,
    /// The day, as 2026-10-09.
    #[arg(long)]
    day: Date,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Counters {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] when there is no such store, [`Failure::Differs`].
    pub async fn run(self, desk: &Desk) -> Result<(), Failure> {
        let (check, json) = match self {
            Self::Check(Which { store, day, json }) => {
                (desk.ask(Command::CheckCounters { store, day }).await?, json)
            }
            Self::Rebuild(Which { store, day, json }) => {
                (desk.ask(Command::RebuildCounters { store, day }).await?, json)
            }
        };
        show(check, json)
    }
}

fn show(check: DayCheck, json: bool) -> Result<(), Failure> {
    let found = check.found;
    if json {
        output::json(&check)?;
    } else {
        let entries = check.entries;
        let headings = ["compared", "name", "figure", "counter", "ledger"];
        let rows = check.differences.into_iter().map(row).collect();
        output::table(headings, rows, &format!("{entries} entries, and nothing differs"))?;
    }
    if found == 0 { Ok(()) } else { Err(Failure::Differs(found)) }
}

fn row(one: Difference) -> [String; 5] {
    let compared = one.compared.as_str().to_owned();
    [compared, one.name, one.figure, one.counter.to_string(), one.ledger.to_string()]
}
