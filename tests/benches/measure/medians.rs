//! The medians that criterion noted, for whoever tells them beside other figures.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use criterion::Criterion;
use serde_json::Value;
use tillroll_tests::scale;

/// Criterion's measurements, in a folder of their own.
pub struct Medians {
    /// What measures.
    pub criterion: Criterion,
    folder: PathBuf,
}

impl Medians {
    /// Three seconds for each.
    pub fn in_folder(folder: &Path) -> Self {
        let criterion = Criterion::default()
            .warm_up_time(scale::time(Duration::from_secs(1)))
            .measurement_time(scale::time(Duration::from_secs(3)))
            .without_plots()
            .output_directory(folder);
        Self { criterion, folder: folder.to_path_buf() }
    }

    /// The median of what was measured under a name that a file may have.
    pub fn of(&self, name: &str) -> Result<Duration> {
        let file = self.folder.join(name).join("new/estimates.json");
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let noted: Value = serde_json::from_str(&text)?;
        let ns = noted["median"]["point_estimate"].as_f64().context("no median")?;
        Ok(Duration::from_secs_f64(ns / 1e9))
    }
}
