//! A day written to a file, for a table program.

use std::path::{Path, PathBuf};

use jiff::civil::Date;

use crate::Register;
use crate::folder::FolderError;
use crate::problem::Problem;

impl Register {
    /// Writes a day as CSV to a folder, which is made when it is not there; returns the file's path. A
    /// later export of the same day replaces it.
    ///
    /// # Errors
    /// [`crate::problem::Code::Unavailable`] when the file cannot be written.
    pub async fn export_day(&self, day: Date, folder: &Path) -> Result<PathBuf, Problem> {
        let settings = self.settings();
        let name = format!("{}-{}-{day}.csv", settings.store, settings.register);
        let path = folder.join(name);
        let text = self.day(day).await?.csv();
        write(&path, folder, text.as_bytes()).await?;
        Ok(path)
    }
}

async fn write(path: &Path, folder: &Path, bytes: &[u8]) -> Result<(), Problem> {
    let written = match tokio::fs::create_dir_all(folder).await {
        Ok(()) => tokio::fs::write(path, bytes).await,
        Err(error) => Err(error),
    };
    let failed = |source| FolderError::Io { action: "write", path: path.to_owned(), source };
    written.map_err(|source| crate::BootError::Folder(failed(source)).into())
}
