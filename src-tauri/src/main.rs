//! `tillroll`: the register with a window.

use std::path::PathBuf;

use clap::Parser;
use tillroll_window::{Start, run};

/// The register with a window: prints every receipt of this till exactly once.
#[derive(Debug, Parser)]
#[command(name = "tillroll", version)]
struct Cli {
    /// The register's data folder; without it the user's own.
    #[arg(long, env = "TILLROLL_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// Opens a training store: a temporary folder, a virtual printer, sales that come by themselves.
    #[arg(long, conflicts_with = "data")]
    training: bool,
    /// Starts without showing the window, as at log-in.
    #[arg(long)]
    hidden: bool,
}

fn main() -> anyhow::Result<()> {
    let Cli { data, training, hidden } = Cli::parse();
    run(Start { data: data.filter(|_| !training), training, hidden })
}
