//! Sheets: what the parts of benches found, each in a file of its own until it is measured again.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Findings;
use crate::scale;

/// What a part of a bench found in one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// The bench.
    pub bench: String,
    /// Its part.
    pub part: String,
    /// When it was measured: the time of its file.
    #[serde(skip)]
    pub at: Timestamp,
    /// Whether counts were scaled, so that the figures say nothing.
    pub is_scaled: bool,
    /// What it found.
    pub findings: Findings,
}

impl Sheet {
    /// What was found.
    #[must_use]
    pub fn of(bench: &str, part: &str, findings: Findings) -> Self {
        let (bench, part) = (bench.to_owned(), part.to_owned());
        Self { bench, part, at: Timestamp::UNIX_EPOCH, is_scaled: scale::is_scaled(), findings }
    }

    /// By what a document asks for it.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.bench, self.part)
    }

    /// Keeps it, in place of the one before. A build without optimisation keeps nothing: what it takes says
    /// nothing.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&self) -> Result<()> {
        if cfg!(debug_assertions) {
            return Ok(());
        }
        let folder = folder()?;
        fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{}-{}.json", self.bench, self.part));
        fs::write(&file, serde_json::to_vec_pretty(self)?).context(file.display().to_string())
    }
}

/// All sheets that are kept, in the order in which they were measured.
///
/// # Errors
/// When one cannot be read.
pub fn read_all() -> Result<Vec<Sheet>> {
    let mut sheets: Vec<Sheet> = Vec::new();
    let files = match fs::read_dir(folder()?) {
        Ok(files) => files,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(sheets),
        Err(error) => return Err(error.into()),
    };
    for file in files {
        let path = file?.path();
        let read = serde_json::from_slice(&fs::read(&path)?);
        let sheet: Sheet = read.with_context(|| path.display().to_string())?;
        sheets.push(Sheet { at: fs::metadata(&path)?.modified()?.try_into()?, ..sheet });
    }
    sheets.sort_by_key(|sheet| sheet.at);
    Ok(sheets)
}

/// Forgets all sheets: a run of everything begins with none.
///
/// # Errors
/// When they cannot be removed.
pub fn clear() -> Result<()> {
    match fs::remove_dir_all(folder()?) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// `bench` in cargo's target folder: three above a bench, a test or an example.
fn folder() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let target = program.ancestors().nth(3).context("no target folder")?;
    Ok(target.join("bench"))
}
