//! The command line: what can be asked, and who does it.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::api::Api;
use crate::commands::{
    answer, client, cloud, day, init, job, limits, notice, openapi, pair, paper, printer, rejected,
    route, serve, splits, submit, todo,
};
use crate::data_folder::DataFolder;
use crate::demo;
use crate::failure::Failure;
use crate::output::Output;
use crate::shop::Shop;

const EXAMPLES: &str = "\
Set up and run:
  tillctl init --data ./till --store S1 --register R1 \\
      --zone Asia/Shanghai --cutoff 04:00 --currency CNY
  tillctl serve --data ./till &
  export TILLROLL_DATA=./till
  tillctl printer add front --uri tcp://192.168.1.50:9100

Sell and look:
  tillctl submit receipt.json
  tillctl job S1:20261009-000123:receipt:v1
  tillctl todo
  tillctl on-paper S1:20261009-000123:receipt:v1
  tillctl day today

With a head office:
  tillctl pair 7QK4-M2XD-9TBC --url https://dispatch.example.com
  tillctl cloud
  tillctl splits day today

Without a printer, or without anything:
  tillctl paper --out ./paper
  tillctl demo

Exit codes: 0 done, 1 refused (the problem is printed), 2 usage, 3 register not reachable.";

/// Runs and asks the register: receipts go in, paper comes out exactly once.
///
/// `init` makes a data folder and `serve` runs the register on it. Every other command but `paper` and
/// `demo` speaks to the running register, which it finds through the data folder.
#[derive(Debug, Parser)]
#[command(name = "tillctl", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(arg_required_else_help = true, subcommand_required = true)]
pub struct Cli {
    /// The register's data folder.
    #[arg(long, global = true, env = "TILLROLL_DATA", value_name = "DIR", display_order = 900)]
    data: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Init),
    Serve(serve::Serve),
    #[command(subcommand)]
    Printer(printer::Printer),
    #[command(subcommand)]
    Route(route::Route),
    Submit(submit::Submit),
    Job(job::Job),
    Jobs(job::Jobs),
    Todo(todo::Todo),
    #[command(flatten)]
    Answer(answer::Answer),
    Day(day::Day),
    #[command(subcommand)]
    Splits(splits::Splits),
    #[command(subcommand)]
    Client(client::Client),
    #[command(subcommand)]
    Rejected(rejected::Rejected),
    #[command(subcommand)]
    Notice(notice::Notice),
    #[command(subcommand)]
    Limits(limits::Limits),
    Pair(pair::Pair),
    Cloud(cloud::Cloud),
    Openapi(openapi::Openapi),
    Paper(paper::Paper),
    Demo(demo::Demo),
}

/// A running register, and how its store writes amounts and times.
pub struct Desk<'a> {
    /// Its API.
    pub api: Api,
    /// Its store.
    pub shop: Shop,
    /// Where the command writes.
    pub output: &'a Output,
}

impl Cli {
    /// Does what was asked.
    ///
    /// # Errors
    /// [`Failure`], with the exit code that belongs to it.
    pub async fn run(self, output: &Output) -> Result<(), Failure> {
        let data = self.data;
        match self.command {
            Command::Init(init) => init.run(&DataFolder::named(data)?, output).await,
            Command::Serve(serve) => serve.run(&DataFolder::named(data)?, output).await,
            Command::Openapi(openapi) => openapi.run(output),
            Command::Paper(paper) => paper.run(output).await,
            Command::Demo(demo) => demo.run(output).await,
            Command::Printer(printer) => printer.run(&Desk::of(data, output)?).await,
            Command::Route(route) => route.run(&Desk::of(data, output)?).await,
            Command::Submit(submit) => submit.run(&Desk::of(data, output)?).await,
            Command::Job(job) => job.run(&Desk::of(data, output)?).await,
            Command::Jobs(jobs) => jobs.run(&Desk::of(data, output)?).await,
            Command::Todo(todo) => todo.run(&Desk::of(data, output)?).await,
            Command::Answer(answer) => answer.run(&Desk::of(data, output)?).await,
            Command::Day(day) => day.run(&Desk::of(data, output)?).await,
            Command::Splits(splits) => splits.run(&Desk::of(data, output)?).await,
            Command::Client(client) => client.run(&Desk::of(data, output)?).await,
            Command::Rejected(rejected) => rejected.run(&Desk::of(data, output)?).await,
            Command::Notice(notice) => notice.run(&Desk::of(data, output)?).await,
            Command::Limits(limits) => limits.run(&Desk::of(data, output)?).await,
            Command::Pair(pair) => pair.run(&Desk::of(data, output)?).await,
            Command::Cloud(cloud) => cloud.run(&Desk::of(data, output)?).await,
        }
    }
}

impl<'a> Desk<'a> {
    fn of(data: Option<PathBuf>, output: &'a Output) -> Result<Self, Failure> {
        let folder = DataFolder::named(data)?;
        Ok(Self { api: Api::of(&folder)?, shop: Shop::of(folder.settings()?)?, output })
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn data_folder_may_be_named_after_any_subcommand() {
        for words in ["jobs --data d", "printer list --data d", "day close today --data d"] {
            let words = std::iter::once("tillctl").chain(words.split(' '));
            let cli = Cli::try_parse_from(words).unwrap();
            assert_eq!(cli.data, Some(PathBuf::from("d")));
        }
    }

    #[test]
    fn every_command_says_what_it_does() {
        assert_described(&Cli::command());
    }

    fn assert_described(command: &clap::Command) {
        assert!(command.get_about().is_some(), "{} has no description", command.get_name());
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{argument} of {}", command.get_name());
        }
        command.get_subcommands().for_each(assert_described);
    }
}
