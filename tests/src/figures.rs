//! What benches measured, told in one way: tables, notes, and figures with the bar they must reach.
//!
//! A part of a bench gives its [`Findings`]. A [`Bench`] prints them and keeps them as a [`Sheet`] in
//! `target/bench`; of all sheets together the program `figures` makes one summary and the tables of the
//! documents. A missed bar is a figure like the others: it is shown, and nothing fails.

mod bar;
mod bench;
mod document;
pub mod number;
mod sheet;
mod summary;
mod table;

use serde::{Deserialize, Serialize};

pub use self::bar::Bar;
pub use self::bench::Bench;
pub use self::document::{Filled, fill};
pub use self::sheet::{Sheet, clear, read_all};
pub use self::summary::{summary, where_and_when};
pub use self::table::Table;

/// What a part of a bench found, in the order in which it is told.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings(Vec<Finding>);

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Finding {
    Table(Table),
    /// A table for whoever looks closer: printed, and in no document.
    Aside(Table),
    /// A sentence or two.
    Note(String),
    Bar(Bar),
}

impl Findings {
    /// With a table.
    #[must_use]
    pub fn table(mut self, table: Table) -> Self {
        self.0.push(Finding::Table(table));
        self
    }

    /// With a table for whoever looks closer: printed, and in no document.
    #[must_use]
    pub fn aside(mut self, table: Table) -> Self {
        self.0.push(Finding::Aside(table));
        self
    }

    /// With a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.0.push(Finding::Note(note.into()));
        self
    }

    /// With figures that are judged.
    #[must_use]
    pub fn bars(mut self, bars: impl IntoIterator<Item = Bar>) -> Self {
        self.0.extend(bars.into_iter().map(Finding::Bar));
        self
    }

    /// With what another has found too.
    #[must_use]
    pub fn and(mut self, mut others: Self) -> Self {
        self.0.append(&mut others.0);
        self
    }

    /// Tables and notes as a document shows them; the judged figures stand in the summary.
    fn told(&self) -> String {
        let told: Vec<String> = self
            .0
            .iter()
            .filter_map(|finding| match finding {
                Finding::Table(table) => Some(table.to_string()),
                Finding::Note(note) => Some(note.clone()),
                Finding::Aside(_) | Finding::Bar(_) => None,
            })
            .collect();
        told.join("\n\n")
    }

    fn judged(&self) -> impl Iterator<Item = &Bar> {
        self.0.iter().filter_map(|finding| match finding {
            Finding::Bar(bar) => Some(bar),
            Finding::Table(_) | Finding::Aside(_) | Finding::Note(_) => None,
        })
    }
}
