//! The data folder: what lies in it, and the lock that keeps it to one program.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

pub use tillroll_machine::FolderLock;
use tillroll_machine::LockError;

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// Another program runs the dispatcher of this folder.
    #[error("another program runs the dispatcher in {0}")]
    InUse(PathBuf),
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

/// The data folder of a dispatcher.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at a path; nothing is touched.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The database.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.0.join("dispatcher.db")
    }

    /// The socket of the running dispatcher's administration.
    #[must_use]
    pub fn admin_socket(&self) -> PathBuf {
        self.0.join("admin.sock")
    }

    /// Makes the folder where it is missing; afterwards nobody but its owner looks into it.
    ///
    /// # Errors
    /// [`FolderError::Io`].
    pub fn make(&self) -> Result<(), FolderError> {
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.0);
        made.map_err(|source| failed("make", &self.0, source))?;
        let closed = fs::set_permissions(&self.0, Permissions::from_mode(0o700));
        closed.map_err(|source| failed("protect", &self.0, source))
    }

    /// Takes the lock; the system frees it when the program ends.
    ///
    /// # Errors
    /// [`FolderError::InUse`] while another program holds it.
    pub fn lock(&self) -> Result<FolderLock, FolderError> {
        Ok(FolderLock::take(&self.0)?)
    }

    /// Makes the folder where it is missing, and takes its lock.
    ///
    /// # Errors
    /// As [`Self::make`] and [`Self::lock`].
    pub fn make_and_lock(&self) -> Result<FolderLock, FolderError> {
        self.make()?;
        self.lock()
    }
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> FolderError {
    FolderError::Io { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_is_its_owners_alone_and_kept_to_one_program() {
        let parent = tempfile::tempdir().unwrap();
        let folder = Folder::at(&parent.path().join("a/b"));
        folder.make().unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
        let held = folder.lock().unwrap();
        assert!(matches!(folder.lock(), Err(FolderError::InUse(_))));
        drop(held);
        folder.lock().unwrap();
    }
}
