//! The data folder of a register, and the lock that keeps it to one program.
//!
//! An app and a service can never drive one printer together: whoever runs the register holds an
//! exclusive lock on the folder's lock file for as long as it runs. The system frees it when it ends.

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tillroll_machine::{FolderLock, LockError};

use crate::TOKEN_FILE;

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// Another program runs the register of this folder.
    #[error("another program runs the register in {0}")]
    InUse(PathBuf),
    /// The folder holds something else.
    #[error("{0} is not empty and holds no register: name a new or empty folder")]
    NotEmpty(PathBuf),
    /// The folder holds a register.
    #[error(
        "{0} holds a register already: run it with `tillctl serve --data {0}`, or name a new folder"
    )]
    HoldsRegister(PathBuf),
    /// The making of a register with other settings was cut off there.
    #[error(
        "a register with other settings was begun in {0}: finish it with the same ones, or name a new folder"
    )]
    Begun(PathBuf),
    /// The operating system refused it.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl From<LockError> for FolderError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held(folder) => Self::InUse(folder),
            LockError::Io { action, path, source } => Self::Io { action, path, source },
        }
    }
}

/// Takes the lock of a folder.
///
/// # Errors
/// [`FolderError::InUse`] while another program holds it.
pub(crate) fn lock(folder: &Path) -> Result<FolderLock, FolderError> {
    Ok(FolderLock::take(folder)?)
}

/// What a making that was cut off may leave behind.
const OWN: [&str; 5] = ["lock", "mark", "register.db", "installation.json", "token"];

/// Makes the folder, or takes one that is empty or in which an earlier making was cut off: the owner's
/// token is written last. Afterwards nobody but its owner looks into it.
///
/// # Errors
/// [`FolderError::NotEmpty`] for a folder with anything else in it, [`FolderError::HoldsRegister`].
pub(crate) fn make(folder: &Path) -> Result<(), FolderError> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|source| failed("make", folder, source))?;
    if folder.join(TOKEN_FILE).exists() {
        return Err(FolderError::HoldsRegister(folder.to_owned()));
    }
    for entry in fs::read_dir(folder).map_err(|source| failed("read", folder, source))? {
        let name = entry.map_err(|source| failed("read", folder, source))?.file_name();
        if !name.to_str().is_some_and(is_left_behind) {
            return Err(FolderError::NotEmpty(folder.to_owned()));
        }
    }
    let closed = fs::set_permissions(folder, Permissions::from_mode(0o700));
    closed.map_err(|source| failed("protect", folder, source))
}

/// One of the own files, or what is written beside one.
fn is_left_behind(name: &str) -> bool {
    OWN.iter().any(|own| name.starts_with(own))
}

/// Writes a file only this user may read, replacing it whole.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    let beside = path.with_extension("new");
    let write = || {
        let mut options = OpenOptions::new();
        let mut file = options.create(true).write(true).truncate(true).mode(0o600).open(&beside)?;
        io::Write::write_all(&mut file, bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|source| failed("write", path, source))
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> FolderError {
    FolderError::Io { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_is_kept_to_one_program() {
        let folder = tempfile::tempdir().unwrap();
        let held = lock(folder.path()).unwrap();
        assert!(matches!(lock(folder.path()), Err(FolderError::InUse(_))));
        drop(held);
        lock(folder.path()).unwrap();
    }

    #[test]
    fn only_a_new_or_empty_folder_becomes_a_register() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("a/b");
        make(&folder).unwrap();
        make(&folder).unwrap();
        fs::write(folder.join("photo.jpg"), "x").unwrap();
        assert!(matches!(make(&folder), Err(FolderError::NotEmpty(_))));
        fs::write(folder.join(TOKEN_FILE), "x").unwrap();
        assert!(matches!(make(&folder), Err(FolderError::HoldsRegister(_))));
    }

    #[test]
    fn folder_that_was_there_is_closed_to_others() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        make(folder.path()).unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn private_file_is_readable_by_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        write_private(&path, b"secret").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"secret");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
