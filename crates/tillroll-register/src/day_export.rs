//! A day written to a file: for a table program, or to file away.

use std::path::{Path, PathBuf};

use jiff::civil::Date;

use crate::Register;
use crate::folder::FolderError;
use crate::problem::Problem;
use crate::view::ExportFormat;

impl Register {
    /// Writes a day to a file in a folder, which is made when it is not there; returns the file's path. A
    /// later export of the same day replaces it.
    ///
    /// # Errors
    /// [`crate::problem::Code::Unavailable`] when the file cannot be written,
    /// [`crate::problem::Code::FontsMissing`] when there are no fonts for a PDF.
    pub async fn export_day(
        &self,
        day: Date,
        format: ExportFormat,
        folder: &Path,
    ) -> Result<PathBuf, Problem> {
        let bytes = match format {
            ExportFormat::Csv => self.day(day).await?.csv().into_bytes(),
            ExportFormat::Pdf => self.day_pdf(day).await?,
        };
        let path = folder.join(self.file_name(day, format));
        write(&path, folder, &bytes).await?;
        Ok(path)
    }

    /// What the file of a day is called.
    pub(crate) fn file_name(&self, day: Date, format: ExportFormat) -> String {
        let settings = self.settings();
        format!("{}-{}-{day}.{}", settings.store, settings.register, format.ending())
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
