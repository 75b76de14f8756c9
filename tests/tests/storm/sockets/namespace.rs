//! A network namespace for the tills: a cable to this machine on which packets get lost, for real.

use std::fmt::Display;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// The cable's ends: the cloud here, the tills there.
const CLOUD: &str = "10.77.0.1";
/// Before the number of the process that made it.
const NAME: &str = "tills-";
/// Each till has an address of its own to pair from.
const TILLS: u8 = 250;

/// The namespace and its cable; both go when it is dropped.
pub struct Namespace {
    name: String,
}

impl Namespace {
    /// Makes it, with that part of a hundred packets lost each way. Needs root.
    pub fn with_loss(percent: u32) -> Result<Self> {
        let namespace = Self::new()?;
        namespace.lose_each_way(percent)?;
        Ok(namespace)
    }

    /// Makes it, with a cable that loses nothing. Needs root.
    pub fn new() -> Result<Self> {
        clear_away()?;
        let namespace = Self { name: format!("{NAME}{}", std::process::id()) };
        let name = namespace.name.as_str();
        let id = std::process::id();
        let (here, there) = (cable(id, "c"), cable(id, "t"));
        ip(&["netns", "add", name])?;
        ip(&["link", "add", &here, "type", "veth", "peer", "name", &there, "netns", name])?;
        ip(&["addr", "add", &format!("{CLOUD}/24"), "dev", &here])?;
        ip(&["link", "set", &here, "up"])?;
        for host in 2..TILLS {
            namespace.ip(&["addr", "add", &format!("10.77.0.{host}/24"), "dev", &there])?;
        }
        namespace.ip(&["link", "set", &there, "up"])?;
        namespace.ip(&["link", "set", "lo", "up"])?;
        Ok(namespace)
    }

    /// From now on that part of a hundred packets is lost each way.
    pub fn lose_each_way(&self, percent: u32) -> Result<()> {
        ["INPUT", "OUTPUT"].iter().try_for_each(|chain| self.lose(chain, percent))
    }

    /// From now on so many bits a second pass each way, and what waits for longer than a second is lost.
    pub fn narrow(&self, kbit: u32) -> Result<()> {
        let (id, rate) = (std::process::id(), format!("{kbit}kbit"));
        let shaping = ["root", "tbf", "rate", &rate, "burst", "16kb", "latency", "1s"];
        let (here, there) = (cable(id, "c"), cable(id, "t"));
        run(Command::new("tc").args(["qdisc", "add", "dev", &here]).args(shaping))?;
        let mut tc = self.command("tc".as_ref());
        run(tc.args(["qdisc", "add", "dev", &there]).args(shaping))
    }

    /// Where the cloud listens.
    pub fn cloud(&self) -> &'static str {
        CLOUD
    }

    /// A program that runs among the tills.
    pub fn command(&self, program: &std::path::Path) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name]).arg(program);
        command
    }

    fn lose(&self, chain: &str, percent: u32) -> Result<()> {
        let chance = format!("0.{percent:02}");
        let rule = ["-A", chain, "-m", "statistic", "--mode", "random", "--probability", &chance];
        run(self.command("iptables".as_ref()).args(rule).args(["-j", "DROP"]))
    }

    fn ip(&self, arguments: &[&str]) -> Result<()> {
        run(self.command("ip".as_ref()).args(arguments))
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // What is left of them is cleared away by the next.
        let _ = remove(&self.name, std::process::id());
    }
}

/// Namespaces of processes that were killed: their cables have the same addresses.
fn clear_away() -> Result<()> {
    let list = Command::new("ip").args(["netns", "list"]).output()?;
    let list = String::from_utf8_lossy(&list.stdout);
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    for name in names {
        let Some(process) = name.strip_prefix(NAME) else { continue };
        if !std::path::Path::new("/proc").join(process).exists() {
            remove(name, process)?;
        }
    }
    Ok(())
}

/// Takes away what a process made. The cable first: it would go with the namespace, but later, and until then the
/// next one's addresses would lead into it.
fn remove(name: &str, process: impl Display) -> Result<()> {
    let cable = cable(process, "c");
    if std::path::Path::new("/sys/class/net").join(&cable).exists() {
        ip(&["link", "del", &cable])?;
    }
    ip(&["netns", "del", name])
}

fn cable(process: impl Display, end: &str) -> String {
    format!("tr{process}{end}")
}

fn ip(arguments: &[&str]) -> Result<()> {
    run(Command::new("ip").args(arguments))
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {said}");
    Ok(())
}
