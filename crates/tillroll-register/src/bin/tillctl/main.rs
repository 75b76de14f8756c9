//! `tillctl`: the register on the command line.
//!
//! `init`, `serve`, `paper` and `demo` work by themselves; everything else speaks to a running register
//! over its HTTP API, which it finds through the data folder. Exit codes: 0 done, 1 refused,
//! 2 usage, 3 not reachable.

mod api;
mod cli;
mod commands;
mod data_folder;
mod demo;
mod failure;
mod output;
mod shop;
mod table;
mod words;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;

use self::cli::Cli;
use self::failure::Failure;
use self::output::Output;

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
    let output = Output::of_process();
    match run(cli, &output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            // With standard error closed too there is nobody left to tell.
            let _ = output.failure(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(cli: Cli, output: &Output) -> Result<(), Failure> {
    let runtime = tokio::runtime::Runtime::new().map_err(Failure::file("start", "the runtime"))?;
    let ended = runtime.block_on(cli.run(output));
    runtime.shutdown_timeout(WIND_DOWN);
    ended
}
