//! The virtual printer as a program of its own: it outlives the register, and its paper is what counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;
use tokio::process::Child;

use crate::program;

/// A running virtual printer.
pub struct PaperProgram {
    child: Child,
    folder: TempDir,
    /// Where it listens.
    pub address: String,
}

impl PaperProgram {
    /// Starts a printer of that personality.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(personality: &str, more: &[&str]) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let out = folder.path().display().to_string();
        let mut arguments =
            vec!["paper", "--listen", "127.0.0.1:0", "--personality", personality, "--out", &out];
        arguments.extend(more);
        let (child, address) = program::start(&arguments).await?;
        Ok(Self { child, folder, address })
    }

    /// The address as a printer's URI.
    #[must_use]
    pub fn uri(&self) -> String {
        format!("tcp://{}", self.address)
    }

    /// Ends the printer in order and reads its whole paper, an unfinished ticket too, in order.
    ///
    /// # Errors
    /// When it does not end, or its paper cannot be read.
    pub async fn end(mut self) -> anyhow::Result<Vec<String>> {
        // Its standard input closed tells it to end.
        drop(self.child.stdin.take());
        self.child.wait().await?;
        tickets(self.folder.path())
    }

    /// The finished tickets so far.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn tickets(&self) -> anyhow::Result<Vec<String>> {
        tickets(self.folder.path())
    }
}

fn tickets(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    paths.sort();
    paths.iter().map(|path| Ok(fs::read_to_string(path)?)).collect()
}

/// The jobs of store S1 that stand on tickets, and on how many.
#[must_use]
pub fn ids(tickets: &[String]) -> BTreeMap<String, usize> {
    let mut on_paper = BTreeMap::new();
    for word in tickets.iter().flat_map(|ticket| ticket.split_whitespace()) {
        if word.starts_with("S1:") {
            *on_paper.entry(word.to_owned()).or_default() += 1;
        }
    }
    on_paper
}
