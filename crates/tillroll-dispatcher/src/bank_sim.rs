//! A simulated bank: a channel with a ledger of its own, and with every fault a channel can have. For trying
//! out and for tests; it moves no money.
//!
//! Invariants:
//! - Its ledger is on disk and outlives it; a payment is looked up, made and answered from one transaction.
//! - An id is paid once, whatever comes: with [`BankFaults::without_memory`] even that is switched off, so that a
//!   test can see it be missed.

mod api;
mod faults;
mod ledger;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::clock::Clock;
use tillroll_http::{Server, ServerSettings};
use tillroll_sqlite::OpenError;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::api::Bank;
pub use self::faults::BankFaults;
use self::ledger::Ledger;
pub use self::ledger::{BankFailure, LedgerSums};
use crate::payments::Seal;

/// With what a bank starts.
pub struct BankOptions {
    /// Its folder; made where it is missing.
    pub data: PathBuf,
    /// Where it listens.
    pub listen: SocketAddr,
    /// The secret shared with whoever pays.
    pub seal: Seal,
    /// What goes wrong from the start.
    pub faults: BankFaults,
    /// Its clock.
    pub clock: Arc<dyn Clock>,
    /// Random numbers that need not be secret.
    pub random: fn() -> u32,
}

/// Why a bank does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BankError {
    /// Its folder cannot be made, or its address not listened at.
    #[error("the bank cannot start: {0}")]
    Io(#[from] io::Error),
    /// Its ledger does not open.
    #[error(transparent)]
    Ledger(#[from] OpenError),
}

/// A bank that runs.
pub struct BankSim {
    address: SocketAddr,
    bank: Arc<Bank>,
    ending: CancellationToken,
    server: JoinHandle<()>,
}

impl BankSim {
    /// Starts a bank; when it returns, it listens.
    ///
    /// # Errors
    /// [`BankError`].
    pub async fn start(options: BankOptions) -> Result<Self, BankError> {
        std::fs::create_dir_all(&options.data)?;
        let ledger = Ledger::open(&options.data.join("bank.db"))?;
        let listener = TcpListener::bind(options.listen).await?;
        let address = listener.local_addr()?;
        let (ending, running) = (CancellationToken::new(), TaskTracker::new());
        let bank = Arc::new(Bank::new(ledger, options));
        let server = Server {
            router: api::routes(Arc::clone(&bank)),
            settings: ServerSettings {
                connections: 512,
                header_timeout: Duration::from_secs(30),
                write_within: Duration::from_secs(30),
                end_within: Duration::from_secs(2),
                names_peer: false,
            },
            ending: ending.clone(),
            running,
        };
        let server = tokio::spawn(server.serve(listener));
        Ok(Self { address, bank, ending, server })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Changes what goes wrong.
    pub fn set_faults(&self, faults: BankFaults) {
        self.bank.set_faults(faults);
    }

    /// What its ledger adds up to.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn sums(&self) -> Result<LedgerSums, BankFailure> {
        self.bank.sums().await
    }

    /// Ends it; its ledger stays.
    pub async fn stop(self) {
        self.ending.cancel();
        if let Err(error) = self.server.await {
            tracing::error!(%error, "the bank ended before its time");
        }
        self.bank.close();
    }
}
