//! The real dispatcher as a process of its own, on a data folder that was made before.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use tillroll_tests::program;
use tokio::process::Child;
use tokio::time::timeout;

use tillroll_tests::process;

/// It ends in order within this.
const ENDS_WITHIN: Duration = Duration::from_secs(30);

/// A running dispatcher.
pub struct Program {
    /// Where its API listens.
    pub address: SocketAddr,
    child: Child,
    pid: u32,
}

impl Program {
    /// Starts it with a configuration; when this returns, it listens.
    pub async fn start(data: &Path, config: &str) -> Result<Self> {
        let file = data.with_extension("toml");
        std::fs::write(&file, config)?;
        let (data, file) = (data.display().to_string(), file.display().to_string());
        let arguments = ["serve", "--data", &data, "--config", &file, "--listen", "127.0.0.1:0"];
        let (child, address) = program::start_of(&program::dispatcher()?, &arguments).await?;
        let pid = child.id().context("it has ended")?;
        Ok(Self { address: address.parse()?, child, pid })
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// CPU time so far.
    pub fn cpu(&self) -> Result<Duration> {
        process::cpu(self.pid)
    }

    /// Memory held now.
    pub fn memory(&self) -> Result<u64> {
        process::memory(self.pid)
    }

    /// The most memory ever held.
    pub fn peak(&self) -> Result<u64> {
        process::peak(self.pid)
    }

    /// Ends it in order, so that the next start has nothing to examine.
    pub async fn stop(mut self) -> Result<()> {
        let pid = Pid::from_raw(i32::try_from(self.pid)?).context("no process")?;
        kill_process(pid, Signal::TERM)?;
        let status = timeout(ENDS_WITHIN, self.child.wait()).await??;
        ensure!(status.success(), "the dispatcher ended with {status}");
        Ok(())
    }
}
