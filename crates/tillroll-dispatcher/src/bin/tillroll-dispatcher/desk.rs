//! Where administration is asked: the running dispatcher of a data folder, or its database when none
//! runs.

use std::path::PathBuf;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tillroll_dispatcher::OpenFolder;
use tillroll_dispatcher::admin::{AskError, Command, ask};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::config::Config;
use tillroll_dispatcher::folder::Folder;

use crate::failure::Failure;

/// A data folder and its configuration.
pub struct Desk {
    pub folder: Folder,
    pub config: Config,
}

impl Desk {
    /// The folder that was named with `--data` or in `TILLROLL_DISPATCHER_DATA`, with the configuration
    /// of the file and the environment.
    ///
    /// # Errors
    /// [`Failure::Usage`] when none was named; [`Failure::Config`].
    pub fn of(data: Option<PathBuf>, config: Option<PathBuf>) -> Result<Self, Failure> {
        let missing = "name the data folder with --data DIR or in TILLROLL_DISPATCHER_DATA";
        let data = data.ok_or_else(|| Failure::Usage(missing.to_owned()))?;
        Ok(Self { folder: Folder::at(&data), config: load(config)? })
    }

    /// Has a command done.
    ///
    /// # Errors
    /// [`Failure::Refused`], or why it was not done.
    pub async fn ask<T: DeserializeOwned>(&self, command: Command) -> Result<T, Failure> {
        let answer = match ask(&self.folder.admin_socket(), &command).await {
            Ok(answer) => answer,
            Err(AskError::Refused(problem)) => return Err(problem.into()),
            Err(AskError::NotRunning(_)) => self.ask_database(command).await?,
            Err(error) => return Err(Failure::Unreachable(error)),
        };
        Ok(serde_json::from_value(answer)?)
    }

    /// The folder's lock keeps every other program away meanwhile.
    async fn ask_database(&self, command: Command) -> Result<Value, Failure> {
        let opened = OpenFolder::open(&self.folder).await?;
        let answer = opened.admin(&self.config, Arc::new(SystemClock)).run(command).await;
        opened.close().await;
        Ok(answer?)
    }
}

/// The configuration of a file, if one is named, and the environment.
///
/// # Errors
/// [`Failure::Config`].
pub fn load(file: Option<PathBuf>) -> Result<Config, Failure> {
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    Ok(Config::load(file.as_deref(), environment)?)
}
