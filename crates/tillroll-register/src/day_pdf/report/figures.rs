//! The figures of the whole day: three columns side by side, and what became of the paper.

use std::collections::BTreeSet;

use super::{NOTHING, Report};
use crate::day_pdf::layout::{Block, Cell, Column, Row, Table};
use crate::view::{CloudSource, PaperView, TotalsView};

/// One figure of the totals, as it is written.
type Figure<'a> = &'a dyn Fn(&TotalsView) -> String;

impl Report<'_> {
    /// POS, register and cloud.
    pub(super) fn side_by_side(&self) -> [Block; 2] {
        let words = self.words;
        let columns = vec![
            Column::words(
                words.currency_note.replace("{currency}", self.letterhead.currency.code()),
                2.0,
            ),
            Column::numbers(head(words.pos, self.day.pos.is_some(), words.not_declared), 1.1),
            Column::numbers(words.register_column, 1.0),
            Column::numbers(self.cloud_head(), 1.1),
        ];
        let net = |totals: &TotalsView| self.amount(totals.gross_minor - totals.refunded_minor);
        let mut rows = vec![
            self.figure(words.receipts, &|totals| totals.receipts.to_string()),
            self.figure(words.gross, &|totals| self.amount(totals.gross_minor)),
            self.figure(words.refunds, &|totals| totals.refunds.to_string()),
            self.figure(words.refunded, &|totals| self.amount(totals.refunded_minor)),
            Row { is_sum: true, ..self.figure(words.net, &net) },
        ];
        rows.extend(self.tenders().into_iter().map(|tender| {
            let taken = |totals: &TotalsView| {
                self.amount(totals.tenders.get(tender).copied().unwrap_or_default())
            };
            self.figure(self.letterhead.locale.tender(tender), &taken)
        }));
        rows.push(self.unsent());
        [self.section(words.side_by_side), Block::Table(Table { columns, rows })]
    }

    fn figure(&self, name: &str, figure: Figure<'_>) -> Row {
        let register = figure(&self.day.register);
        let pos = match self.day.pos.as_ref().map(figure) {
            None => Cell::muted(NOTHING),
            Some(pos) if pos == register => Cell::plain(pos),
            Some(pos) => Cell::bad(pos),
        };
        let cloud = match self.day.cloud.totals.as_ref().map(figure) {
            None => Cell::muted(NOTHING),
            Some(cloud) if cloud == register => Cell::plain(cloud),
            Some(cloud) => Cell::bad(cloud),
        };
        Row::of([Cell::plain(name), pos, Cell::plain(register), cloud])
    }

    /// What stands over the head office's column, and why its figures are not its own word.
    fn cloud_head(&self) -> String {
        let (words, cloud) = (self.words, &self.day.cloud);
        match cloud.source {
            Some(CloudSource::Acknowledged) => head(words.cloud, false, words.as_acknowledged),
            Some(CloudSource::HeadOffice) | None => {
                head(words.cloud, cloud.paired, words.not_set_up)
            }
        }
    }

    fn unsent(&self) -> Row {
        let unsent = Cell::plain(self.day.cloud.unsent.to_string());
        let nothing = || Cell::muted("");
        Row::of([Cell::plain(self.words.unsent), nothing(), nothing(), unsent])
    }

    fn tenders(&self) -> BTreeSet<&str> {
        let totals = self.day.pos.iter().chain([&self.day.register]).chain(&self.day.cloud.totals);
        totals.flat_map(|totals| totals.tenders.keys().map(String::as_str)).collect()
    }

    /// Receipts recorded, and what became of each: settled on the left, open on the right.
    pub(super) fn paper(&self) -> [Block; 3] {
        let (words, paper) = (self.words, &self.day.paper);
        let columns = vec![
            Column::words("", 2.3),
            Column::numbers("", 0.6),
            Column::words("", 0.2),
            Column::words("", 2.3),
            Column::numbers("", 0.6),
        ];
        let rows = vec![
            pair((words.printed, paper.printed), open((words.unconfirmed, paper.unconfirmed))),
            pair((words.assumed, paper.assumed), open((words.failed, paper.failed))),
            pair((words.by_clerk, paper.confirmed_by_clerk), open((words.waiting, paper.waiting))),
            pair((words.skipped, paper.skipped), beside((words.reprinted, paper.reprinted))),
            pair((words.recorded, paper.recorded), beside((words.copies, paper.copies))),
        ];
        let [section, table] = [self.section(words.paper), Block::Table(Table { columns, rows })];
        [section, table, Block::Sentence(self.settled(paper))]
    }

    fn settled(&self, paper: &PaperView) -> Cell {
        let settled = paper.printed + paper.assumed + paper.confirmed_by_clerk + paper.skipped;
        let open = paper.recorded - settled;
        let recorded = paper.recorded.to_string();
        if open == 0 {
            return Cell::good(self.words.all_settled.replace("{recorded}", &recorded));
        }
        let told = self.words.some_open.replace("{open}", &open.to_string());
        Cell::bad(told.replace("{recorded}", &recorded))
    }
}

/// What stands over a column, and why it is empty where it is.
fn head(name: &str, is_there: bool, why_not: &str) -> String {
    if is_there { name.to_owned() } else { format!("{name} · {why_not}") }
}

fn pair((name, count): (&str, i64), right: [Cell; 2]) -> Row {
    let [beside, its_count] = right;
    let gap = Cell::plain("");
    Row::of([Cell::plain(name), Cell::plain(count.to_string()), gap, beside, its_count])
}

/// A count that should be nothing.
fn open((name, count): (&str, i64)) -> [Cell; 2] {
    let shown = if count == 0 { Cell::plain } else { Cell::bad };
    [Cell::plain(name), shown(count.to_string())]
}

/// A count that is part of another one.
fn beside((name, count): (&str, i64)) -> [Cell; 2] {
    [Cell::muted(name), Cell::muted(count.to_string())]
}
