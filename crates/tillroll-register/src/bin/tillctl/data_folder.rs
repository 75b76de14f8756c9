//! The data folder as the commands see it: where the register listens, the owner's token, and what was
//! fixed at set-up.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tillroll_register::{Endpoint, Register, TOKEN_FILE};
use tillroll_store::RegisterSettings;

use crate::failure::{Failure, Unreachable};

/// Made at set-up; holds what was fixed then.
const INSTALLATION_FILE: &str = "installation.json";

/// The data folder of a register.
#[derive(Debug, Clone)]
pub struct DataFolder {
    path: PathBuf,
}

#[derive(Deserialize)]
struct Installation {
    settings: RegisterSettings,
}

impl DataFolder {
    /// The folder that was named with `--data` or in `TILLROLL_DATA`.
    ///
    /// # Errors
    /// [`Failure::Usage`] when none was.
    pub fn named(path: Option<PathBuf>) -> Result<Self, Failure> {
        let missing = "which register? name its data folder with --data DIR or in TILLROLL_DATA";
        let path = path.ok_or_else(|| Failure::Usage(missing.to_owned()))?;
        Ok(Self { path })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a register was set up in it.
    pub fn holds_register(&self) -> bool {
        Register::is_in(&self.path)
    }

    /// Where the owner's token lies.
    pub fn token_file(&self) -> PathBuf {
        self.path.join(TOKEN_FILE)
    }

    /// The owner's token.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn token(&self) -> Result<String, Failure> {
        let path = self.token_file();
        let text = fs::read_to_string(&path).map_err(Failure::file("read", &path))?;
        Ok(text.trim().to_owned())
    }

    /// Where the register listens.
    ///
    /// # Errors
    /// [`Unreachable::NotRunning`] when none says so.
    pub fn endpoint(&self) -> Result<SocketAddr, Failure> {
        let endpoint = Endpoint::read(&self.path);
        let endpoint = endpoint.ok_or_else(|| Unreachable::NotRunning(self.path.clone()))?;
        Ok(endpoint.address)
    }

    /// What was fixed at set-up.
    ///
    /// # Errors
    /// When the folder holds no register.
    pub fn settings(&self) -> Result<RegisterSettings, Failure> {
        let path = self.path.join(INSTALLATION_FILE);
        let text = fs::read(&path).map_err(Failure::file("read", &path))?;
        let read = serde_json::from_slice::<Installation>(&text).map_err(io::Error::from);
        Ok(read.map_err(Failure::file("read", &path))?.settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_must_be_named() {
        assert_eq!(DataFolder::named(None).unwrap_err().exit_code(), 2);
    }
}
