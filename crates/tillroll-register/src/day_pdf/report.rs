//! What is in the document of a day, top to bottom. Nothing is hidden: every difference is a row.

mod differences;
mod figures;
mod openings;
mod sessions;

use super::Letterhead;
use super::layout::{Block, Cell};
use super::words::Words;
use crate::clients::OWNER;
use crate::roles::{CASHIER, MANAGER};
use crate::view::DayView;

/// The blocks of a day.
pub(super) fn blocks(day: &DayView, letterhead: &Letterhead, words: &'static Words) -> Vec<Block> {
    let report = Report { day, letterhead, words };
    let mut blocks = vec![report.title(), report.facts()];
    blocks.extend(report.side_by_side());
    blocks.extend(report.paper());
    blocks.extend(report.differences());
    blocks.extend(report.cash());
    blocks.extend(report.signatures());
    blocks.extend(report.corrections());
    blocks.extend(report.openings());
    blocks
}

struct Report<'a> {
    day: &'a DayView,
    letterhead: &'a Letterhead,
    words: &'static Words,
}

impl Report<'_> {
    fn title(&self) -> Block {
        let found = self.day.differences.len();
        let good = found == 0;
        let verdict = if good {
            self.words.adds_up.to_owned()
        } else {
            self.words.differs.replace("{count}", &found.to_string())
        };
        Block::Title { text: self.words.title.to_owned(), verdict, good }
    }

    fn facts(&self) -> Block {
        let Letterhead { store, register, currency, zone_name, .. } = self.letterhead;
        let facts = [
            (self.words.day, self.day.day.clone()),
            (self.words.store, store.clone()),
            (self.words.register, register.clone()),
            (self.words.session, self.z_numbers()),
            (self.words.currency, currency.code().to_owned()),
            (self.words.zone, zone_name.clone()),
        ];
        Block::Facts(facts.map(|(name, value)| (name.to_owned(), value)).into())
    }

    /// `Z 12`, `Z 12–14`, or a dash for a day without a session.
    fn z_numbers(&self) -> String {
        match self.day.sessions.as_slice() {
            [] => NOTHING.to_owned(),
            [only] => format!("Z {}", only.z_no),
            [first, .., last] => format!("Z {}–{}", first.z_no, last.z_no),
        }
    }

    fn section(&self, heading: &str) -> Block {
        Block::Section(heading.to_owned())
    }

    /// The people at the register have words; a program keeps its name.
    fn person<'a>(&self, client: &'a str) -> &'a str {
        match client {
            OWNER => self.words.owner,
            MANAGER => self.words.manager,
            CASHIER => self.words.cashier,
            program => program,
        }
    }

    fn amount(&self, minor: i64) -> String {
        self.letterhead.amount(minor)
    }
}

/// Stands where there is no figure.
const NOTHING: &str = "–";

/// A number, or the sign that there is none.
fn or_nothing(text: Option<String>) -> Cell {
    text.map_or_else(|| Cell::muted(NOTHING), Cell::plain)
}
