//! A register with its local HTTP API, announced in the data folder, until it is stopped.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::http::{self, HttpSettings};
use crate::{BootError, Endpoint, Register, RegisterOptions};

/// Where POS programs expect the API.
pub const USUAL_ADDRESS: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 9317);

/// Where and how the API is offered.
#[derive(Debug, Clone)]
pub struct HostSettings {
    /// The address wished for.
    pub address: SocketAddr,
    /// Any free port will do when that one is taken: a till must print.
    pub or_any_port: bool,
    /// Bounds of the API, and which web pages may use it.
    pub http: HttpSettings,
}

impl Default for HostSettings {
    fn default() -> Self {
        Self { address: USUAL_ADDRESS, or_any_port: true, http: HttpSettings::default() }
    }
}

/// Why a register is not hosted.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The register does not start.
    #[error(transparent)]
    Boot(#[from] BootError),
    /// An address cannot be listened at, or the announcement cannot be written.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
}

/// A register that runs with its API.
pub struct Host {
    register: Register,
    address: SocketAddr,
    ending: CancellationToken,
    api: JoinHandle<io::Result<()>>,
}

impl Host {
    /// Runs the register of a folder and its API.
    ///
    /// # Errors
    /// [`HostError`]; nothing runs then.
    pub async fn start(
        folder: &Path,
        options: RegisterOptions,
        settings: HostSettings,
    ) -> Result<Self, HostError> {
        let register = Register::start(folder, options).await?;
        let address = settings.address;
        match open(&register, settings).await {
            Ok((address, ending, api)) => Ok(Self { register, address, ending, api }),
            Err(source) => {
                register.stop().await;
                Err(HostError::Listen { address, source })
            }
        }
    }

    /// The register.
    #[must_use]
    pub fn register(&self) -> &Register {
        &self.register
    }

    /// Where its API listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until the API ends by itself, which it should not.
    pub async fn ended(&mut self) {
        let ended = (&mut self.api).await;
        tracing::error!(?ended, "the API ended by itself");
    }

    /// Stops within a limit: first the API, so that nothing new comes in, then the printers. What is not
    /// done by then is judged at the next start, as after a crash.
    pub async fn stop(self, within: Duration) {
        Endpoint::withdraw(self.register.folder());
        self.ending.cancel();
        let in_order = async {
            if !self.api.is_finished() {
                let _ = self.api.await;
            }
            self.register.stop().await;
        };
        match timeout(within, in_order).await {
            Ok(()) => tracing::info!("stopped in order"),
            Err(_) => tracing::warn!("not stopped in time; the next start judges what was open"),
        }
    }
}

type Opened = (SocketAddr, CancellationToken, JoinHandle<io::Result<()>>);

async fn open(register: &Register, settings: HostSettings) -> io::Result<Opened> {
    let listener = bind(settings.address, settings.or_any_port).await?;
    let address = listener.local_addr()?;
    Endpoint { address }.announce(register.folder())?;
    let ending = CancellationToken::new();
    let stopped = ending.clone().cancelled_owned();
    let api = http::serve(register.clone(), listener, settings.http, stopped);
    let version = env!("CARGO_PKG_VERSION");
    tracing::info!(listening = %address, version, "the register listens at {address}");
    Ok((address, ending, tokio::spawn(api)))
}

async fn bind(address: SocketAddr, or_any_port: bool) -> io::Result<TcpListener> {
    match TcpListener::bind(address).await {
        Err(error) if or_any_port && error.kind() == io::ErrorKind::AddrInUse => {
            TcpListener::bind((address.ip(), 0)).await
        }
        bound => bound,
    }
}
