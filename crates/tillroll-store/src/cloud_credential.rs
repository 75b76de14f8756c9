//! The credential this register shows the head office: a private file beside the database, so that it goes
//! into no copy of the database and a service without a session has it too.

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::StoreError;
use crate::private_file::{failed, replace};

const NAME: &str = "cloud_credential";

/// 256 random bits in hex, issued once by the dispatcher. Never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct CloudCredential(String);

impl CloudCredential {
    /// The credential as the dispatcher issued it.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// Its text, for the header that carries it.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// The credential of a data folder; `None` when it is not paired.
    ///
    /// # Errors
    /// [`StoreError::File`] when it cannot be read.
    pub fn load(folder: &Path) -> Result<Option<Self>, StoreError> {
        let path = folder.join(NAME);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(Self(text.trim().to_owned()))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(failed("read", &path, source)),
        }
    }

    /// Saves it in a data folder, synced, for this user alone.
    ///
    /// # Errors
    /// [`StoreError::File`] when it cannot be written.
    pub fn save(&self, folder: &Path) -> Result<(), StoreError> {
        replace(folder, NAME, self.0.as_bytes())
    }

    /// Removes it from a data folder.
    ///
    /// # Errors
    /// [`StoreError::File`] when it cannot be removed.
    pub fn forget(folder: &Path) -> Result<(), StoreError> {
        let path = folder.join(NAME);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(failed("remove", &path, error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

impl fmt::Debug for CloudCredential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CloudCredential(..)")
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn credential_is_for_its_user_alone_and_stands_in_no_debug_text() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(CloudCredential::load(folder.path()).unwrap(), None);
        let credential = CloudCredential::new("5ecret".into());
        credential.save(folder.path()).unwrap();
        assert_eq!(CloudCredential::load(folder.path()).unwrap(), Some(credential.clone()));
        let mode = fs::metadata(folder.path().join(NAME)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(!format!("{credential:?}").contains("5ecret"));
        CloudCredential::forget(folder.path()).unwrap();
        CloudCredential::forget(folder.path()).unwrap();
        assert_eq!(CloudCredential::load(folder.path()).unwrap(), None);
    }
}
