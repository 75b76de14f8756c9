//! Openings of the drawer without a sale.

use super::{Report, or_nothing};
use crate::day_pdf::layout::{Block, Cell, Column, Row, Table};
use crate::view::OpeningView;

impl Report<'_> {
    /// The openings, where there were some.
    pub(super) fn openings(&self) -> Vec<Block> {
        let words = self.words;
        if self.day.openings.is_empty() {
            return Vec::new();
        }
        let columns = vec![
            Column::words(words.when, 1.5),
            Column::words(words.printer, 1.0),
            Column::words(words.opened_by, 1.0),
            Column::words(words.opening_reason, 2.6),
            Column::words(words.outcome, 1.2),
        ];
        let rows = self.day.openings.iter().map(|opening| self.opening(opening)).collect();
        vec![self.section(words.openings), Block::Table(Table { columns, rows })]
    }

    fn opening(&self, opening: &OpeningView) -> Row {
        let words = self.words;
        let client = opening.client.as_deref().map(|client| self.person(client).to_owned());
        let outcome = match opening.outcome.as_str() {
            "opened" => words.drawer_opened,
            "dropped" => words.drawer_dropped,
            "due" => words.drawer_due,
            _ => words.drawer_unconfirmed,
        };
        Row::of([
            Cell::plain(self.letterhead.moment(opening.asked_at)),
            Cell::plain(&opening.printer),
            or_nothing(client),
            Cell::plain(&opening.reason),
            Cell::plain(outcome),
        ])
    }
}
