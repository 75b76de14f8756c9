//! The log: lines of JSON on standard error, for the journal to keep. Chosen by
//! `TILLROLL_DISPATCHER_LOG`, in the syntax of tracing's filters; `info` without it.

use std::io;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;

use crate::failure::Failure;

/// Starts the log.
///
/// # Errors
/// When there is one already.
pub fn start() -> Result<(), Failure> {
    let filter = EnvFilter::builder()
        .with_default_directive(LevelFilter::INFO.into())
        .with_env_var("TILLROLL_DISPATCHER_LOG")
        .from_env_lossy();
    let log = tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(io::stderr);
    log.try_init().map_err(io::Error::other).map_err(Failure::system("start the log"))
}
