//! The books of the demonstration: what its POS says, the day's table, the close.

use tillroll_domain::receipt::Receipt;
use tillroll_domain::reconciliation::Totals;
use tillroll_register::view::{CloseBody, TotalsView};

use super::stage::Stage;
use super::{Demo, title};
use crate::commands::day::{DayFigures, write_closing, write_day};
use crate::failure::Failure;
use crate::output::Output;

/// What the POS of the restaurant sold, by its own count.
#[derive(Default)]
pub(super) struct Books {
    totals: Totals,
}

impl Books {
    pub(super) fn add(&mut self, receipt: &Receipt) {
        self.totals.add(receipt);
    }
}

/// The POS declares its totals, the day is shown, closed, and its Z report printed.
pub(super) async fn close_the_day(
    stage: &Stage,
    books: &Books,
    demo: &Demo,
    output: &Output,
) -> Result<(), Failure> {
    title("The day: POS, register and cloud side by side", output)?;
    let (register, today) = (stage.register(), stage.today());
    let totals = TotalsView::from(&books.totals);
    register.declare_pos_totals(today, totals).await.map_err(Failure::demo)?;
    let day = register.day(today).await.map_err(Failure::demo)?;
    let open = day.sessions.last();
    let (z_no, counted_minor) =
        open.map(|session| (session.z_no, session.cash.expected_minor)).unzip();
    let figures: DayFigures = serde_json::from_value(serde_json::to_value(day)?)?;
    write_day(&figures, stage.shop(), output)?;

    title("The close, with its Z report", output)?;
    let before = stage.printer().cut_tickets();
    let body = CloseBody { z_no, counted_minor, reason: None };
    let closing = register.close_day(stage.access(), today, &body).await.map_err(Failure::demo)?;
    write_closing(&closing, stage.shop(), output)?;
    demo.show_paper(&stage.next_paper(before).await?, output)
}
