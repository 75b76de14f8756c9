//! `notice`: what the register itself has to tell.

use clap::Subcommand;
use reqwest::Method;

use crate::cli::Desk;
use crate::failure::Failure;

/// Puts notices of the register away; `todo` lists them.
#[derive(Debug, Subcommand)]
pub enum Notice {
    /// Says that a notice was read; it leaves the to-do list.
    Read {
        /// The notice's number.
        id: i64,
    },
}

impl Notice {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] when it is not open.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        let Self::Read { id } = self;
        desk.api.act(Method::POST, &["notices", &id.to_string(), "read"]).await?;
        desk.output.line(format_args!("notice {id} is put away"))
    }
}
