//! A thing lies where its name says: the top level, the members, and files short enough to read.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::repository::{files, packages, root, text};

/// All that may lie at the top beside dot files and `LICENSE*`.
const TOP_LEVEL: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "Makefile",
    "README.md",
    "crates",
    "docs",
    "icons",
    "migrations",
    "rust-toolchain.toml",
    "src-tauri",
    "tests",
    "ui",
];

/// A longer source file holds two things.
const LONGEST_SOURCE: usize = 400;

#[test]
fn the_top_level_holds_only_what_belongs_there() -> Result<()> {
    let mut strangers = BTreeSet::new();
    for file in files()? {
        let top = file.iter().next().unwrap_or_default().to_string_lossy().into_owned();
        let belongs =
            TOP_LEVEL.contains(&top.as_str()) || top.starts_with('.') || top.starts_with("LICENSE");
        if !belongs {
            strangers.insert(top);
        }
    }
    ensure!(strangers.is_empty(), "these do not belong at the top level: {strangers:?}");
    Ok(())
}

#[test]
fn every_crate_is_a_described_member() -> Result<()> {
    let members = packages()?;
    for entry in std::fs::read_dir(root().join("crates"))? {
        let manifest = entry?.path().join("Cargo.toml");
        let member = members
            .iter()
            .find(|member| member.manifest_path == manifest)
            .with_context(|| format!("{} is no workspace member", manifest.display()))?;
        let folder = manifest.parent().and_then(Path::file_name).unwrap_or_default();
        ensure!(
            folder == member.name.as_str(),
            "{} holds a package called {}",
            manifest.display(),
            member.name
        );
        ensure!(
            member.description.as_deref().is_some_and(|text| text.len() > 10),
            "{} has no description",
            member.name
        );
    }
    Ok(())
}

#[test]
fn every_member_obeys_the_lints_of_the_workspace() -> Result<()> {
    for member in packages()? {
        let manifest = std::fs::read_to_string(&member.manifest_path)?;
        ensure!(
            manifest.contains("[lints]\nworkspace = true"),
            "{} lacks `[lints] workspace = true`",
            member.manifest_path.display()
        );
    }
    Ok(())
}

#[test]
fn no_source_file_is_too_long_to_read() -> Result<()> {
    let mut long = Vec::new();
    for file in files()?.iter().filter(|file| is_written_source(file)) {
        let lines = text(file)?.unwrap_or_default().lines().count();
        if lines > LONGEST_SOURCE {
            long.push(format!("{} ({lines} lines)", file.display()));
        }
    }
    ensure!(long.is_empty(), "split what is past {LONGEST_SOURCE} lines: {}", long.join(", "));
    Ok(())
}

/// Source that a person wrote, unlike bindings that a tool made.
fn is_written_source(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| ["rs", "ts", "svelte"].iter().any(|one| extension == *one))
        && !file.iter().any(|part| part == "generated")
}
