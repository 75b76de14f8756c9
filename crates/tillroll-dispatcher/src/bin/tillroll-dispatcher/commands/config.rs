//! `check-config` and `print-default-config`.

use clap::Args;
use tillroll_dispatcher::config::{Config, DEFAULT};

use crate::failure::Failure;
use crate::output;

/// Checks the configuration of the file and the environment, and names the first key that is wrong.
#[derive(Debug, Args)]
pub struct CheckConfig {}

/// Prints the default configuration as a file with comments.
#[derive(Debug, Args)]
pub struct PrintDefaultConfig {}

impl CheckConfig {
    /// Tells whether it can be used.
    ///
    /// # Errors
    /// [`Failure::Config`].
    pub fn run(self, loaded: Result<Config, Failure>) -> Result<(), Failure> {
        loaded?;
        output::line("the configuration is sound")
    }
}

impl PrintDefaultConfig {
    /// Prints it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn run(self) -> Result<(), Failure> {
        output::line(DEFAULT.trim_end())
    }
}
