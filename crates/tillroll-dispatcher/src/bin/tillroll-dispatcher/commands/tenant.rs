//! `tenant`: the chains and shops that run stores.

use clap::Subcommand;
use tillroll_dispatcher::admin::{Command, TenantView};

use crate::desk::Desk;
use crate::failure::Failure;
use crate::output;

/// Makes and lists tenants: chains and shops that run stores.
#[derive(Debug, Subcommand)]
pub enum Tenant {
    /// Makes a tenant.
    Add {
        /// Its name.
        name: String,
    },
    /// Lists the tenants.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

impl Tenant {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] with what cannot be.
    pub async fn run(self, desk: &Desk) -> Result<(), Failure> {
        match self {
            Self::Add { name } => {
                let tenant: TenantView = desk.ask(Command::AddTenant { name }).await?;
                output::line(tenant.name)
            }
            Self::List { json } => {
                let tenants: Vec<TenantView> = desk.ask(Command::Tenants {}).await?;
                if json {
                    return output::json(&tenants);
                }
                let rows = tenants.into_iter().map(|tenant| [tenant.id.to_string(), tenant.name]);
                output::table(["no", "tenant"], rows.collect(), "no tenants")
            }
        }
    }
}
