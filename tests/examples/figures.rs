//! Makes one summary of what the benches measured last, and puts their tables into the documents.
//!
//! `figures clear` forgets what was measured. Figures of a scaled run are shown and written nowhere.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use tillroll_tests::figures::{Filled, Sheet, clear, fill, read_all, summary, where_and_when};

const DOCUMENTS: [&str; 2] = ["performance.md", "scale.md"];

fn main() -> Result<()> {
    if std::env::args().nth(1).as_deref() == Some("clear") {
        return clear();
    }
    let sheets = read_all()?;
    ensure!(!sheets.is_empty(), "nothing was measured yet");
    println!("\n{}\n\n{}", where_and_when(&sheets), summary(&sheets));
    if sheets.iter().any(|sheet| sheet.is_scaled) {
        println!(
            "\nCounts were scaled: these figures say nothing, and the documents stay as they are."
        );
        return Ok(());
    }
    write(&sheets)
}

fn write(sheets: &[Sheet]) -> Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    for name in DOCUMENTS {
        let path = docs.join(name);
        let text = fs::read_to_string(&path).context(name)?;
        let Filled { text, left } = fill(&text, sheets).context(name)?;
        fs::write(&path, text).context(name)?;
        for table in left {
            eprintln!("docs/{name}: {table} was not measured, its figures stand as they stood");
        }
    }
    Ok(())
}
