//! Aligned tables for people; double-width characters count twice.

use unicode_width::UnicodeWidthStr as _;

use crate::failure::Failure;
use crate::output::{Output, Tone};

/// Space between columns.
const GAP: usize = 2;

/// One cell.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    text: String,
    tone: Tone,
    right: bool,
}

impl Cell {
    /// A text.
    pub fn text(text: impl ToString) -> Self {
        Self { text: text.to_string(), ..Self::default() }
    }

    /// A number, aligned to the right.
    pub fn number(text: impl ToString) -> Self {
        Self { right: true, ..Self::text(text) }
    }

    /// The same in a tone.
    pub fn tone(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }
}

/// Rows under headings.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with headings. A heading is aligned as the cells of the first row below it.
    pub fn new<const N: usize>(headings: [&str; N]) -> Self {
        let heading = |text: &&str| Cell::text(text).tone(Tone::Faint);
        Self { rows: vec![headings.iter().map(heading).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Whether there is nothing under the headings.
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 1
    }

    /// Writes the table, or `nothing` when it has no rows.
    pub fn write(mut self, output: &Output, nothing: &str) -> Result<(), Failure> {
        if self.is_empty() {
            return output.line(output.paint(Tone::Faint, nothing));
        }
        self.align_headings();
        output.line(self.lines(output).join("\n"))
    }

    fn align_headings(&mut self) {
        let Some((headings, rows)) = self.rows.split_first_mut() else { return };
        let Some(first) = rows.first() else { return };
        for (heading, below) in headings.iter_mut().zip(first) {
            heading.right = below.right;
        }
    }

    fn lines(&self, output: &Output) -> Vec<String> {
        let widths = self.widths();
        self.rows.iter().map(|row| line(row, &widths, output)).collect()
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.text.width()).max().unwrap_or(0)
        };
        (0..columns).map(width).collect()
    }
}

fn line(row: &[Cell], widths: &[usize], output: &Output) -> String {
    let mut line = String::new();
    // Spaces owed: written only in front of something, so that no line ends in spaces.
    let mut owed = 0;
    for (cell, width) in row.iter().zip(widths) {
        let free = width.saturating_sub(cell.text.width());
        let (before, after) = if cell.right { (free, 0) } else { (0, free) };
        if !cell.text.is_empty() {
            line.push_str(&" ".repeat(owed + before));
            line.push_str(&output.paint(cell.tone, &cell.text));
            owed = after + GAP;
        } else {
            owed += width + GAP;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_under_double_width_characters() {
        let mut table = Table::new(["name", "minor"]);
        table.row([Cell::text("牛肉面"), Cell::number(5600)]);
        table.row([Cell::text("tea"), Cell::number(3)]);
        table.align_headings();
        let lines = table.lines(&Output::of_process());
        assert_eq!(lines, ["name    minor", "牛肉面   5600", "tea         3"]);
    }

    #[test]
    fn no_line_ends_in_spaces() {
        let mut table = Table::new(["a", "b", "c"]);
        table.row([Cell::text("x"), Cell::text(""), Cell::text("")]);
        assert!(table.lines(&Output::of_process()).iter().all(|line| !line.ends_with(' ')));
    }
}
