//! The day as CSV (RFC 4180): one figure a row, so that any table program can sum and compare.

use std::fmt::Write as _;

use super::{CashView, DayView, PaperView, SessionFigures, TotalsView};

const HEAD: [&str; 4] = ["column", "item", "figure", "value"];

impl DayView {
    /// The day as CSV in UTF-8 with CRLF.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut table = Table::default();
        table.row(&HEAD);
        if let Some(pos) = &self.pos {
            table.totals("pos", "", pos);
        }
        table.totals("register", "", &self.register);
        table.paper(&self.paper);
        if let Some(totals) = &self.cloud.totals {
            table.totals("cloud", "", totals);
        }
        table.figure("cloud", "", "unsent", self.cloud.unsent);
        for session in &self.sessions {
            table.session(session);
        }
        for difference in &self.differences {
            // A difference of words and numbers has a JSON form.
            let told = serde_json::to_string(difference).unwrap_or_default();
            table.row(&["difference", "", "", &told]);
        }
        table.text
    }
}

#[derive(Default)]
struct Table {
    text: String,
}

impl Table {
    fn row(&mut self, cells: &[&str]) {
        let cells: Vec<_> = cells.iter().map(|cell| quoted(cell)).collect();
        self.text.push_str(&cells.join(","));
        self.text.push_str("\r\n");
    }

    fn figure(&mut self, column: &str, item: &str, figure: &str, value: i64) {
        self.row(&[column, item, figure, &value.to_string()]);
    }

    fn totals(&mut self, column: &str, item: &str, totals: &TotalsView) {
        self.figure(column, item, "receipts", totals.receipts);
        self.figure(column, item, "refunds", totals.refunds);
        self.figure(column, item, "gross_minor", totals.gross_minor);
        self.figure(column, item, "refunded_minor", totals.refunded_minor);
        for (tender, minor) in &totals.tenders {
            self.figure(column, item, &format!("tender {tender}"), *minor);
        }
    }

    fn paper(&mut self, paper: &PaperView) {
        let figures = [
            ("recorded", paper.recorded),
            ("printed", paper.printed),
            ("assumed", paper.assumed),
            ("confirmed_by_clerk", paper.confirmed_by_clerk),
            ("skipped", paper.skipped),
            ("unconfirmed", paper.unconfirmed),
            ("failed", paper.failed),
            ("waiting", paper.waiting),
            ("reprinted", paper.reprinted),
            ("copies", paper.copies),
        ];
        for (figure, value) in figures {
            self.figure("paper", "", figure, value);
        }
    }

    fn session(&mut self, session: &SessionFigures) {
        let item = format!("z{}", session.z_no);
        self.row(&["session", &item, "opened_at", &session.opened_at.to_string()]);
        if let Some(closed_at) = session.closed_at {
            self.row(&["session", &item, "closed_at", &closed_at.to_string()]);
        }
        if let Some(closed_by) = &session.closed_by {
            self.row(&["session", &item, "closed_by", closed_by]);
        }
        self.totals("session", &item, &session.totals);
        self.cash(&item, &session.cash);
        for correction in &session.corrections {
            let told = format!("{} {} -> {}", correction.id, correction.was, correction.became);
            self.row(&["correction", &item, &correction.corrected_at.to_string(), &told]);
        }
    }

    fn cash(&mut self, item: &str, cash: &CashView) {
        let figures = [
            ("float_minor", Some(cash.float_minor)),
            ("sales_minor", Some(cash.sales_minor)),
            ("paid_in_minor", Some(cash.paid_in_minor)),
            ("paid_out_minor", Some(cash.paid_out_minor)),
            ("expected_minor", Some(cash.expected_minor)),
            ("counted_minor", cash.counted_minor),
            ("difference_minor", cash.difference_minor),
        ];
        for (figure, value) in figures {
            if let Some(value) = value {
                self.figure("cash", item, figure, value);
            }
        }
        if let Some(reason) = &cash.reason {
            self.row(&["cash", item, "reason", reason]);
        }
    }
}

/// A cell in quotes. No table program may take a text for a formula.
fn quoted(cell: &str) -> String {
    let is_number = cell.parse::<i64>().is_ok();
    let looks_like_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number;
    let guard = if looks_like_formula { "'" } else { "" };
    let mut quoted = String::with_capacity(cell.len() + 2);
    // Writing to a text does not fail.
    let _ = write!(quoted, "\"{guard}{}\"", cell.replace('"', "\"\""));
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_doubled_and_formulas_disarmed() {
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
        assert_eq!(quoted("=1+1"), "\"'=1+1\"");
        assert_eq!(quoted("-5"), "\"-5\"");
        assert_eq!(quoted("-5+cmd"), "\"'-5+cmd\"");
    }
}
