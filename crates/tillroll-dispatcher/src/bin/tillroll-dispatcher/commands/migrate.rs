//! `migrate`: brings the database to the newest schema without serving.

use clap::Args;
use tillroll_dispatcher::Migrated;

use crate::desk::Desk;
use crate::failure::Failure;
use crate::output;

/// Brings the database to the newest schema; of one in the data folder a copy is made before. `serve` does
/// the same when it starts.
#[derive(Debug, Args)]
pub struct Migrate {}

impl Migrate {
    /// Does it, and tells from which schema.
    ///
    /// # Errors
    /// [`Failure::Start`] while a dispatcher runs, or when the database does not open.
    pub async fn run(self, desk: &Desk) -> Result<(), Failure> {
        let opened = desk.open_database().await?;
        let Migrated { from, copy } = opened.migrated().clone();
        opened.close().await;
        if let Some(copy) = copy {
            output::note(format_args!("the database as it was: {}", copy.display()))?;
        }
        match from {
            None => output::line("the database is up to date"),
            Some(from) => output::line(format_args!(
                "the database was at schema {from}; now it is up to date"
            )),
        }
    }
}
