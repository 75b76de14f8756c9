//! What the pages are made of, and with, comes under licences that were looked at. `make audit` does the same for the
//! crates.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use crate::repository::{files, text};

/// Licences, as packages write them, that let Tillroll be shipped under Apache-2.0.
const SHIPPED: &[&str] = &["Apache-2.0", "Apache-2.0 OR MIT", "ISC", "MIT"];

/// Licences of what only builds and tests, and is not in the product.
const AT_WORK: &[&str] = &[
    "(Apache-2.0 WITH LLVM-exception)",
    "0BSD",
    "BSD-2-Clause",
    "BSD-3-Clause",
    // File-level copyleft, used unchanged: axe-core, lightningcss.
    "MPL-2.0",
];

/// Packages that state none where tools look, and the licence that was found.
const FOUND: &[(&str, &str)] = &[
    // Its LICENSE file.
    ("node_modules/@inlang/plugin-message-format", "MIT"),
    // The compiled part of @lix-js/sdk, which states it.
    ("node_modules/@lix-js/sdk-linux-x64", "MIT"),
];

/// A lock file of npm.
#[derive(Debug, Deserialize)]
struct Lock {
    packages: BTreeMap<String, Locked>,
}

#[derive(Debug, Deserialize)]
struct Locked {
    license: Option<String>,
    #[serde(default)]
    dev: bool,
}

#[test]
fn every_package_of_the_pages_has_a_licence_that_was_looked_at() -> Result<()> {
    let locks: Vec<_> =
        files()?.into_iter().filter(|file| file.ends_with("package-lock.json")).collect();
    ensure!(!locks.is_empty(), "no lock file of npm");
    for file in locks {
        let lock: Lock = serde_json::from_str(&text(&file)?.context("text")?)?;
        let packages = lock.packages.iter().filter(|(path, _)| !path.is_empty());
        let strange: Vec<_> = packages.filter_map(|(path, package)| fault(path, package)).collect();
        ensure!(strange.is_empty(), "{}: look at {}", file.display(), strange.join(", "));
    }
    Ok(())
}

/// What is wrong with a package's licence.
fn fault(path: &str, package: &Locked) -> Option<String> {
    let found = FOUND.iter().find(|(name, _)| *name == path).map(|(_, licence)| *licence);
    let Some(licence) = package.license.as_deref().or(found) else {
        return Some(format!("{path}: no licence"));
    };
    let is_known = SHIPPED.contains(&licence) || (package.dev && AT_WORK.contains(&licence));
    (!is_known).then(|| format!("{path}: {licence}"))
}

#[test]
fn licence_that_nobody_looked_at_is_named() {
    let package = |license: Option<&str>, dev| Locked { license: license.map(str::to_owned), dev };
    assert!(fault("a", &package(Some("MIT"), false)).is_none());
    assert!(fault("a", &package(Some("MPL-2.0"), true)).is_none());
    for strange in [package(None, true), package(Some("AGPL-3.0"), true)] {
        assert!(fault("a", &strange).is_some(), "{strange:?}");
    }
    assert!(fault("a", &package(Some("MPL-2.0"), false)).is_some(), "shipped with the product");
}
