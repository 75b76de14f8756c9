//! `serve`: runs the dispatcher of a folder until it is asked to stop.

use std::net::SocketAddr;

use clap::Args;
use serde::Serialize;
use tillroll_dispatcher::{Dispatcher, DispatcherOptions};
use tillroll_machine::StopSignals;

use crate::desk::Desk;
use crate::failure::Failure;
use crate::{logs, open_files, output};

const LINE: &str = "\
The line on standard output:
  {\"listening\":\"127.0.0.1:9320\"}";

/// Runs the dispatcher of a data folder.
///
/// The only line on standard output says where it listens. Logs go to standard error. SIGINT and SIGTERM
/// stop it in order within 3 s; a second signal stops it at once. One program at a time runs the dispatcher
/// of a folder.
#[derive(Debug, Args)]
#[command(after_long_help = LINE)]
pub struct Serve {
    /// Where the API listens, in place of the configured address. Port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
}

/// The one line on standard output.
#[derive(Serialize)]
struct Listening {
    listening: SocketAddr,
}

impl Serve {
    /// Runs until a signal comes.
    ///
    /// # Errors
    /// [`Failure::Start`]; trouble after that is logged.
    pub async fn run(self, desk: Desk) -> Result<(), Failure> {
        let mut signals = StopSignals::listen().map_err(Failure::system("listen for signals"))?;
        logs::start()?;
        let folder = desk.folder()?;
        let mut config = desk.config;
        config.listen = self.listen.unwrap_or(config.listen);
        open_files::raise(u64::from(config.http.connections) + u64::from(config.http.channels));
        let options = DispatcherOptions::new(folder.path(), config);
        let dispatcher = Dispatcher::start(options).await?;
        output::json(&Listening { listening: dispatcher.address() })?;
        signals.next().await;
        tracing::info!("asked to stop");
        tokio::select! {
            () = dispatcher.stop() => {}
            () = signals.next() => tracing::warn!("stopped at once"),
        }
        Ok(())
    }
}
