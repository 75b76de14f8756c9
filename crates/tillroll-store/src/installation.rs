//! Who this register is, kept outside the database: an id made at set-up, the epoch, and the settings,
//! so that a register whose database is lost beyond rescue still knows its store, zone and currency.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::private_file::{failed, replace};
use crate::{RegisterSettings, StoreError};

const NAME: &str = "installation.json";

/// The content of `installation.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Installation {
    /// 128 random bits in hex, made at set-up.
    pub id: String,
    /// One more each time the database was older than what happened.
    pub epoch: u32,
    /// What was fixed at set-up.
    pub settings: RegisterSettings,
}

/// Where it lies in the data folder.
pub(crate) fn path(folder: &Path) -> PathBuf {
    folder.join(NAME)
}

impl Installation {
    /// A new installation in its first epoch.
    pub(crate) fn draw(settings: RegisterSettings) -> Result<Self, StoreError> {
        let mut bits = [0_u8; 16];
        getrandom::fill(&mut bits).map_err(|error| StoreError::File {
            action: "draw random bits from",
            path: "the system".into(),
            source: std::io::Error::other(error),
        })?;
        let id = bits.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { id, epoch: 1, settings })
    }

    /// Reads the file; `None` when there is none.
    pub(crate) fn load(folder: &Path) -> Result<Option<Self>, StoreError> {
        let path = path(folder);
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(StoreError::unreadable),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(failed("read", &path, source)),
        }
    }

    /// Replaces the file, synced.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(self).map_err(StoreError::unreadable)?;
        replace(folder, NAME, &bytes)
    }
}
