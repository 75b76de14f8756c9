//! The command line: what can be asked, and who does it.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands::{
    api_key, bank_sim, config, counters, jobs, migrate, openapi, register, serve, splits, store,
    tenant,
};
use crate::desk::{self, Desk};
use crate::failure::Failure;

const EXAMPLES: &str = "\
Set up and run:
  export TILLROLL_DISPATCHER_DATA=./cloud
  tillroll-dispatcher serve &
  tillroll-dispatcher tenant add 'Old Wang'
  tillroll-dispatcher store add --tenant 'Old Wang' --code S1 --name 'Old Wang 1'
  tillroll-dispatcher register add --store st_... R1
  tillroll-dispatcher api-key add --tenant 'Old Wang' --store st_... platform

Look:
  tillroll-dispatcher jobs --store st_... --state parked
  tillroll-dispatcher api-key given-up

While `serve` runs, the other commands ask it over the socket DIR/admin.sock, which the folder's owner
alone can reach. When it does not, they take the folder's lock and work on the database themselves. Where
`database` names a PostgreSQL database they always work on that, and need no folder.

Exit codes: 0 done, 1 refused, 2 usage, 3 the running dispatcher does not answer.";

/// Takes print jobs from business systems and pushes each to the register that prints it.
#[derive(Debug, Parser)]
#[command(name = "tillroll-dispatcher", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(arg_required_else_help = true, subcommand_required = true)]
pub struct Cli {
    /// The data folder; made where it is missing.
    #[arg(
        long,
        global = true,
        env = "TILLROLL_DISPATCHER_DATA",
        value_name = "DIR",
        display_order = 900
    )]
    data: Option<PathBuf>,
    /// The configuration file; the defaults without it. TILLROLL_DISPATCHER_... variables win over it.
    #[arg(
        long,
        global = true,
        env = "TILLROLL_DISPATCHER_CONFIG",
        value_name = "FILE",
        display_order = 901
    )]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Migrate(migrate::Migrate),
    CheckConfig(config::CheckConfig),
    PrintDefaultConfig(config::PrintDefaultConfig),
    #[command(subcommand)]
    Tenant(tenant::Tenant),
    #[command(subcommand)]
    Store(store::Store),
    #[command(subcommand)]
    Register(register::Register),
    #[command(subcommand)]
    ApiKey(api_key::ApiKey),
    Jobs(jobs::Jobs),
    #[command(subcommand)]
    Counters(counters::Counters),
    #[command(subcommand)]
    Splits(splits::Splits),
    BankSim(bank_sim::BankSim),
    Openapi(openapi::Openapi),
}

impl Cli {
    /// Does what was asked.
    ///
    /// # Errors
    /// [`Failure`], with the exit code that belongs to it.
    pub async fn run(self) -> Result<(), Failure> {
        let desk = || Desk::of(self.data, self.config.clone());
        match self.command {
            Command::Serve(serve) => serve.run(desk()?).await,
            Command::Migrate(migrate) => migrate.run(&desk()?).await,
            Command::CheckConfig(check) => check.run(desk::load(self.config)),
            Command::PrintDefaultConfig(print) => print.run(),
            Command::Tenant(tenant) => tenant.run(&desk()?).await,
            Command::Store(store) => store.run(&desk()?).await,
            Command::Register(register) => register.run(&desk()?).await,
            Command::ApiKey(api_key) => api_key.run(&desk()?).await,
            Command::Jobs(jobs) => jobs.run(&desk()?).await,
            Command::Counters(counters) => counters.run(&desk()?).await,
            Command::Splits(splits) => splits.run(&desk()?).await,
            Command::BankSim(bank) => bank.run().await,
            Command::Openapi(openapi) => openapi.run(),
        }
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
