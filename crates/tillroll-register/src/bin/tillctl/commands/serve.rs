//! `serve`: runs the register of a folder without a window, until it is asked to stop.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tillroll_register::http::{self, HttpSettings};
use tillroll_register::{Register, RegisterOptions};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::logging;
use crate::output::Output;
use crate::signals::StopSignals;

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
        let mut signals = StopSignals::listen()?;
        // A folder without a register is left as it is. The guard writes the last lines when it is dropped.
        let _logs = folder.holds_register().then(|| logging::start(folder.path())).transpose()?;
        let register = Register::start(folder.path(), RegisterOptions::default()).await?;
        let stop = CancellationToken::new();
        let opened = self.open(&register, folder, output, &stop).await;
        let mut api = match opened {
            Ok(api) => api,
            Err(failure) => {
                register.stop().await;
                return Err(failure);
            }
        };
        tokio::select! {
            () = signals.next() => tracing::info!("asked to stop"),
            ended = &mut api => tracing::error!(?ended, "the API ended by itself"),
        }
        folder.withdraw();
        stop.cancel();
        tokio::select! {
            () = stop_in_order(register, api) => {}
            () = signals.next() => tracing::warn!("stopped at once"),
        }
        Ok(())
    }

    /// Opens the API and tells where it is.
    async fn open(
        self,
        register: &Register,
        folder: &DataFolder,
        output: &Output,
        stop: &CancellationToken,
    ) -> Result<JoinHandle<io::Result<()>>, Failure> {
        let listener = self.bind().await?;
        let listening = listener.local_addr().map_err(Failure::file("listen at", "the address"))?;
        folder.announce(listening)?;
        let settings =
            HttpSettings { allowed_origins: self.allowed_origins, ..HttpSettings::default() };
        let stopped = stop.clone().cancelled_owned();
        let api = tokio::spawn(http::serve(register.clone(), listener, settings, stopped));
        let version = env!("CARGO_PKG_VERSION");
        tracing::info!(%listening, version, "the register listens at {listening}");
        let token_file = folder.token_file().display().to_string();
        output.json(&Listening { listening, token_file })?;
        Ok(api)
    }

    async fn bind(&self) -> Result<TcpListener, Failure> {
        let address = self.listen;
        TcpListener::bind(address).await.map_err(|source| Failure::Listen { address, source })
    }
}

/// First the API, so that nothing new comes in, then the printers.
async fn stop_in_order(register: Register, api: JoinHandle<io::Result<()>>) {
    let in_order = async {
        if !api.is_finished() {
            let _ = api.await;
        }
        register.stop().await;
    };
    match timeout(STOP_WITHIN, in_order).await {
        Ok(()) => tracing::info!("stopped in order"),
        Err(_) => tracing::warn!("not stopped in time; the next start judges what was open"),
    }
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr =
        text.parse().map_err(|_| "must be an address with a port, such as 127.0.0.1:9317")?;
    let outside =
        "must be a loopback address: the API has no encryption, so it stays on this machine";
    if address.ip().is_loopback() { Ok(address) } else { Err(outside.to_owned()) }
}
