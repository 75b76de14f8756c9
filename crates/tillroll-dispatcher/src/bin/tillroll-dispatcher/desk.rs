//! Where administration is asked: the running dispatcher of a data folder, or its database when none
//! runs; always the database where nodes share it.

use std::path::PathBuf;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tillroll_dispatcher::OpenDatabase;
use tillroll_dispatcher::admin::{AskError, Command, ask};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::config::{Config, Database};
use tillroll_dispatcher::folder::Folder;

use crate::failure::Failure;

/// A configuration, and a data folder if one was named.
pub struct Desk {
    data: Option<PathBuf>,
    pub config: Config,
}

impl Desk {
    /// The folder that was named with `--data` or in `TILLROLL_DISPATCHER_DATA`, with the configuration
    /// of the file and the environment.
    ///
    /// # Errors
    /// [`Failure::Config`].
    pub fn of(data: Option<PathBuf>, config: Option<PathBuf>) -> Result<Self, Failure> {
        Ok(Self { data, config: load(config)? })
    }

    /// The data folder.
    ///
    /// # Errors
    /// [`Failure::Usage`] when none was named.
    pub fn folder(&self) -> Result<Folder, Failure> {
        let missing = "name the data folder with --data DIR or in TILLROLL_DISPATCHER_DATA";
        let data = self.data.as_ref().ok_or_else(|| Failure::Usage(missing.to_owned()))?;
        Ok(Folder::at(data))
    }

    /// Has a command done.
    ///
    /// # Errors
    /// [`Failure::Refused`], or why it was not done.
    pub async fn ask<T: DeserializeOwned>(&self, command: Command) -> Result<T, Failure> {
        let answer = match &self.config.database {
            Database::Sqlite => self.ask_program(command).await?,
            Database::Postgres(_) => self.ask_database(command).await?,
        };
        Ok(serde_json::from_value(answer)?)
    }

    async fn ask_program(&self, command: Command) -> Result<Value, Failure> {
        match ask(&self.folder()?.admin_socket(), &command).await {
            Ok(answer) => Ok(answer),
            Err(AskError::Refused(problem)) => Err(problem.into()),
            Err(AskError::NotRunning(_)) => self.ask_database(command).await,
            Err(error) => Err(Failure::Unreachable(error)),
        }
    }

    /// A folder's lock keeps every other program away meanwhile.
    async fn ask_database(&self, command: Command) -> Result<Value, Failure> {
        let opened = self.open_database().await?;
        let answer = opened.admin(&self.config, Arc::new(SystemClock)).run(command).await;
        opened.close().await;
        Ok(answer?)
    }

    /// Opens the configured database, brought to the newest schema.
    ///
    /// # Errors
    /// [`Failure::Start`]; [`Failure::Usage`] when it lies in a folder and none was named.
    pub async fn open_database(&self) -> Result<OpenDatabase, Failure> {
        let opened = match &self.config.database {
            Database::Sqlite => OpenDatabase::in_folder(&self.folder()?).await,
            Database::Postgres(address) => OpenDatabase::at(address).await,
        };
        Ok(opened?)
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
