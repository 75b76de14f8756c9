//! `openapi`: the description of the API.

use clap::Args;
use tillroll_dispatcher::http;

use crate::failure::Failure;
use crate::output;

/// Prints the description of the HTTP API (OpenAPI 3.1). Needs no data folder.
#[derive(Debug, Args)]
pub struct Openapi {}

impl Openapi {
    /// Prints it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn run(self) -> Result<(), Failure> {
        output::line(http::openapi_json().trim_end())
    }
}
