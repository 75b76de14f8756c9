//! Dependencies point down only, and some crates are the business of a few packages alone.

use anyhow::{Result, ensure};

use crate::repository::{Package, packages};

/// What each package may use of the others (tests and benches of a package may use more).
const MAY_USE: &[(&str, &[&str])] = &[
    ("tillroll-domain", &[]),
    ("tillroll-sqlite", &[]),
    ("tillroll-http", &[]),
    ("tillroll-escpos", &["tillroll-domain"]),
    ("tillroll-wire", &["tillroll-domain"]),
    ("tillroll-machine", &["tillroll-domain"]),
    ("tillroll-paper", &["tillroll-domain", "tillroll-escpos"]),
    ("tillroll-store", &["tillroll-domain", "tillroll-escpos", "tillroll-sqlite", "tillroll-wire"]),
    (
        "tillroll-spooler",
        &["tillroll-domain", "tillroll-escpos", "tillroll-paper", "tillroll-store"],
    ),
    ("tillroll-sync", &["tillroll-domain", "tillroll-store", "tillroll-wire"]),
    (
        "tillroll-register",
        &[
            "tillroll-domain",
            "tillroll-escpos",
            "tillroll-http",
            "tillroll-machine",
            "tillroll-paper",
            "tillroll-spooler",
            "tillroll-sqlite",
            "tillroll-store",
            "tillroll-sync",
            "tillroll-wire",
        ],
    ),
    (
        "tillroll-dispatcher",
        &[
            "tillroll-domain",
            "tillroll-http",
            "tillroll-machine",
            "tillroll-sqlite",
            "tillroll-wire",
        ],
    ),
    ("tillroll", &["tillroll-domain", "tillroll-register", "tillroll-wire"]),
    ("tillroll-testkit", &["tillroll-domain", "tillroll-escpos", "tillroll-wire"]),
    ("tillroll-tests", &[]),
    ("tillroll-fuzz", &[]),
];

/// Crates from outside that only these packages may name, tests included.
const RESERVED: &[(&str, &[&str])] = &[
    ("rusqlite", &["tillroll-sqlite", "tillroll-store", "tillroll-dispatcher", "tillroll-tests"]),
    ("serialport", &["tillroll-spooler"]),
    ("nusb", &["tillroll-spooler"]),
    ("tauri", &["tillroll"]),
];

#[test]
fn members_use_only_what_lies_below_them() -> Result<()> {
    for package in packages()? {
        let allowed = MAY_USE.iter().find(|(name, _)| *name == package.name);
        ensure!(
            allowed.is_some(),
            "{} is new: give it a line in MAY_USE, as low as it can stand",
            package.name
        );
        let allowed = allowed.map_or(&[][..], |(_, allowed)| *allowed);
        let upward = shipped_with(&package).find(|used| !allowed.contains(used));
        ensure!(
            upward.is_none(),
            "{} must not depend on {}: it may use {allowed:?}",
            package.name,
            upward.unwrap_or_default()
        );
    }
    Ok(())
}

#[test]
fn reserved_crates_stay_with_their_owners() -> Result<()> {
    for package in packages()? {
        for (reserved, owners) in RESERVED {
            let named = package.dependencies.iter().any(|used| {
                used.name == *reserved || used.name.starts_with(&format!("{reserved}-"))
            });
            ensure!(
                !named || owners.contains(&package.name.as_str()),
                "{} must not depend on {reserved}, only {owners:?} may",
                package.name
            );
        }
    }
    Ok(())
}

#[test]
fn the_testkit_is_never_shipped() -> Result<()> {
    for package in packages()? {
        ensure!(
            shipped_with(&package).all(|used| used != "tillroll-testkit"),
            "{} ships tillroll-testkit: move it to [dev-dependencies]",
            package.name
        );
    }
    Ok(())
}

/// The members that a package takes along when it is built for use.
fn shipped_with(package: &Package) -> impl Iterator<Item = &str> {
    package
        .dependencies
        .iter()
        .filter(|used| !used.is_dev())
        .map(|used| used.name.as_str())
        .filter(|name| name.starts_with("tillroll"))
}
