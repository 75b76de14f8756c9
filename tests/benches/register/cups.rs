//! The peer: a private CUPS scheduler with one raw queue, measured by a client of its own (Python, one
//! kept IPP connection) that is its printer too.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use tempfile::TempDir;

use crate::printing::Total;

/// Its program.
pub const SCHEDULER: &str = "/usr/sbin/cupsd";
const SET_UP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/cups/scheduler.sh");
const MEASURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/cups/measure.py");
const QUEUE: &str = "tillroll-bench";
/// Jobs of a round: one at a time, and as fast as they go.
const SINGLE: u64 = 60;
const MANY: u64 = 200;
const STARTED_WITHIN: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);

/// A running scheduler.
pub struct Cups {
    scheduler: Child,
    port: u16,
    printer_port: u16,
    _folder: TempDir,
}

/// What the client prints.
#[derive(Deserialize)]
struct Measured {
    first_bytes_s: Vec<f64>,
    elapsed_s: f64,
    cpu_s: f64,
}

impl Cups {
    /// Starts it; `None` where it is missing, or for who is not root.
    pub fn start(folder: &Path) -> Result<Option<Self>> {
        if !Path::new(SCHEDULER).exists() || !rustix::process::geteuid().is_root() {
            return Ok(None);
        }
        let folder = tempfile::tempdir_in(folder)?;
        let (port, printer_port) = (free_port()?, free_port()?);
        let scheduler = Command::new("bash")
            .arg(SET_UP)
            .arg(folder.path())
            .arg(port.to_string())
            .spawn()
            .context("cupsd")?;
        let cups = Self { scheduler, port, printer_port, _folder: folder };
        cups.wait_started()?;
        cups.add_queue()?;
        Ok(Some(cups))
    }

    /// A round of both measurements.
    pub fn round(&mut self, total: &mut Total) -> Result<()> {
        let single = self.measure("single", SINGLE)?;
        for seconds in single.first_bytes_s {
            total.first_bytes.note(Duration::from_secs_f64(seconds));
        }
        let many = self.measure("many", MANY)?;
        total.jobs += MANY;
        total.elapsed += Duration::from_secs_f64(many.elapsed_s);
        total.cpu += Duration::from_secs_f64(many.cpu_s);
        Ok(())
    }

    fn measure(&self, how: &str, jobs: u64) -> Result<Measured> {
        let output = Command::new("python3")
            .arg(MEASURE)
            .args([self.port.to_string(), self.scheduler.id().to_string()])
            .args([QUEUE, &self.printer_port.to_string(), how, &jobs.to_string()])
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "measuring CUPS failed");
        serde_json::from_slice(&output.stdout).context("figures of CUPS")
    }

    fn wait_started(&self) -> Result<()> {
        let (begun, address) = (Instant::now(), SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)));
        while TcpStream::connect(address).is_err() {
            ensure!(begun.elapsed() < STARTED_WITHIN, "cupsd does not answer");
            thread::sleep(LOOK);
        }
        Ok(())
    }

    fn add_queue(&self) -> Result<()> {
        let added = Command::new("lpadmin")
            .args(["-h", &format!("127.0.0.1:{}", self.port), "-p", QUEUE, "-E"])
            .args(["-v", &format!("socket://127.0.0.1:{}", self.printer_port), "-m", "raw"])
            .stderr(Stdio::null())
            .status()?;
        ensure!(added.success(), "lpadmin could not add a raw queue");
        Ok(())
    }
}

impl Drop for Cups {
    fn drop(&mut self) {
        // What cannot be ended ends with the terminal.
        let _ = self.scheduler.kill();
        let _ = self.scheduler.wait();
    }
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
