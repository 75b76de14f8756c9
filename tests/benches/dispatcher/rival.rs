//! Rivals in processes of their own: this program, started again with an errand.

use std::process::Stdio;

use anyhow::{Context as _, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::alone::Alone;
use crate::relay::Relay;
use crate::sleepers::Sleepers;
use crate::sockets::Sockets;

/// Where the errand stands.
const ERRAND: &str = "TILLROLL_BENCH_RIVAL";

/// What a rival does.
#[derive(Debug, Serialize, Deserialize)]
pub enum Rival {
    /// One sleeping task a job.
    Sleepers(Sleepers),
    /// The schedule without the program around it.
    Alone(Alone),
    /// Bare WebSockets that are held.
    Sockets(Sockets),
    /// Orders that are passed on, and nothing behind it.
    Relay(Relay),
}

/// The rival this process is, if it is one.
pub fn wanted() -> Option<Rival> {
    serde_json::from_str(&std::env::var(ERRAND).ok()?).ok()
}

impl Rival {
    /// Does its errand; what it found goes to standard output, a line each.
    pub fn run(self) -> Result<()> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            match self {
                Self::Sleepers(sleepers) => sleepers.run().await,
                Self::Alone(alone) => alone.run().await,
                Self::Sockets(sockets) => sockets.run().await,
                Self::Relay(relay) => relay.run().await,
            }
        })
    }

    /// Starts it.
    pub fn start(&self) -> Result<Running> {
        let mut child = Command::new(std::env::current_exe()?)
            .env(ERRAND, serde_json::to_string(self)?)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let said = child.stdout.take().context("no standard output")?;
        let pid = child.id().context("it has ended")?;
        Ok(Running { pid, said: BufReader::new(said).lines(), _child: child })
    }
}

/// A rival that runs. Dropping it ends it.
pub struct Running {
    /// Its process.
    pub pid: u32,
    said: Lines<BufReader<ChildStdout>>,
    _child: Child,
}

impl Running {
    /// The next thing it says.
    pub async fn said<T: DeserializeOwned>(&mut self) -> Result<T> {
        let line = self.said.next_line().await?.context("the rival ended")?;
        Ok(serde_json::from_str(&line)?)
    }
}
