//! Where a register listens: a file in its data folder, written while it runs, so that the command line
//! and POS programs find it.

use std::fs;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Where a register listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// A loopback address.
    pub address: SocketAddr,
}

impl Endpoint {
    /// What the folder's file says; `None` when no register runs there, or it cannot be read.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path(folder)).ok()?).ok()
    }

    /// Tells where the register listens. Whoever reads sees the old file or the new one, never half.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn announce(self, folder: &Path) -> io::Result<()> {
        let path = path(folder);
        let beside = path.with_extension("json.new");
        let mut options = fs::File::options();
        let mut file = options.create(true).write(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(&serde_json::to_vec(&self)?)?;
        drop(file);
        fs::rename(&beside, &path)
    }

    /// The register of the folder listens no longer.
    pub fn withdraw(folder: &Path) {
        if let Err(error) = fs::remove_file(path(folder)) {
            tracing::warn!(%error, "endpoint.json could not be removed");
        }
    }
}

fn path(folder: &Path) -> PathBuf {
    folder.join("endpoint.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoint_is_found_while_announced() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Endpoint::read(folder.path()), None);
        let endpoint = Endpoint { address: SocketAddr::from(([127, 0, 0, 1], 9317)) };
        endpoint.announce(folder.path()).unwrap();
        assert_eq!(Endpoint::read(folder.path()), Some(endpoint));
        Endpoint::withdraw(folder.path());
        assert_eq!(Endpoint::read(folder.path()), None);
    }
}
