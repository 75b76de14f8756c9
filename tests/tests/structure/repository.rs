//! What the tests look at: the checkout's files, and cargo's account of its packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// A workspace member as `cargo metadata` describes it.
#[derive(Debug, Deserialize)]
pub struct Package {
    pub name: String,
    pub description: Option<String>,
    pub manifest_path: PathBuf,
    pub dependencies: Vec<Dependency>,
}

/// One line of a member's dependency tables.
#[derive(Debug, Deserialize)]
pub struct Dependency {
    pub name: String,
    /// `None` is an ordinary dependency; else `dev` or `build`.
    pub kind: Option<String>,
}

impl Dependency {
    pub fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}

/// The top folder of the checkout.
pub fn root() -> &'static Path {
    // The manifest lies in `tests/`, so it always has a parent.
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".."))
}

/// All members of the workspace, `src-tauri` included.
pub fn packages() -> Result<Vec<Package>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    let text =
        output_of(cargo().args(["metadata", "--no-deps", "--offline", "--format-version=1"]))?;
    let metadata: Metadata = serde_json::from_str(&text).context("output of cargo metadata")?;
    Ok(metadata.packages)
}

/// Every file that belongs to the product, relative to the root: tracked or new, not ignored, not deleted.
pub fn files() -> Result<Vec<PathBuf>> {
    let text = output_of(Command::new("git").args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]))
    .context("listing the files needs a git checkout")?;
    let mut files: Vec<PathBuf> = text.split_terminator('\0').map(PathBuf::from).collect();
    files.retain(|file| root().join(file).is_file());
    files.sort();
    files.dedup();
    ensure!(!files.is_empty(), "git lists no file under {}", root().display());
    Ok(files)
}

/// The text of a product file; `None` for a binary.
pub fn text(file: &Path) -> Result<Option<String>> {
    let bytes = std::fs::read(root().join(file)).with_context(|| file.display().to_string())?;
    Ok(String::from_utf8(bytes).ok())
}

/// The cargo that runs these tests.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// What a command prints when run in the root; its standard error is part of the failure.
pub fn output_of(command: &mut Command) -> Result<String> {
    let output = command.current_dir(root()).output().with_context(|| format!("{command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?} failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    String::from_utf8(output.stdout).with_context(|| format!("output of {command:?}"))
}
