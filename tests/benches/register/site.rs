//! A register in this process, served over HTTP on a port of its own, as `tillctl serve` does it.

use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_register::http::{HttpSettings, serve};
use tillroll_register::view::PrinterBody;
use tillroll_register::{Register, RegisterOptions};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::settings::{PROFILE, settings};

/// A step of the bounded wait.
const LOOK: Duration = Duration::from_millis(1);

/// A running register with one printer.
pub struct Site {
    runtime: Runtime,
    register: Register,
    /// Where its API is.
    pub address: SocketAddr,
    /// The owner's token.
    pub token: String,
    _folder: TempDir,
}

impl Site {
    /// Starts a register in a new folder under `folder`, with a printer at a TCP address.
    pub fn open(folder: &Path, printer: SocketAddr) -> Result<Self> {
        let folder = tempfile::tempdir_in(folder)?;
        let data = folder.path().join("data");
        let runtime = Runtime::new().context("runtime")?;
        let (register, address, token) = runtime.block_on(start(&data, printer))?;
        Ok(Self { runtime, register, address, token, _folder: folder })
    }

    /// Commits of its database so far.
    pub fn commits(&self) -> u64 {
        self.register.store().health().commits
    }

    /// Waits until no job is open and its printer's worker has nothing to do.
    pub fn wait_idle(&self, limit: Duration) -> Result<()> {
        let begun = Instant::now();
        while self.open_jobs()? > 0 {
            ensure!(begun.elapsed() < limit, "jobs are still open");
            thread::sleep(LOOK);
        }
        // The worker offers itself to the next receipt right after its commit.
        thread::sleep(LOOK);
        Ok(())
    }

    fn open_jobs(&self) -> Result<i64> {
        let counts = self.runtime.block_on(self.register.store().open_counts(1))?;
        Ok(counts.into_iter().map(|(_, count)| count).sum())
    }

    /// Stops it in order.
    pub fn close(self) {
        self.runtime.block_on(self.register.stop());
    }
}

async fn start(data: &Path, printer: SocketAddr) -> Result<(Register, SocketAddr, String)> {
    let token_file = Register::init(data, settings()?).await?;
    let token = std::fs::read_to_string(token_file)?.trim().to_owned();
    let register = Register::start(data, RegisterOptions::default()).await?;
    register.add_printer("front", &at(printer)).await.context("printer")?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let never = std::future::pending();
    tokio::spawn(serve(register.clone(), listener, HttpSettings::default(), never));
    Ok((register, address, token))
}

fn at(printer: SocketAddr) -> PrinterBody {
    PrinterBody {
        uri: Some(format!("tcp://{printer}")),
        profile: Some(PROFILE.to_owned()),
        columns: None,
        level: Some(ConfirmationLevel::Token),
        unproven: Some(Unproven::Ask),
        drawer_pin: None,
    }
}
