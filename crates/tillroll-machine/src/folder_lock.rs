//! The lock that keeps a data folder to one program.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// Why a folder's lock cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another program holds it.
    #[error("another program holds the lock of {0}")]
    Held(PathBuf),
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

/// The held lock of a folder. The system frees it when this is dropped, or the program ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes the lock of a folder, on the file `lock` in it.
    ///
    /// # Errors
    /// [`LockError::Held`] while another program holds it.
    pub fn take(folder: &Path) -> Result<Self, LockError> {
        let path = folder.join("lock");
        let failed = |action, source| LockError::Io { action, path: path.clone(), source };
        let mut options = OpenOptions::new();
        let options = options.create(true).truncate(false).write(true).mode(0o600);
        let file = options.open(&path).map_err(|source| failed("open", source))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LockError::Held(folder.to_owned())),
            Err(TryLockError::Error(source)) => Err(failed("lock", source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn folder_is_kept_to_one_program() {
        let folder = tempfile::tempdir().unwrap();
        let held = FolderLock::take(folder.path()).unwrap();
        let refused = FolderLock::take(folder.path());
        assert!(matches!(refused, Err(LockError::Held(at)) if at == folder.path()));
        drop(held);
        FolderLock::take(folder.path()).unwrap();
    }

    #[test]
    fn lock_file_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let _held = FolderLock::take(folder.path()).unwrap();
        let mode = folder.path().join("lock").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn folder_that_is_not_there_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let refused = FolderLock::take(&folder.path().join("none")).unwrap_err();
        let says = format!("cannot open {}", folder.path().join("none/lock").display());
        assert!(refused.to_string().starts_with(&says), "{refused}");
    }
}
