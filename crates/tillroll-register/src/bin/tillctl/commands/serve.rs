//! `serve`: runs the register of a folder without a window, until it is asked to stop.

use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tillroll_machine::StopSignals;
use tillroll_register::http::HttpSettings;
use tillroll_register::logs::{self, LogGuard};
use tillroll_register::{Host, HostSettings, RegisterOptions};

use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::Output;

/// Stopping in order may take so long; what is not done then is judged at the next start, as after a crash.
const STOP_WITHIN: Duration = Duration::from_millis(4_500);

const LINE: &str = "\
The line on standard output:
  {\"listening\":\"127.0.0.1:9317\",\"token_file\":\"till/token\"}";

/// Runs the register of a data folder, with its local HTTP API.
///
/// The only line on standard output says where it listens and where the token lies. Logs go to DIR/logs.
/// SIGINT and SIGTERM stop it in order within 5 s; a second signal stops it at once. One program at a time
/// runs the register of a folder.
#[derive(Debug, Args)]
#[command(after_long_help = LINE)]
pub struct Serve {
    /// Where the API listens; a loopback address only. Port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9317", value_parser = loopback)]
    listen: SocketAddr,
    /// A web page that may call the API from a browser, such as `https://pos.example.com`. May be repeated.
    #[arg(long = "allow-origin", value_name = "URL")]
    allowed_origins: Vec<String>,
}

/// The one line on standard output.
#[derive(Serialize)]
struct Listening {
    listening: SocketAddr,
    token_file: String,
}

impl Serve {
    /// Runs until a signal comes.
    ///
    /// # Errors
    /// [`Failure::Boot`] or [`Failure::Listen`]; trouble after that is logged.
    pub async fn run(self, folder: &DataFolder, output: &Output) -> Result<(), Failure> {
        let mut signals = StopSignals::listen().map_err(Failure::file("listen for", "signals"))?;
        // A folder without a register is left as it is. The guard writes the last lines when it is dropped.
        let _logs = folder.holds_register().then(|| start_log(folder)).transpose()?;
        let options = RegisterOptions::default();
        let mut host = Host::start(folder.path(), options, self.settings()).await?;
        let token_file = folder.token_file().display().to_string();
        output.json(&Listening { listening: host.address(), token_file })?;
        tokio::select! {
            () = signals.next() => tracing::info!("asked to stop"),
            () = host.ended() => {}
        }
        tokio::select! {
            () = host.stop(STOP_WITHIN) => {}
            () = signals.next() => tracing::warn!("stopped at once"),
        }
        Ok(())
    }

    fn settings(self) -> HostSettings {
        let http =
            HttpSettings { allowed_origins: self.allowed_origins, ..HttpSettings::default() };
        HostSettings { address: self.listen, or_any_port: false, http }
    }
}

fn start_log(folder: &DataFolder) -> Result<LogGuard, Failure> {
    let logs = logs::folder_of(folder.path());
    logs::start(folder.path()).map_err(Failure::file("write to", &logs))
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr =
        text.parse().map_err(|_| "must be an address with a port, such as 127.0.0.1:9317")?;
    let outside =
        "must be a loopback address: the API has no encryption, so it stays on this machine";
    if address.ip().is_loopback() { Ok(address) } else { Err(outside.to_owned()) }
}
