//! `openapi`: the description of the HTTP API.

use clap::Args;
use tillroll_register::http;

use crate::failure::Failure;
use crate::output::Output;

/// Prints the description of the HTTP API (OpenAPI 3.1). Needs no running register.
#[derive(Debug, Args)]
pub struct Openapi {}

impl Openapi {
    /// Prints it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn run(self, output: &Output) -> Result<(), Failure> {
        output.line(http::openapi_json().trim_end())
    }
}
