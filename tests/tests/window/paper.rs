//! The virtual printer as a program of its own that can be told to run out of paper or break.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;
use tillroll_tests::program::tillctl;

use crate::desktop::wait_until;

/// A printer beside the till.
pub struct Printer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: TempDir,
    address: String,
}

impl Printer {
    /// A printer that proves each job.
    pub fn start(more: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut child = Command::new(tillctl()?)
            .args(["paper", "--listen", "127.0.0.1:0", "--no-pictures", "--out"])
            .arg(folder.path())
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().context("no standard input")?;
        let mut output = BufReader::new(child.stdout.take().context("no standard output")?);
        let address = read(&mut output)?["listening"].as_str().context("no address")?.to_owned();
        Ok(Self { child, input, output, folder, address })
    }

    pub fn uri(&self) -> String {
        format!("tcp://{}", self.address)
    }

    /// Does something to the printer: `paper end`, `fault reset-after-bytes=300`.
    pub fn tell(&mut self, command: &str) -> Result<()> {
        writeln!(self.input, "{command}")?;
        let answer = read(&mut self.output)?;
        ensure!(answer.get("error").is_none(), "{command}: {answer}");
        Ok(())
    }

    /// The finished tickets so far.
    pub fn tickets(&self) -> Result<Vec<String>> {
        let mut paths: Vec<_> = std::fs::read_dir(self.folder.path())?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_>>()?;
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
        paths.sort();
        paths.iter().map(|path| Ok(std::fs::read_to_string(path)?)).collect()
    }

    /// Waits for so many tickets.
    pub async fn wait_for_tickets(&self, count: usize) -> Result<Vec<String>> {
        wait_until(&format!("{count} tickets"), || {
            let tickets = self.tickets()?;
            Ok((tickets.len() >= count).then_some(tickets))
        })
        .await
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut BufReader<ChildStdout>) -> Result<Value> {
    let mut line = String::new();
    output.read_line(&mut line)?;
    serde_json::from_str(&line).with_context(|| format!("its line: {line:?}"))
}

/// A ticket's text without spaces: enlarged letters stand apart.
pub fn squeezed(ticket: &str) -> String {
    ticket.replace(' ', "")
}
