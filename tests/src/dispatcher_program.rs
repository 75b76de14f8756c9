//! `tillroll-dispatcher serve` as a child process, set up by its own command line.

use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Child;

use crate::program;

/// A running dispatcher.
pub struct DispatcherProgram {
    /// Where its API listens.
    pub address: String,
    folder: TempDir,
    program: PathBuf,
    _child: Child,
}

impl DispatcherProgram {
    /// Starts a dispatcher on a new data folder.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start() -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let program = program::dispatcher()?;
        let data = folder.path().join("data").display().to_string();
        let arguments = ["serve", "--data", &data, "--listen", "127.0.0.1:0"];
        let (child, address) = program::start_of(&program, &arguments).await?;
        Ok(Self { address, folder, program, _child: child })
    }

    /// Runs one of its commands; what it printed.
    ///
    /// # Errors
    /// When it is refused.
    pub fn run(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let data = self.folder.path().join("data").display().to_string();
        let arguments = [arguments, &["--data", &data]].concat();
        Ok(program::run_of(&self.program, &arguments)?.trim().to_owned())
    }

    /// Makes a tenant's store; its uid.
    ///
    /// # Errors
    /// When it is refused.
    pub fn add_store(&self, tenant: &str, code: &str, name: &str) -> anyhow::Result<String> {
        self.run(&["store", "add", "--tenant", tenant, "--code", code, "--name", name])
    }

    /// A pairing code for a register of a store.
    ///
    /// # Errors
    /// When it is refused.
    pub fn pairing_code(&self, store: &str, register: &str) -> anyhow::Result<String> {
        let told = self.run(&["register", "add", "--store", store, register, "--json"])?;
        let made: Value = serde_json::from_str(&told)?;
        Ok(made["code"].as_str().context("no code")?.to_owned())
    }
}
