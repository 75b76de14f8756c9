//! A table of figures, as Markdown.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A table: names in the first column, figures in the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    title: String,
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new<const COLUMNS: usize>(title: impl Into<String>, heads: [&str; COLUMNS]) -> Self {
        let heads = heads.into_iter().map(str::to_owned).collect();
        Self { title: title.into(), heads, rows: Vec::new() }
    }

    /// With one more row.
    #[must_use]
    pub fn row<const COLUMNS: usize>(mut self, cells: [String; COLUMNS]) -> Self {
        self.push(cells);
        self
    }

    /// One more row.
    pub fn push<const COLUMNS: usize>(&mut self, cells: [String; COLUMNS]) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.title.is_empty() {
            writeln!(f, "{}\n", self.title)?;
        }
        writeln!(f, "| {} |", self.heads.join(" | ").trim_start())?;
        write!(f, "| ---{} |", " | ---:".repeat(self.heads.len().saturating_sub(1)))?;
        for row in &self.rows {
            write!(f, "\n| {} |", row.join(" | "))?;
        }
        Ok(())
    }
}

#[test]
fn names_stand_left_and_figures_right() {
    let table = Table::new("Jobs", ["", "a second"]).row(["ours".to_owned(), "12".to_owned()]);
    assert_eq!(table.to_string(), "Jobs\n\n| | a second |\n| --- | ---: |\n| ours | 12 |");
}
