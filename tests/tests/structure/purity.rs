//! The pure crates stay pure: no I/O, clock, thread or chance, neither by dependency nor by the standard library.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::repository::{cargo, files, output_of, packages, text};

/// Pure rules and shapes. They get time and bytes from their callers.
const PURE: &[&str] = &["tillroll-domain", "tillroll-escpos", "tillroll-wire"];

/// Crates that do I/O, keep time or make chance. `getrandom` and `rustix` stand for what they call.
const IMPURE_CRATES: &[&str] = &[
    "tokio",
    "mio",
    "async-std",
    "rustix",
    "getrandom",
    "reqwest",
    "hyper",
    "rusqlite",
    "tracing-subscriber",
];

/// Parts of the standard library that reach outside the program.
const IMPURE_PATHS: &[&str] = &[
    "std::env",
    "std::fs",
    "std::net",
    "std::os",
    "std::process",
    "std::thread",
    "Instant::now",
    "SystemTime",
    "Timestamp::now",
    "Zoned::now",
];

#[test]
fn pure_crates_pull_in_nothing_that_does_io() -> Result<()> {
    let members = packages()?;
    for pure in PURE.iter().filter(|pure| members.iter().any(|member| member.name == **pure)) {
        let tree = output_of(cargo().args([
            "tree",
            "--offline",
            "--edges=normal",
            "--prefix=none",
            "--format={p}",
            "--package",
            pure,
        ]))?;
        for line in tree.lines() {
            let name = line.split(' ').next().unwrap_or_default();
            ensure!(
                !IMPURE_CRATES.contains(&name),
                "{pure} is pure but pulls in {name}: cargo tree -p {pure} -e normal -i {name}"
            );
        }
    }
    Ok(())
}

#[test]
fn pure_crates_do_not_reach_outside_the_program() -> Result<()> {
    for file in files()?.iter().filter(|file| is_pure_source(file)) {
        let source = text(file)?.unwrap_or_default();
        for (number, line) in product_lines(&source) {
            let found = IMPURE_PATHS.iter().find(|path| line.contains(**path));
            ensure!(
                found.is_none(),
                "{}:{number}: {} has no place in a pure crate: take the value as an argument",
                file.display(),
                found.unwrap_or(&"")
            );
        }
    }
    Ok(())
}

fn is_pure_source(file: &Path) -> bool {
    let in_pure_crate =
        PURE.iter().any(|pure| file.starts_with(Path::new("crates").join(pure).join("src")));
    in_pure_crate
        && file.extension().is_some_and(|extension| extension == "rs")
        && !is_for_tests(file)
}

/// Modules that are built for tests alone go by these names.
fn is_for_tests(file: &Path) -> bool {
    file.iter().filter_map(|part| part.to_str()).any(|part| {
        part == "tests"
            || part == "tests.rs"
            || (part.starts_with("test_") && part.ends_with(".rs"))
    })
}

/// The numbered lines before a file's own test module, without comments.
fn product_lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    source
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[test]
fn only_product_lines_are_searched() {
    let source =
        "use std::fs;\n// std::net\nfn f() {}\n#[cfg(test)]\nmod tests { use std::env; }\n";
    let numbers: Vec<usize> = product_lines(source).map(|(number, _)| number).collect();
    assert_eq!(numbers, [1, 3]);
}
