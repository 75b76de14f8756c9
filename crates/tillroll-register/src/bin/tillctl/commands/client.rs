//! `client`: the programs that may speak to the register.

use clap::Subcommand;
use reqwest::Method;
use tillroll_domain::ids::OrderScope;
use tillroll_register::view::{ClientBody, ClientMade, ClientsView};

use crate::cli::Desk;
use crate::failure::Failure;
use crate::output::{Output, Tone};
use crate::table::{Cell, Table};

/// Gives programs a token of their own, and takes it away.
#[derive(Debug, Subcommand)]
pub enum Client {
    /// Makes a client and shows its token, this once. A client of that name gets a new token.
    Add {
        /// The client's name, such as pos-1.
        name: String,
        /// How far its order numbers are unique: store, register or register_day. A POS that begins at 0001
        /// every day needs register_day.
        #[arg(long, value_name = "SCOPE", default_value = "store", value_parser = scope)]
        order_scope: OrderScope,
        /// It may open the drawer without a sale.
        #[arg(long)]
        may_open_drawer: bool,
        /// It may change printers, routes and clients, and close the day.
        #[arg(long)]
        may_manage: bool,
        /// Print the API's JSON.
        #[arg(long)]
        json: bool,
    },
    /// Lists the clients.
    List {
        /// Print the API's JSON.
        #[arg(long)]
        json: bool,
    },
    /// Takes a client's token away.
    Revoke {
        /// The client's name.
        name: String,
    },
}

impl Client {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] with what cannot be.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        match self {
            Self::Add { name, order_scope, may_open_drawer, may_manage, json } => {
                let body = ClientBody { name, order_scope, may_open_drawer, may_manage };
                let answer = desk.api.post(&["clients"], &body).await?;
                if json {
                    desk.output.line(answer.text())
                } else {
                    made(&answer.read()?, desk.output)
                }
            }
            Self::List { json } => {
                let answer = desk.api.get(&["clients"]).await?;
                if json {
                    desk.output.line(answer.text())
                } else {
                    list(answer.read()?, desk.output)
                }
            }
            Self::Revoke { name } => {
                desk.api.act(Method::DELETE, &["clients", &name]).await?;
                desk.output.line(format_args!("the token of {name} counts no longer"))
            }
        }
    }
}

fn made(client: &ClientMade, output: &Output) -> Result<(), Failure> {
    output.note(format_args!("The token of {}; it is not shown again:", client.name))?;
    output.line(&client.token)
}

fn list(list: ClientsView, output: &Output) -> Result<(), Failure> {
    let mut table = Table::new(["client", "order numbers unique in", "may", "token"]);
    for client in list.clients {
        let rights = [(client.may_open_drawer, "open drawer"), (client.may_manage, "manage")];
        let rights: Vec<&str> =
            rights.into_iter().filter_map(|(has, right)| has.then_some(right)).collect();
        let (token, tone) =
            if client.revoked { ("revoked", Tone::Bad) } else { ("valid", Tone::Good) };
        table.row([
            Cell::text(&client.name),
            Cell::text(client.order_scope.as_str()),
            Cell::text(rights.join(", ")),
            Cell::text(token).tone(tone),
        ]);
    }
    table.write(output, "no clients")
}

fn scope(text: &str) -> Result<OrderScope, String> {
    let known = OrderScope::ALL.into_iter().find(|scope| scope.as_str() == text.replace('-', "_"));
    known.ok_or_else(|| "must be store, register or register_day".to_owned())
}
