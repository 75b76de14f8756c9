//! Every difference of the day, and what to do about it.

use tillroll_domain::reconciliation::{Cure, Difference};

use super::Report;
use crate::day_pdf::layout::{Block, Cell, Column, Row, Table};

impl Report<'_> {
    /// The differences, or that there are none.
    pub(super) fn differences(&self) -> [Block; 2] {
        let (words, found) = (self.words, &self.day.differences);
        let section = self.section(words.differences);
        if found.is_empty() {
            return [section, Block::Sentence(Cell::good(words.no_differences))];
        }
        let columns = vec![
            Column::numbers("#", 0.28),
            Column::words(words.difference_what, 3.2),
            Column::words(words.difference_cure, 3.4),
        ];
        let numbered = (1_usize..).zip(found);
        let rows = numbered.map(|(number, difference)| {
            let (told, cure) = self.tell(difference);
            Row::of([Cell::muted(number.to_string()), told, Cell::plain(self.advice(cure))])
        });
        [section, Block::Table(Table { columns, rows: rows.collect() })]
    }

    fn tell(&self, difference: &Difference) -> (Cell, Cure) {
        let words = self.words;
        match difference {
            Difference::Pos { figure, pos, register, cure } => {
                let told = words.differs_pos.replace("{figure}", &self.name(figure));
                let told = told.replace("{pos}", &self.value(figure, *pos));
                (Cell::plain(told.replace("{register}", &self.value(figure, *register))), *cure)
            }
            Difference::Paper { figure, count, cure } => {
                let told = words.differs_paper.replace("{figure}", &self.name(figure));
                (Cell::plain(told.replace("{count}", &count.to_string())), *cure)
            }
            Difference::Unaccounted { count, cure } => {
                (Cell::bad(words.differs_unaccounted.replace("{count}", &count.to_string())), *cure)
            }
            Difference::FlowGap { after, before, alarm, cure } => {
                let told = self.gap(after.saturating_add(1), before.saturating_sub(1));
                let shown = if *alarm { Cell::bad } else { Cell::plain };
                (shown(told), *cure)
            }
            Difference::CashDifference { difference_minor, reason, cure } => {
                (Cell::plain(self.cash_off(difference_minor.0, reason.as_deref())), *cure)
            }
            Difference::Unsent { count, cure } => {
                (Cell::plain(words.differs_unsent.replace("{count}", &count.to_string())), *cure)
            }
            Difference::Refused { count, cure } => {
                (Cell::bad(words.differs_refused.replace("{count}", &count.to_string())), *cure)
            }
            Difference::Cloud { figure, register, cloud, cure } => {
                let told = words.differs_cloud.replace("{figure}", &self.name(figure));
                let told = told.replace("{cloud}", &self.value(figure, *cloud));
                (Cell::bad(told.replace("{register}", &self.value(figure, *register))), *cure)
            }
            Difference::ClockDrift { drift_ms, cure } => {
                let minutes = (drift_ms.unsigned_abs() / 60_000).to_string();
                (Cell::bad(words.differs_clock.replace("{minutes}", &minutes)), *cure)
            }
        }
    }

    fn gap(&self, first: i64, last: i64) -> String {
        let words = self.words;
        let told = if first == last { words.differs_number } else { words.differs_numbers };
        told.replace("{first}", &first.to_string()).replace("{last}", &last.to_string())
    }

    fn cash_off(&self, minor: i64, reason: Option<&str>) -> String {
        let told = self.words.differs_cash.replace("{amount}", &self.amount(minor));
        match reason {
            Some(reason) => format!("{told} ({reason})"),
            None => told,
        }
    }

    /// What a figure of a difference is called.
    fn name(&self, figure: &str) -> String {
        let words = self.words;
        let name = match figure {
            "receipts" => words.receipts,
            "refunds" => words.refunds,
            "gross_minor" => words.gross,
            "refunded_minor" => words.refunded,
            "unconfirmed" => words.unconfirmed,
            "failed" => words.failed,
            "waiting" => words.waiting,
            other => {
                let tender = other.strip_prefix("tenders.").unwrap_or(other);
                self.letterhead.locale.tender(tender)
            }
        };
        name.to_owned()
    }

    /// Counts as they are, amounts with their decimals.
    fn value(&self, figure: &str, value: i64) -> String {
        let is_amount = figure.ends_with("_minor") || figure.starts_with("tenders.");
        if is_amount { self.amount(value) } else { value.to_string() }
    }

    fn advice(&self, cure: Cure) -> &'static str {
        let words = self.words;
        match cure {
            Cure::AnswerTodo => words.cure_answer_todo,
            Cure::LookAtPrinter => words.cure_look_at_printer,
            Cure::CompareWithPos => words.cure_compare_with_pos,
            Cure::FindFlowNumber => words.cure_find_flow_number,
            Cure::Recount => words.cure_recount,
            Cure::SetClock => words.cure_set_clock,
            Cure::WaitForNetwork => words.cure_wait_for_network,
            Cure::AnswerRecords => words.cure_answer_records,
            Cure::CompareWithCloud => words.cure_compare_with_cloud,
        }
    }
}
