//! `tillroll-dispatcher`: the cloud side as a program.
//!
//! Exit codes: 0 done, 1 refused, 2 usage, 3 not reachable.

mod cli;
mod commands;
mod desk;
mod failure;
mod logs;
mod open_files;
mod output;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;

use self::cli::Cli;
use self::failure::Failure;

/// What still runs when a command has ended gets this long.
const WIND_DOWN: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(shown) => {
            // Whoever closed the pipe does not want the rest of the text.
            let _ = shown.print();
            return ExitCode::from(u8::try_from(shown.exit_code()).unwrap_or(2));
        }
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            output::failure(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::system("start the runtime"))?;
    let ended = runtime.block_on(cli.run());
    runtime.shutdown_timeout(WIND_DOWN);
    ended
}
