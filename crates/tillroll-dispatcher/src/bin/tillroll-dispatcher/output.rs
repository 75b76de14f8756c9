//! The one place that writes to standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write as _};

use serde::Serialize;

use crate::failure::Failure;

/// Space between columns.
const GAP: usize = 2;

/// Writes a line and flushes it.
pub fn line(line: impl Display) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}").and_then(|()| stdout.flush()).map_err(Failure::Output)
}

/// Writes a value as one line of JSON.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    line(serde_json::to_string(value)?)
}

/// Tells what is going on, beside the result: on standard error, so that pipes stay clean.
pub fn note(text: impl Display) -> Result<(), Failure> {
    writeln!(io::stderr().lock(), "{text}").map_err(Failure::Output)
}

/// Tells why the command failed. With standard error closed too there is nobody left to tell.
pub fn failure(failure: &Failure) {
    let _ = writeln!(io::stderr().lock(), "tillroll-dispatcher: {failure}");
}

/// Writes rows under headings, or `nothing` when there are none.
pub fn table<const N: usize>(
    headings: [&str; N],
    rows: Vec<[String; N]>,
    nothing: &str,
) -> Result<(), Failure> {
    if rows.is_empty() {
        return line(nothing);
    }
    let mut all = vec![headings.map(str::to_owned)];
    all.extend(rows);
    let width = |column: usize| all.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|column| width(column).unwrap_or(0)).collect();
    all.iter().try_for_each(|row| line(aligned(row, &widths)))
}

fn aligned(row: &[String], widths: &[usize]) -> String {
    let mut text = String::new();
    for (cell, width) in row.iter().zip(widths) {
        text.push_str(cell);
        let free = width.saturating_sub(cell.chars().count());
        text.push_str(&" ".repeat(free + GAP));
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_no_line_ends_in_spaces() {
        let row = |cells: [&str; 2]| aligned(&cells.map(str::to_owned), &[4, 6]);
        assert_eq!(row(["a", "b"]), "a     b");
        assert_eq!(row(["long", ""]), "long");
    }
}
