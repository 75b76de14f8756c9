//! `route`: which printer prints which kind.

use std::collections::BTreeMap;

use clap::Subcommand;
use reqwest::Method;
use tillroll_domain::ids::JobKind;
use tillroll_register::view::RoutesBody;

use crate::cli::Desk;
use crate::failure::Failure;
use crate::table::{Cell, Table};

/// Decides which printer prints which kind of paper.
#[derive(Debug, Subcommand)]
pub enum Route {
    /// Lists the routes. A kind without one goes to the first printer added.
    List {
        /// Print the API's JSON.
        #[arg(long)]
        json: bool,
    },
    /// Sends a kind to a printer from now on.
    Set {
        /// receipt, refund, prebill, kitchen or report.
        kind: JobKind,
        /// The printer's name.
        printer: String,
    },
}

impl Route {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] for a printer that is not known.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        match self {
            Self::List { json } => {
                let answer = desk.api.get(&["routes"]).await?;
                if json { desk.output.line(answer.text()) } else { show(&answer.read()?, desk) }
            }
            Self::Set { kind, printer } => {
                let routes = RoutesBody(BTreeMap::from([(kind.to_string(), printer)]));
                let answer = desk.api.call(Method::PUT, &["routes"], &routes).await?;
                show(&answer.read()?, desk)
            }
        }
    }
}

fn show(RoutesBody(routes): &RoutesBody, desk: &Desk<'_>) -> Result<(), Failure> {
    let mut table = Table::new(["kind", "printer"]);
    for (kind, printer) in routes {
        table.row([Cell::text(kind), Cell::text(printer)]);
    }
    table.write(desk.output, "no routes: everything goes to the first printer added")
}
