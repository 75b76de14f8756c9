//! The product speaks of itself: no file names the machine it was written on, nor papers the reader does not have.

use std::path::Path;

use anyhow::{Result, ensure};

use crate::repository::{files, text};

/// What must not appear, written so that this file does not trip over itself.
const FOREIGN: &[&str] = &[
    // Folders of one person's or one build's machine.
    concat!("/wo", "rk/"),
    concat!("/fa", "rm/"),
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("\\Us", "ers\\"),
    concat!(".libr", "ary"),
    // How the work was organised.
    concat!("C", "EO"),
    concat!("this ses", "sion"),
    concat!("../sha", "red"),
    // Working papers: a reader of the code gets the rule itself.
    concat!("DESIGN", ".md"),
    concat!("escpos", ".md"),
    concat!(" cases", ".md"),
    concat!("/cases", ".md"),
    concat!("`cases", ".md"),
    concat!("peers", ".md"),
    concat!("perf", ".md"),
    concat!("style", ".md"),
];

#[test]
fn no_file_speaks_of_where_it_was_made() -> Result<()> {
    let mut found = Vec::new();
    for file in files()?.iter().filter(|file| !is_lock_file(file)) {
        for (index, line) in text(file)?.unwrap_or_default().lines().enumerate() {
            if let Some(word) = foreign_word(line) {
                found.push(format!("{}:{}: {word}", file.display(), index + 1));
            }
        }
    }
    ensure!(found.is_empty(), "words that are not the product's:\n{}", found.join("\n"));
    Ok(())
}

/// The first foreign word of a line; a cited section of the design counts as one.
fn foreign_word(line: &str) -> Option<&'static str> {
    if cites_a_section(line) {
        return Some(concat!("DESIGN", " and a number"));
    }
    FOREIGN.iter().find(|word| line.contains(**word)).copied()
}

fn cites_a_section(line: &str) -> bool {
    line.split(concat!("DESIGN", " "))
        .skip(1)
        .any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Written by tools, and full of addresses and digests.
fn is_lock_file(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "lock")
        || file.file_name().is_some_and(|name| name == "package-lock.json")
}

#[test]
fn foreign_words_are_found_and_others_are_not() {
    assert!(foreign_word(&format!("see {} for it", concat!("/ho", "me/me/notes"))).is_some());
    assert!(foreign_word(&format!("as {} 6 says", "DESIGN")).is_some());
    assert!(foreign_word("DESIGN of the paper path, drawn from /usr/share/fonts").is_none());
}
