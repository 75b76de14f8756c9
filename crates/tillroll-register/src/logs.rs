//! The log of a register that runs: files of bounded size in `DIR/logs`, and warnings on a terminal.
//!
//! What is logged is chosen by `TILLROLL_LOG`, in the syntax of tracing's filters; `info` without it.

mod rolled_file;

use std::io::{self, IsTerminal as _};
use std::panic;
use std::path::{Path, PathBuf};

use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{NonBlocking, WorkerGuard};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, fmt};

use self::rolled_file::RolledFile;

/// Writes the last lines when it is dropped.
#[must_use = "the log ends when this is dropped"]
pub struct LogGuard {
    _worker: WorkerGuard,
}

/// Where the logs of a data folder lie.
#[must_use]
pub fn folder_of(data: &Path) -> PathBuf {
    data.join("logs")
}

/// Logs to the data folder's files until the guard is dropped; panics go there too.
///
/// # Errors
/// When the log folder cannot be used.
pub fn start(data: &Path) -> io::Result<LogGuard> {
    let file = RolledFile::open(&folder_of(data))?;
    let (writer, worker) = NonBlocking::new(file);
    let filter = EnvFilter::builder()
        .with_default_directive(LevelFilter::INFO.into())
        .with_env_var("TILLROLL_LOG")
        .from_env_lossy();
    let to_file = fmt::layer().with_ansi(false).with_writer(writer).with_filter(filter);
    let to_terminal = io::stderr().is_terminal().then(|| {
        fmt::layer().compact().without_time().with_writer(io::stderr).with_filter(LevelFilter::WARN)
    });
    let started = tracing_subscriber::registry().with(to_file).with(to_terminal).try_init();
    started.map_err(io::Error::other)?;
    panic::set_hook(Box::new(log_panic));
    Ok(LogGuard { _worker: worker })
}

fn log_panic(panic: &panic::PanicHookInfo<'_>) {
    let message = panic.payload_as_str().unwrap_or("a panic without a message");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let trace = std::backtrace::Backtrace::force_capture();
    tracing::error!(panic.place = %place, panic.trace = %trace, "panicked: {message}");
}
