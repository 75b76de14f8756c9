//! What can be asked of administration, as it goes over the socket.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tillroll_domain::splits::{SplitState, Verb};
use tillroll_wire::job::CloudState;
use tillroll_wire::{Code, Problem};

use super::Admin;

/// One command. Its answer is the JSON of what the method of [`Admin`] returns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// [`Admin::add_tenant`].
    AddTenant {
        /// Its name.
        name: String,
    },
    /// [`Admin::tenants`].
    Tenants {},
    /// [`Admin::add_store`].
    AddStore {
        /// The tenant's name.
        tenant: String,
        /// The store's code.
        code: String,
        /// Its name.
        name: String,
    },
    /// [`Admin::stores`].
    Stores {},
    /// [`Admin::add_register`].
    AddRegister {
        /// The store's uid.
        store: String,
        /// The register's name.
        register: String,
    },
    /// [`Admin::registers`].
    Registers {
        /// The store's uid.
        store: String,
    },
    /// [`Admin::revoke_register`].
    RevokeRegister {
        /// The store's uid.
        store: String,
        /// The register's name.
        register: String,
    },
    /// [`Admin::add_api_key`].
    AddApiKey {
        /// The tenant's name.
        tenant: String,
        /// The key's name.
        name: String,
        /// Uids of the stores it may use.
        stores: Vec<String>,
        /// Where its webhooks go.
        webhook: Option<String>,
    },
    /// [`Admin::api_keys`].
    ApiKeys {
        /// The tenant's name.
        tenant: String,
    },
    /// [`Admin::revoke_api_key`].
    RevokeApiKey {
        /// The key's number.
        key: i64,
    },
    /// [`Admin::set_webhook`].
    SetWebhook {
        /// The key's number.
        key: i64,
        /// Where its webhooks go.
        url: String,
    },
    /// [`Admin::given_up`].
    GivenUp {},
    /// [`Admin::check_counters`].
    CheckCounters {
        /// The store's uid.
        store: String,
        /// The day.
        day: Date,
    },
    /// [`Admin::rebuild_counters`].
    RebuildCounters {
        /// The store's uid.
        store: String,
        /// The day.
        day: Date,
    },
    /// [`Admin::share_orders`].
    ShareOrders {
        /// The store's uid.
        store: String,
        /// Whether its registers do.
        on: bool,
    },
    /// [`Admin::splits`].
    Splits {
        /// The store's uid.
        store: String,
        /// Only those in this state.
        state: Option<SplitState>,
        /// At most so many.
        limit: u32,
    },
    /// [`Admin::act_on_split`].
    ActOnSplit {
        /// The store's uid.
        store: String,
        /// The split's id.
        split: String,
        /// What to do.
        verb: Verb,
        /// The person.
        by: String,
        /// The reason, or the evidence.
        note: Option<String>,
    },
    /// [`Admin::check_splits`].
    CheckSplits {},
    /// [`Admin::jobs`].
    Jobs {
        /// The store's uid.
        store: String,
        /// Only those in this state.
        state: Option<CloudState>,
        /// At most so many.
        limit: u32,
    },
}

impl Admin {
    /// Does what a command asks.
    ///
    /// # Errors
    /// As the method that does it.
    pub async fn run(&self, command: Command) -> Result<Value, Problem> {
        match command {
            Command::AddTenant { name } => json(self.add_tenant(&name).await?),
            Command::Tenants {} => json(self.tenants().await?),
            Command::AddStore { tenant, code, name } => {
                json(self.add_store(&tenant, &code, &name).await?)
            }
            Command::Stores {} => json(self.stores().await?),
            Command::AddRegister { store, register } => {
                json(self.add_register(&store, &register).await?)
            }
            Command::Registers { store } => json(self.registers(&store).await?),
            Command::RevokeRegister { store, register } => {
                json(self.revoke_register(&store, &register).await?)
            }
            Command::AddApiKey { tenant, name, stores, webhook } => {
                json(self.add_api_key(&tenant, &name, &stores, webhook.as_deref()).await?)
            }
            Command::ApiKeys { tenant } => json(self.api_keys(&tenant).await?),
            Command::RevokeApiKey { key } => json(self.revoke_api_key(key).await?),
            Command::SetWebhook { key, url } => json(self.set_webhook(key, &url).await?),
            Command::GivenUp {} => json(self.given_up().await?),
            Command::CheckCounters { store, day } => json(self.check_counters(&store, day).await?),
            Command::RebuildCounters { store, day } => {
                json(self.rebuild_counters(&store, day).await?)
            }
            Command::ShareOrders { store, on } => json(self.share_orders(&store, on).await?),
            Command::Splits { store, state, limit } => {
                json(self.splits(&store, state, limit).await?)
            }
            Command::ActOnSplit { store, split, verb, by, note } => {
                json(self.act_on_split(&store, &split, verb, by, note).await?)
            }
            Command::CheckSplits {} => json(self.check_splits().await?),
            Command::Jobs { store, state, limit } => json(self.jobs(&store, state, limit).await?),
        }
    }
}

fn json(answer: impl Serialize) -> Result<Value, Problem> {
    serde_json::to_value(answer).map_err(|error| Problem::new(Code::Internal, error.to_string()))
}
