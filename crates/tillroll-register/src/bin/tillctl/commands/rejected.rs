//! `rejected`: receipts that were refused although their sale may be done.

use clap::Subcommand;
use tillroll_register::view::{RejectedAnswer, RejectedListView, RejectedView};

use crate::cli::Desk;
use crate::failure::Failure;
use crate::shop::Shop;
use crate::table::{Cell, Table};

/// Deals with receipts that were refused although their sale may be done.
#[derive(Debug, Subcommand)]
pub enum Rejected {
    /// Lists those nobody has dealt with.
    List {
        /// Print the API's JSON.
        #[arg(long)]
        json: bool,
    },
    /// Records what was done about one; it leaves the list.
    Answer {
        /// Its number on the list.
        id: i64,
        /// What was done, such as "sold again as 0815".
        text: String,
    },
}

impl Rejected {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] when it is not on the list.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        match self {
            Self::List { json } => {
                let answer = desk.api.get(&["rejected"]).await?;
                if json {
                    return desk.output.line(answer.text());
                }
                let RejectedListView { rejected } = answer.read()?;
                rejected_table(&rejected, &desk.shop).write(desk.output, "no receipt was refused")
            }
            Self::Answer { id, text } => {
                let (number, body) = (id.to_string(), RejectedAnswer { answer: text });
                desk.api.post(&["rejected", &number, "answer"], &body).await?;
                desk.output.line(format_args!("{id} is dealt with"))
            }
        }
    }
}

/// Refused receipts with why.
pub fn rejected_table(rejected: &[RejectedView], shop: &Shop) -> Table {
    let mut table = Table::new(["number", "order", "kind", "refused at", "why"]);
    for receipt in rejected {
        table.row([
            Cell::number(receipt.id),
            Cell::text(receipt.order_no.as_deref().unwrap_or("?")),
            Cell::text(receipt.kind.as_deref().unwrap_or("?")),
            Cell::text(shop.moment(receipt.rejected_at)),
            Cell::text(format_args!("{}: {}", receipt.code, receipt.detail)),
        ]);
    }
    table
}
