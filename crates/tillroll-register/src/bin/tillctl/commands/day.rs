//! `day`: the reconciliation of a business day, its cash, and its close.

mod differences;
mod table;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use reqwest::Method;
use tillroll_register::view::{CashBody, CloseBody, ClosingView};
use tillroll_store::MovementKind;

use super::submit::read_input;
use crate::cli::Desk;
use crate::failure::Failure;
use crate::output::{Output, Tone};
use crate::shop::{Day as Asked, Shop};
use crate::words::counted;

pub use self::table::{DayFigures, write_day, write_differences};

const EXAMPLES: &str = "\
Examples:
  tillctl day today
  tillctl day 2026-10-09 --csv >day.csv
  tillctl day 2026-10-09 --pdf day.pdf
  tillctl day cash today --kind float --amount 20000
  tillctl day pos-totals today totals.json
  tillctl day close today --counted 154300 --reason 'counted twice'";

/// Shows whether the day adds up, and closes it.
///
/// What the POS says, what the register recorded and what the head office knows stand side by side; below
/// them the paper, every difference with its cure, and the sessions.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Day {
    /// The business day: a date, or today.
    #[arg(default_value_t = Asked::Today)]
    date: Asked,
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
    /// Write CSV to a file; without one, or with -, to standard output.
    #[arg(
        long,
        value_name = "FILE|-",
        num_args = 0..=1,
        default_missing_value = "-",
        conflicts_with = "json"
    )]
    csv: Option<PathBuf>,
    /// Write a document in the store's language to a file; - writes it to standard output.
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["json", "csv"])]
    pdf: Option<PathBuf>,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Closes the open session of a day and prints its Z report. Differences do not prevent it; they stay. Cash
    /// that differs needs its --reason.
    Close {
        /// The business day: a date, or today.
        date: Asked,
        /// The session that is meant, as the day shows it; another one open by now is refused.
        #[arg(long = "session", value_name = "Z_NO")]
        z_no: Option<i64>,
        /// What was counted in the drawer, in minor units.
        #[arg(long, value_name = "AMOUNT_MINOR", allow_negative_numbers = true)]
        counted: Option<i64>,
        /// Why it differs from what must be there.
        #[arg(long)]
        reason: Option<String>,
        /// Print the API's JSON.
        #[arg(long)]
        json: bool,
    },
    /// Records what the POS says of a day: receipts, gross_minor, refunds, refunded_minor, tenders.
    PosTotals {
        /// The business day: a date, or today.
        date: Asked,
        /// The totals in JSON; - reads standard input.
        #[arg(value_name = "FILE|-")]
        totals: PathBuf,
    },
    /// Records cash that is no sale: the float, cash paid in or out, or a count.
    Cash {
        /// The business day: a date, or today.
        date: Asked,
        /// float, paid_in, paid_out or count.
        #[arg(long, value_parser = kind)]
        kind: MovementKind,
        /// How much, in minor units.
        #[arg(long, value_name = "AMOUNT_MINOR", allow_negative_numbers = true)]
        amount: i64,
        /// Why; needed for cash paid in or out.
        #[arg(long)]
        reason: Option<String>,
    },
}

impl Day {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] with what cannot be.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        match self.action {
            None => self.show(desk).await,
            Some(Action::Close { date, z_no, counted, reason, json }) => {
                let body = CloseBody { z_no, counted_minor: counted, reason };
                close(date, &body, json, desk).await
            }
            Some(Action::PosTotals { date, totals }) => {
                let date = desk.shop.day(date).to_string();
                let totals = read_input(&totals)?;
                desk.api.call_raw(Method::PUT, &["days", &date, "pos-totals"], totals).await?;
                desk.output.line(format_args!("recorded for {date}"))
            }
            Some(Action::Cash { date, kind, amount, reason }) => {
                let date = desk.shop.day(date).to_string();
                let body = CashBody { kind, amount_minor: amount, reason };
                desk.api.post(&["days", &date, "cash"], &body).await?;
                let word = kind.as_str();
                desk.output.line(format_args!("{word} {} on {date}", desk.shop.money(amount)))
            }
        }
    }

    async fn show(&self, desk: &Desk<'_>) -> Result<(), Failure> {
        let date = desk.shop.day(self.date).to_string();
        for (format, file) in [("csv", &self.csv), ("pdf", &self.pdf)] {
            if let Some(file) = file {
                let answer = desk.api.query(&["days", &date], &[("format", format)]).await?;
                return write_file(file, answer.bytes(), desk.output);
            }
        }
        let answer = desk.api.get(&["days", &date]).await?;
        if self.json {
            return desk.output.line(answer.text());
        }
        write_day(&answer.read()?, &desk.shop, desk.output)
    }
}

/// Writes to a file, or to standard output for `-`.
fn write_file(file: &Path, bytes: &[u8], output: &Output) -> Result<(), Failure> {
    if file.as_os_str() == "-" {
        return output.bytes(bytes);
    }
    std::fs::write(file, bytes).map_err(Failure::file("write", file))
}

async fn close(date: Asked, body: &CloseBody, json: bool, desk: &Desk<'_>) -> Result<(), Failure> {
    let date = desk.shop.day(date).to_string();
    let answer = desk.api.post(&["days", &date, "close"], body).await?;
    if json {
        return desk.output.line(answer.text());
    }
    write_closing(&answer.read()?, &desk.shop, desk.output)
}

/// Writes the figures a session was closed with.
///
/// # Errors
/// When they cannot be written.
pub fn write_closing(closing: &ClosingView, shop: &Shop, output: &Output) -> Result<(), Failure> {
    let net = closing.totals.gross_minor - closing.totals.refunded_minor;
    output.line(format_args!(
        "Z {} is closed: {}, {}, net {}",
        closing.z_no,
        counted(closing.totals.receipts, "receipt"),
        counted(closing.totals.refunds, "refund"),
        shop.money(net)
    ))?;
    let expected = shop.money(closing.cash_expected_minor);
    match (closing.cash_counted_minor, closing.cash_difference_minor) {
        (Some(found), Some(difference)) => output.line(format_args!(
            "cash expected {expected}, counted {}, difference {}",
            shop.money(found),
            shop.money(difference)
        ))?,
        _ => output.line(format_args!("cash expected {expected}, not counted"))?,
    }
    match closing.differences {
        0 => output.line(output.paint(Tone::Good, "no differences")),
        open => {
            let open = counted(i64::try_from(open).unwrap_or(i64::MAX), "difference");
            let text = format!("closed with {open}; see: tillctl day");
            output.line(output.paint(Tone::Warn, text))
        }
    }
}

fn kind(text: &str) -> Result<MovementKind, String> {
    let known = text.replace('-', "_").parse();
    known.map_err(|_| "must be float, paid_in, paid_out or count".to_owned())
}
