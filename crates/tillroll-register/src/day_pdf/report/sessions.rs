//! The sessions of the day: their cash, who signed them and when, and what changed after.

use tillroll_domain::print_job::JobState;

use super::{Report, or_nothing};
use crate::day_pdf::layout::{Block, Cell, Column, Row, Table};
use crate::view::{CashView, CorrectionView, SessionFigures};

impl Report<'_> {
    /// Cash, a row for each session; the reason below it.
    pub(super) fn cash(&self) -> Vec<Block> {
        let words = self.words;
        if self.day.sessions.is_empty() {
            return Vec::new();
        }
        let mut columns = vec![Column::words(words.session, 0.55)];
        let heads = [
            words.cash_float,
            words.cash_sales,
            words.paid_in,
            words.paid_out,
            words.expected,
            words.counted,
            words.difference,
        ];
        columns.extend(heads.map(|head| Column::numbers(head, 1.0)));
        let rows = self.day.sessions.iter().map(|session| self.cash_row(session)).collect();
        vec![self.section(words.cash), Block::Table(Table { columns, rows })]
    }

    fn cash_row(&self, session: &SessionFigures) -> Row {
        let cash: &CashView = &session.cash;
        let plain = |minor: i64| Cell::plain(self.amount(minor));
        let difference = match cash.difference_minor {
            None => or_nothing(None),
            Some(0) => Cell::good(self.amount(0)),
            Some(minor) => Cell::bad(self.amount(minor)),
        };
        let reason = cash.reason.as_ref();
        Row {
            cells: vec![
                Cell::strong(z(session.z_no)),
                plain(cash.float_minor),
                plain(cash.sales_minor),
                plain(cash.paid_in_minor),
                plain(cash.paid_out_minor),
                Cell::strong(self.amount(cash.expected_minor)),
                or_nothing(cash.counted_minor.map(|minor| self.amount(minor))),
                difference,
            ],
            note: reason.map(|reason| Cell::muted(self.words.reason.replace("{reason}", reason))),
            is_sum: false,
        }
    }

    /// When each session was opened and closed, and who signed it.
    pub(super) fn signatures(&self) -> Vec<Block> {
        let words = self.words;
        let section = self.section(words.sessions);
        if self.day.sessions.is_empty() {
            return vec![section, Block::Sentence(Cell::muted(words.no_session))];
        }
        let columns = vec![
            Column::words(words.session, 0.5),
            Column::words(words.opened, 1.6),
            Column::words(words.closed, 1.6),
            Column::words(words.signed_by, 1.1),
            Column::numbers(words.receipts, 0.7),
            Column::numbers(words.refunds, 1.2),
            Column::numbers(words.net, 1.05),
        ];
        let rows = self.day.sessions.iter().map(|session| self.signature(session)).collect();
        vec![section, Block::Table(Table { columns, rows })]
    }

    fn signature(&self, session: &SessionFigures) -> Row {
        let totals = &session.totals;
        let closed = match session.closed_at {
            Some(at) => Cell::plain(self.letterhead.moment(at)),
            None => Cell::muted(self.words.still_open),
        };
        let signed = session.closed_by.as_deref().map(|name| self.person(name).to_owned());
        Row::of([
            Cell::strong(z(session.z_no)),
            Cell::plain(self.letterhead.moment(session.opened_at)),
            closed,
            or_nothing(signed),
            Cell::plain(totals.receipts.to_string()),
            Cell::plain(totals.refunds.to_string()),
            Cell::plain(self.amount(totals.gross_minor - totals.refunded_minor)),
        ])
    }

    /// Answers and proofs that came after the close.
    pub(super) fn corrections(&self) -> Vec<Block> {
        let words = self.words;
        let corrected = self.day.sessions.iter().flat_map(|session| {
            session.corrections.iter().map(|correction| self.correction(session.z_no, correction))
        });
        let rows: Vec<_> = corrected.collect();
        if rows.is_empty() {
            return Vec::new();
        }
        let columns = vec![
            Column::words(words.session, 0.5),
            Column::words(words.when, 1.5),
            Column::words(words.job, 3.0),
            Column::words(words.change, 2.4),
        ];
        vec![self.section(words.corrections), Block::Table(Table { columns, rows })]
    }

    fn correction(&self, z_no: i64, correction: &CorrectionView) -> Row {
        let (was, became) = (self.state(correction.was), self.state(correction.became));
        Row::of([
            Cell::strong(z(z_no)),
            Cell::plain(self.letterhead.moment(correction.corrected_at)),
            Cell::plain(&correction.id),
            Cell::plain(format!("{was} → {became}")),
        ])
    }

    fn state(&self, state: JobState) -> &'static str {
        let words = self.words;
        match state {
            JobState::Pending => words.pending,
            JobState::Held => words.held,
            JobState::Printing => words.printing,
            JobState::Printed => words.on_paper,
            JobState::Sent => words.sent,
            JobState::Unconfirmed => words.unconfirmed,
            JobState::Failed => words.failed,
            JobState::Skipped => words.skipped,
        }
    }
}

fn z(number: i64) -> String {
    format!("Z {number}")
}
