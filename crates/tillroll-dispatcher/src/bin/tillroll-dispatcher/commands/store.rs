//! `store`: the stores of tenants.

use clap::Subcommand;
use tillroll_dispatcher::admin::{Command, StoreView};

use crate::desk::Desk;
use crate::failure::Failure;
use crate::output;

/// Makes and lists stores.
#[derive(Debug, Subcommand)]
pub enum Store {
    /// Makes a store and prints its uid.
    Add {
        /// The tenant's name.
        #[arg(long)]
        tenant: String,
        /// The store's code, the first part of its job ids, as its registers have it.
        #[arg(long)]
        code: String,
        /// Its name, for people.
        #[arg(long)]
        name: String,
    },
    /// Lists the stores.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

impl Store {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] with what cannot be.
    pub async fn run(self, desk: &Desk) -> Result<(), Failure> {
        match self {
            Self::Add { tenant, code, name } => {
                let store: StoreView = desk.ask(Command::AddStore { tenant, code, name }).await?;
                output::line(store.uid)
            }
            Self::List { json } => {
                let stores: Vec<StoreView> = desk.ask(Command::Stores {}).await?;
                if json {
                    return output::json(&stores);
                }
                let row = |store: StoreView| [store.uid, store.code, store.name, store.tenant];
                let rows = stores.into_iter().map(row).collect();
                output::table(["uid", "code", "name", "tenant"], rows, "no stores")
            }
        }
    }
}
