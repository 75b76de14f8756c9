//! The data folder as the commands see it: where the register listens, the owner's token, and what was
//! fixed at set-up.

use std::fs;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tillroll_register::TOKEN_FILE;
use tillroll_store::RegisterSettings;

use crate::failure::{Failure, Unreachable};

/// Made at set-up; holds what was fixed then.
const INSTALLATION_FILE: &str = "installation.json";
/// Written by the register that runs, removed when it stops.
const ENDPOINT_FILE: &str = "endpoint.json";

/// The data folder of a register.
#[derive(Debug, Clone)]
pub struct DataFolder {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Endpoint {
    address: SocketAddr,
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
        self.path.join(INSTALLATION_FILE).is_file()
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
        let not_running = || Unreachable::NotRunning(self.path.clone());
        let text = fs::read(self.path.join(ENDPOINT_FILE)).map_err(|_| not_running())?;
        let endpoint: Endpoint = serde_json::from_slice(&text).map_err(|_| not_running())?;
        Ok(endpoint.address)
    }

    /// Tells the other commands where the register listens.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn announce(&self, address: SocketAddr) -> Result<(), Failure> {
        let path = self.path.join(ENDPOINT_FILE);
        let text = serde_json::to_vec(&Endpoint { address })?;
        replace(&path, &text).map_err(Failure::file("write", &path))
    }

    /// The register listens no longer.
    pub fn withdraw(&self) {
        if let Err(error) = fs::remove_file(self.path.join(ENDPOINT_FILE)) {
            tracing::warn!(%error, "{ENDPOINT_FILE} could not be removed");
        }
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

/// Whoever reads sees the old file or the new one, never half of one.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("json.new");
    let mut file = fs::File::create(&beside)?;
    file.write_all(text)?;
    drop(file);
    fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoint_is_found_while_announced() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::named(Some(folder.path().to_owned())).unwrap();
        assert!(matches!(data.endpoint(), Err(Failure::Unreachable(_))));
        let address = SocketAddr::from(([127, 0, 0, 1], 9317));
        data.announce(address).unwrap();
        assert_eq!(data.endpoint().unwrap(), address);
        data.withdraw();
        assert!(matches!(data.endpoint(), Err(Failure::Unreachable(_))));
    }

    #[test]
    fn folder_must_be_named() {
        assert_eq!(DataFolder::named(None).unwrap_err().exit_code(), 2);
    }
}
