//! Files only this user may read, replaced whole: written beside, synced, renamed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::StoreError;

/// Replaces a file of a folder.
pub(crate) fn replace(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
    let path = folder.join(name);
    let beside = folder.join(format!("{name}.new"));
    let write = || {
        let mut options = File::options();
        let mut file = options.create(true).write(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, &path)?;
        File::open(folder)?.sync_all()
    };
    write().map_err(|source| failed("write", &path, source))
}

/// What was tried on which file.
pub(crate) fn failed(action: &'static str, path: &Path, source: io::Error) -> StoreError {
    StoreError::File { action, path: path.display().to_string(), source }
}
