//! The day for a person: three columns side by side, the paper, every difference, the sessions.

use std::collections::BTreeSet;

use serde::Deserialize;
use tillroll_register::view::{
    CashView, CloudSource, CloudView, OpeningView, PaperView, SessionFigures, TotalsView,
};

use super::differences::Shown;
use crate::failure::Failure;
use crate::output::{Output, Tone};
use crate::shop::Shop;
use crate::table::{Cell, Table};

/// The day as the API tells it.
#[derive(Debug, Deserialize)]
pub struct DayFigures {
    day: String,
    pos: Option<TotalsView>,
    register: TotalsView,
    paper: PaperView,
    cloud: CloudView,
    differences: Vec<Shown>,
    sessions: Vec<SessionFigures>,
    openings: Vec<OpeningView>,
}

/// Writes the day.
///
/// # Errors
/// When it cannot be written.
pub fn write_day(day: &DayFigures, shop: &Shop, output: &Output) -> Result<(), Failure> {
    let heading = format!("Business day {}, {}", day.day, shop.heading());
    output.line(output.paint(Tone::Strong, heading))?;
    columns(day, shop).write(output, "")?;
    output.line("")?;
    paper(&day.paper, output)?;
    output.line("")?;
    write_differences(day, shop, output)?;
    output.line("")?;
    sessions(&day.sessions, shop).write(output, "no session was opened")?;
    corrections(&day.sessions, shop, output)?;
    openings(&day.openings, shop, output)
}

fn columns(day: &DayFigures, shop: &Shop) -> Table {
    let mut table = Table::new(["", "POS", "register", cloud_head(&day.cloud)]);
    let (pos, register) = (day.pos.as_ref(), &day.register);
    let cloud = day.cloud.totals.as_ref();
    let mut no_cloud = "not paired";
    let mut row = |label: &str, figure: &dyn Fn(&TotalsView) -> String| {
        // Said once, in the first row.
        let no_cloud = std::mem::take(&mut no_cloud);
        table.row([
            Cell::text(label),
            Cell::number(pos.map_or_else(|| "not declared".to_owned(), figure)),
            Cell::number(figure(register)),
            Cell::number(cloud.map_or_else(|| no_cloud.to_owned(), figure)),
        ]);
    };
    row("receipts", &|totals| totals.receipts.to_string());
    row("gross", &|totals| shop.amount(totals.gross_minor));
    row("refunds", &|totals| totals.refunds.to_string());
    row("refunded", &|totals| shop.amount(totals.refunded_minor));
    row("net", &|totals| shop.amount(totals.gross_minor - totals.refunded_minor));
    for tender in tenders(day) {
        let taken = |totals: &TotalsView| {
            shop.amount(totals.tenders.get(tender).copied().unwrap_or_default())
        };
        row(&format!("  {tender}"), &taken);
    }
    let unsent = Cell::number(day.cloud.unsent);
    table.row([Cell::text("unsent records"), Cell::text(""), Cell::text(""), unsent]);
    table
}

/// Where the head office's figures come from.
fn cloud_head(cloud: &CloudView) -> &'static str {
    match cloud.source {
        Some(CloudSource::Acknowledged) => "cloud, as acknowledged here",
        Some(CloudSource::HeadOffice) | None => "cloud",
    }
}

fn tenders(day: &DayFigures) -> BTreeSet<&str> {
    let totals = day.pos.iter().chain([&day.register]).chain(&day.cloud.totals);
    totals.flat_map(|totals| totals.tenders.keys().map(String::as_str)).collect()
}

/// Writes every difference of the day with its cure.
///
/// # Errors
/// When they cannot be written.
pub fn write_differences(day: &DayFigures, shop: &Shop, output: &Output) -> Result<(), Failure> {
    let found = &day.differences;
    if found.is_empty() {
        return output.line(output.paint(Tone::Good, "Differences: none. The day adds up."));
    }
    output.line(output.paint(Tone::Bad, format_args!("Differences: {}", found.len())))?;
    found.iter().try_for_each(|difference| output.line(format_args!("  {}", difference.tell(shop))))
}

/// Receipts recorded = settled on paper; what is left is named.
fn paper(paper: &PaperView, output: &Output) -> Result<(), Failure> {
    let settled = [
        (paper.printed, "printed"),
        (paper.assumed, "assumed printed"),
        (paper.confirmed_by_clerk, "seen by a person"),
        (paper.skipped, "skipped"),
    ];
    let open =
        [(paper.unconfirmed, "unconfirmed"), (paper.failed, "failed"), (paper.waiting, "waiting")];
    let sum = if settled.iter().all(|(count, _)| *count == 0) {
        String::from("0 settled")
    } else {
        words(&settled, " + ")
    };
    let open = match words(&open, ", ") {
        open if open.is_empty() => output.paint(Tone::Good, "nothing open"),
        open => output.paint(Tone::Bad, format_args!("open: {open}")),
    };
    output.line(format_args!("On paper: {} recorded = {sum}; {open}", paper.recorded))?;
    let beside = words(&[(paper.reprinted, "reprinted"), (paper.copies, "copies")], ", ");
    if beside.is_empty() { Ok(()) } else { output.line(format_args!("          {beside}")) }
}

fn words(counts: &[(i64, &str)], between: &str) -> String {
    let some = counts.iter().filter(|(count, _)| *count != 0);
    some.map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(between)
}

fn sessions(sessions: &[SessionFigures], shop: &Shop) -> Table {
    let mut table = Table::new([
        "session",
        "opened",
        "closed",
        "receipts",
        "net",
        "float",
        "cash expected",
        "counted",
        "difference",
    ]);
    for session in sessions {
        let CashView { float_minor, expected_minor, counted_minor, difference_minor, .. } =
            session.cash;
        let net = session.totals.gross_minor - session.totals.refunded_minor;
        let optional = |amount: Option<i64>| amount.map(|minor| shop.amount(minor));
        table.row([
            Cell::text(format_args!("Z {}", session.z_no)),
            Cell::text(shop.moment(session.opened_at)),
            Cell::text(session.closed_at.map_or_else(|| "open".to_owned(), |at| shop.moment(at))),
            Cell::number(session.totals.receipts + session.totals.refunds),
            Cell::number(shop.amount(net)),
            Cell::number(shop.amount(float_minor)),
            Cell::number(shop.amount(expected_minor)),
            Cell::number(optional(counted_minor).unwrap_or_default()),
            Cell::number(optional(difference_minor).unwrap_or_default()),
        ]);
    }
    table
}

fn corrections(sessions: &[SessionFigures], shop: &Shop, output: &Output) -> Result<(), Failure> {
    for session in sessions {
        for correction in &session.corrections {
            let at = shop.moment(correction.corrected_at);
            let (id, was, became) = (&correction.id, correction.was, correction.became);
            output.line(format_args!(
                "  after Z {}: {id} was {was}, became {became} ({at})",
                session.z_no
            ))?;
        }
    }
    Ok(())
}

/// Each opening of the drawer without a sale.
fn openings(openings: &[OpeningView], shop: &Shop, output: &Output) -> Result<(), Failure> {
    for OpeningView { printer, client, reason, asked_at, outcome } in openings {
        let (at, by) = (shop.moment(*asked_at), client.as_deref().unwrap_or("?"));
        output.line(format_args!(
            "  drawer without a sale at {printer}: {outcome} ({at}, {by}: {reason})"
        ))?;
    }
    Ok(())
}
