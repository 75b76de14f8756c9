//! `splits`: a day's splits, and those that wait for a manager.

use clap::{Args, Subcommand};
use tillroll_domain::splits::Verb;
use tillroll_register::view::{
    ManualSplitView, SplitBody, SplitSumView, SplitTotalsView, SplitsView,
};

use crate::cli::Desk;
use crate::failure::Failure;
use crate::shop::{self, Shop};
use crate::table::{Cell, Table};

/// Shows how the orders of a day were shared, and deals with splits that wait for a manager.
#[derive(Debug, Subcommand)]
pub enum Splits {
    /// Shows a day's splits, and all that wait for a manager.
    Day(Day),
    /// Tries one again with its whole time; the channel is asked first.
    Retry(Answer),
    /// Says that one is paid, with the evidence.
    Settle(Answer),
    /// Takes one back that is certainly not paid, with the reason.
    Cancel(Answer),
}

/// Which day.
#[derive(Debug, Args)]
pub struct Day {
    /// The business day: 2026-10-09, or today.
    #[arg(default_value = "today")]
    date: shop::Day,
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
}

/// Which split, and why.
#[derive(Debug, Args)]
pub struct Answer {
    /// Its id.
    id: String,
    /// The reason, or the evidence.
    #[arg(long)]
    note: Option<String>,
}

impl Splits {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] when there is no such split, or its state does not allow it.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        match self {
            Self::Day(day) => day.run(desk).await,
            Self::Retry(answer) => answer.run(desk, Verb::Retry).await,
            Self::Settle(answer) => answer.run(desk, Verb::Settle).await,
            Self::Cancel(answer) => answer.run(desk, Verb::Cancel).await,
        }
    }
}

impl Day {
    async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        let date = desk.shop.day(self.date).to_string();
        let answer = desk.api.get(&["days", &date, "splits"]).await?;
        if self.json {
            return desk.output.line(answer.text());
        }
        let view: SplitsView = answer.read()?;
        if !view.shared {
            return desk.output.line("this store shares no orders");
        }
        desk.output.line(told(&view, &desk.shop))?;
        totals_table(&view, &desk.shop).write(desk.output, "")?;
        manual_table(&view.manual, &desk.shop).write(desk.output, "nothing waits for a manager")
    }
}

impl Answer {
    async fn run(self, desk: &Desk<'_>, verb: Verb) -> Result<(), Failure> {
        let path = ["splits", &self.id, verb.as_str()];
        let answer = desk.api.post(&path, &SplitBody { note: self.note }).await?;
        let split: ManualSplitView = answer.read()?;
        desk.output.line(format_args!("{} is {}", split.id, split.state))
    }
}

/// From when the numbers are.
fn told(view: &SplitsView, shop: &Shop) -> String {
    match (view.reached, view.told_at) {
        (true, _) => "as the head office has them now".to_owned(),
        (false, Some(at)) => {
            format!("the head office is not reached: as of {}", shop.moment(at))
        }
        (false, None) => "the head office is not reached and told nothing yet".to_owned(),
    }
}

fn totals_table(view: &SplitsView, shop: &Shop) -> Table {
    let mut table = Table::new(["", "sales", "amount", "refunds", "amount"]);
    type Of = fn(&SplitTotalsView) -> SplitSumView;
    let rows: [(&str, Of); 4] = [
        ("succeeded", |totals| totals.succeeded),
        ("pending", |totals| totals.pending),
        ("manual", |totals| totals.manual),
        ("canceled", |totals| totals.canceled),
    ];
    for (name, of) in rows {
        let sums = [of(&view.sales), of(&view.refunds)];
        let cells = sums.into_iter().flat_map(|sum| cells(sum, shop));
        table.row(std::iter::once(Cell::text(name)).chain(cells));
    }
    table.row(std::iter::once(Cell::text("not sent yet")).chain(cells(view.unsent, shop)));
    table
}

fn cells(sum: SplitSumView, shop: &Shop) -> [Cell; 2] {
    [Cell::number(sum.count), Cell::number(shop.money(sum.amount_minor))]
}

fn manual_table(manual: &[ManualSplitView], shop: &Shop) -> Table {
    let mut table = Table::new(["waits for a manager", "day", "amount", "why", "since"]);
    for split in manual {
        table.row([
            Cell::text(&split.id),
            Cell::text(split.day),
            Cell::number(shop.money(split.amount_minor)),
            Cell::text(split.reason.as_deref().unwrap_or_default()),
            Cell::text(shop.moment(split.changed_at)),
        ]);
    }
    table
}
