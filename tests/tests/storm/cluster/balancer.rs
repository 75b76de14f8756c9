//! HAProxy before the nodes, with the configuration that the documentation shows.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

/// The example, whose addresses are another machine's.
const EXAMPLE: &str = include_str!("../../../../docs/examples/haproxy.cfg");
/// Ports that somebody else may take in between.
const TRIES: usize = 5;
const STARTS_WITHIN: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(10);

/// A running balancer; it ends when it is dropped.
pub struct Balancer {
    address: SocketAddr,
    _child: Child,
}

impl Balancer {
    /// Starts one before nodes.
    pub async fn before(nodes: &[SocketAddr], folder: &Path) -> Result<Self> {
        let config = folder.join("haproxy.cfg");
        for _ in 0..TRIES {
            let address = free_address().await?;
            std::fs::write(&config, configuration(address, nodes))?;
            if let Some(balancer) = Self::start(&config, address).await? {
                return Ok(balancer);
            }
        }
        let said = std::fs::read_to_string(config.with_extension("log"))?;
        anyhow::bail!("HAProxy does not start: {said}")
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// None when it ended at once.
    async fn start(config: &Path, address: SocketAddr) -> Result<Option<Self>> {
        let program = ["/usr/sbin/haproxy", "haproxy"].into_iter().find(|path| is_there(path));
        let program = program.context("haproxy is not installed: `make tools` installs it")?;
        let mut command = Command::new(program);
        command.arg("-db").arg("-f").arg(config).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(File::create(config.with_extension("log"))?).kill_on_drop(true);
        let mut child = command.spawn()?;
        let began = Instant::now();
        while TcpStream::connect(address).await.is_err() {
            if child.try_wait()?.is_some() {
                return Ok(None);
            }
            ensure!(began.elapsed() < STARTS_WITHIN, "HAProxy does not listen at {address}");
            sleep(LOOK).await;
        }
        Ok(Some(Self { address, _child: child }))
    }
}

/// A path, or a program on the search path.
fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).exists())
}

async fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?.local_addr()?)
}

/// The example with other addresses, and without TLS.
fn configuration(address: SocketAddr, nodes: &[SocketAddr]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in EXAMPLE.lines() {
        match line.split_whitespace().next() {
            Some("bind") => lines.push(format!("    bind {address}")),
            Some("server") => {}
            _ => lines.push(line.to_owned()),
        }
    }
    let servers = nodes.iter().enumerate();
    lines.extend(servers.map(|(no, node)| format!("    server node{} {node}", no + 1)));
    lines.join("\n") + "\n"
}

#[test]
fn example_keeps_all_but_its_addresses() {
    let node = SocketAddr::from(([127, 0, 0, 1], 4000));
    let made = configuration(([127, 0, 0, 1], 3000).into(), &[node]);
    let changed = made.lines().filter(|line| !EXAMPLE.lines().any(|shown| shown == *line));
    assert_eq!(
        changed.map(str::trim).collect::<Vec<_>>(),
        ["bind 127.0.0.1:3000", "server node1 127.0.0.1:4000"]
    );
}
