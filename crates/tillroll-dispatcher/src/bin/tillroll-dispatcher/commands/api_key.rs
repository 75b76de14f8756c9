//! `api-key`: the keys of business systems and their webhooks.

use clap::Subcommand;
use tillroll_dispatcher::admin::{Command, GivenUpView, KeyMade, KeyView};

use crate::desk::Desk;
use crate::failure::Failure;
use crate::output;

/// Gives business systems a key and a webhook, and takes them away.
#[derive(Debug, Subcommand)]
pub enum ApiKey {
    /// Makes a key and prints its token, this once; with a webhook its secret on the next line.
    Add {
        /// The tenant's name.
        #[arg(long)]
        tenant: String,
        /// Uid of a store it may use. May be repeated.
        #[arg(long = "store", required = true)]
        stores: Vec<String>,
        /// Where it is told how its jobs end: https, or http on the loopback.
        #[arg(long, value_name = "URL")]
        webhook: Option<String>,
        /// The key's name.
        name: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Lists the keys of a tenant.
    List {
        /// The tenant's name.
        #[arg(long)]
        tenant: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Revokes a key; its webhooks end with it.
    Revoke {
        /// The key's number.
        key: i64,
    },
    /// Sets where a key's webhooks go, and prints the new secret that signs them, this once.
    Webhook {
        /// The key's number.
        key: i64,
        /// https, or http on the loopback.
        url: String,
    },
    /// Lists webhooks that were given up.
    GivenUp {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

impl ApiKey {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] with what cannot be.
    pub async fn run(self, desk: &Desk) -> Result<(), Failure> {
        match self {
            Self::Add { tenant, stores, webhook, name, json } => {
                let command = Command::AddApiKey { tenant, name, stores, webhook };
                let made: KeyMade = desk.ask(command).await?;
                if json { output::json(&made) } else { show(&made) }
            }
            Self::List { tenant, json } => {
                let keys: Vec<KeyView> = desk.ask(Command::ApiKeys { tenant }).await?;
                if json { output::json(&keys) } else { list(keys) }
            }
            Self::Revoke { key } => {
                let () = desk.ask(Command::RevokeApiKey { key }).await?;
                output::line(format_args!("key {key} counts no longer"))
            }
            Self::Webhook { key, url } => {
                let secret: String = desk.ask(Command::SetWebhook { key, url }).await?;
                output::note("The secret that signs its webhooks; it is not shown again:")?;
                output::line(secret)
            }
            Self::GivenUp { json } => {
                let given_up: Vec<GivenUpView> = desk.ask(Command::GivenUp {}).await?;
                if json { output::json(&given_up) } else { list_given_up(given_up) }
            }
        }
    }
}

fn show(made: &KeyMade) -> Result<(), Failure> {
    output::note(format_args!("The token of {} (key {}); not shown again:", made.name, made.id))?;
    output::line(&made.token)?;
    let Some(secret) = &made.webhook_secret else { return Ok(()) };
    output::note("The secret that signs its webhooks; not shown again:")?;
    output::line(secret)
}

fn list(keys: Vec<KeyView>) -> Result<(), Failure> {
    let row = |key: KeyView| {
        let state = key.revoked_at.map_or_else(|| "valid".to_owned(), |at| format!("revoked {at}"));
        [key.id.to_string(), key.name, state, key.stores.join(" ")]
    };
    let rows = keys.into_iter().map(row).collect();
    output::table(["key", "name", "token", "stores"], rows, "no keys")
}

fn list_given_up(given_up: Vec<GivenUpView>) -> Result<(), Failure> {
    let row = |row: GivenUpView| {
        [
            row.id,
            row.api_key.to_string(),
            row.tries.to_string(),
            row.given_up_at.to_string(),
            row.body,
        ]
    };
    let rows = given_up.into_iter().map(row).collect();
    output::table(["webhook", "key", "tries", "given up", "body"], rows, "none was given up")
}
