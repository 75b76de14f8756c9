//! A node of the dispatcher as a process: killed, frozen, ended, and started again at the same address. Its Redis
//! lies behind a proxy of its own, so that it can lose Redis alone.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use tillroll_testkit::{Break, ChaosProxy};
use tillroll_tests::program;
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// With this set, nodes tell what they log.
const SHOW: &str = "TILLROLL_STORM_SHOW";
/// A node ends in order within this.
const ENDS_WITHIN: Duration = Duration::from_secs(30);

/// A node's place: its program comes and goes.
pub struct Node {
    address: SocketAddr,
    config: PathBuf,
    data: PathBuf,
    redis: ChaosProxy,
    child: Option<Child>,
}

impl Node {
    /// Starts a node at a free port.
    pub async fn start(no: usize, folder: &Path, database: &str, redis: u16) -> Result<Self> {
        let redis = ChaosProxy::start((Ipv4Addr::LOCALHOST, redis).into()).await?;
        let data = folder.join(format!("node-{no}"));
        let config = data.with_extension("toml");
        // Each printer has many times the jobs of a published one: the results alone set the pace.
        let set = format!(
            "behind_tls_proxy = true\ndatabase = '{database}'\nredis = 'redis://{}'\n\
             [schedule]\nrecovery_every_ms = 0\n",
            redis.address()
        );
        std::fs::write(&config, set)?;
        let address = (Ipv4Addr::LOCALHOST, 0).into();
        let mut node = Self { address, config, data, redis, child: None };
        node.run().await?;
        Ok(node)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Starts its program; when this returns, it listens.
    pub async fn run(&mut self) -> Result<()> {
        let is_shown = std::env::var_os(SHOW).is_some();
        let mut child = Command::new(program::dispatcher()?)
            .args(["serve", "--listen", &self.address.to_string()])
            .arg("--data")
            .arg(&self.data)
            .arg("--config")
            .arg(&self.config)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if is_shown { Stdio::inherit() } else { Stdio::null() })
            .kill_on_drop(true)
            .spawn()?;
        self.address = program::listening(&mut child).await?.parse()?;
        self.child = Some(child);
        Ok(())
    }

    /// kill -9.
    pub async fn kill(&mut self) -> Result<()> {
        let mut child = self.child.take().context("it does not run")?;
        Ok(child.kill().await?)
    }

    /// Ends it in order.
    pub async fn end(&mut self) -> Result<()> {
        self.signal(Signal::TERM)?;
        let mut child = self.child.take().context("it does not run")?;
        let status = timeout(ENDS_WITHIN, child.wait()).await??;
        ensure!(status.success(), "the node ended with {status}");
        Ok(())
    }

    /// It stands still.
    pub fn freeze(&self) -> Result<()> {
        self.signal(Signal::STOP)
    }

    /// It goes on.
    pub fn thaw(&self) -> Result<()> {
        self.signal(Signal::CONT)
    }

    /// Nothing passes between it and Redis, and no connection can be made.
    pub async fn cut_from_redis(&self) {
        self.redis.refuse(true).await;
        self.redis.sever(Break::Stall);
    }

    /// Connections to Redis can be made again.
    pub async fn back_to_redis(&self) {
        self.redis.refuse(false).await;
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        let id = self.child.as_ref().and_then(Child::id).context("it does not run")?;
        let pid = Pid::from_raw(i32::try_from(id)?).context("no process")?;
        Ok(kill_process(pid, signal)?)
    }
}
