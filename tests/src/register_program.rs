//! `tillctl serve` as a child process that can be killed at any moment.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tempfile::TempDir;
use tokio::process::Child;

use crate::api::Api;
use crate::program;

/// A register's data folder, and its program while it runs.
pub struct RegisterProgram {
    folder: TempDir,
    child: Option<Child>,
}

impl RegisterProgram {
    /// Makes the register; it does not run yet.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn init() -> anyhow::Result<Self> {
        Self::init_in("S1")
    }

    /// Makes a register of a store; it does not run yet.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn init_in(store: &str) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        program::init_in(&folder.path().join("data"), store)?;
        Ok(Self { folder, child: None })
    }

    /// Its data folder.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts the program and returns its API.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn serve(&mut self) -> anyhow::Result<Api> {
        self.serve_by(&program::tillctl()?, &[]).await
    }

    /// As [`Self::serve`], by a program that becomes the one its last arguments name, as `strace -D` does.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn serve_under(&mut self, tracer: &[&str]) -> anyhow::Result<Api> {
        let tillctl = program::tillctl()?.display().to_string();
        let (tracer, before) = tracer.split_first().context("no tracer")?;
        self.serve_by(Path::new(tracer), &[before, &[&tillctl]].concat()).await
    }

    async fn serve_by(&mut self, program: &Path, before: &[&str]) -> anyhow::Result<Api> {
        let data = self.data().display().to_string();
        let arguments = ["serve", "--data", &data, "--listen", "127.0.0.1:0"];
        let (child, address) = program::start_of(program, &[before, &arguments].concat()).await?;
        self.child = Some(child);
        Api::of(&address, &token(&self.data())?)
    }

    /// The running program.
    ///
    /// # Errors
    /// When it does not run.
    pub fn pid(&self) -> anyhow::Result<u32> {
        self.child.as_ref().and_then(Child::id).context("it does not run")
    }

    /// kill -9, and waits until it is gone.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        if let Some(mut child) = self.child.take() {
            child.kill().await?;
        }
        Ok(())
    }
}

fn token(data: &Path) -> anyhow::Result<String> {
    Ok(std::fs::read_to_string(data.join("token"))?.trim().to_owned())
}
