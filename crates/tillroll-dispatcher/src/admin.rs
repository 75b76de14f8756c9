//! Administration: tenants, stores, registers, keys of business systems, and a look at their jobs.
//!
//! A running dispatcher does it itself, asked over a socket in its data folder; without one, whoever holds
//! the folder's lock does it on the database.
//!
//! Invariants:
//! - A secret is shown once, when it is drawn; only its hash is kept.
//! - What is revoked is cut off at once: a register's channel is closed.

mod command;
mod counters;
mod registers;
mod socket;
mod splits;
mod view;

use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tillroll_domain::ids::Part;
use tillroll_wire::job::CloudState;
use tillroll_wire::{Code, Problem};

pub use self::command::Command;
pub use self::socket::{AskError, ask};
pub(crate) use self::socket::{Door, serve};
pub use self::view::{
    GivenUpView, KeyMade, KeyView, PairingMade, RegisterView, StoreView, TenantView,
};
use crate::Engine;
use crate::hooks::check_address;
use crate::http::JobList;
use crate::job::StoreNo;
use crate::payments::ChannelReconciler;
use crate::schedule::{Scheduler, SteadyClock};
use crate::secret::{self, NoRandomBits};
use crate::store::{ApiKey, DispatcherStore as _, Hook, StoreError, StoreRecord};

/// The longest name for people, in bytes.
const NAME: usize = 200;
/// Most rows of a list.
const ROWS: u32 = 500;

/// Administration of one dispatcher.
#[derive(Clone)]
pub struct Admin {
    store: Engine,
    clock: SteadyClock,
    scheduler: Option<Scheduler<Engine>>,
    code_counts_for: Duration,
    reconciler: Option<Arc<ChannelReconciler>>,
}

impl Admin {
    /// `scheduler` is that of the running dispatcher, if one runs.
    pub(crate) fn new(
        store: Engine,
        clock: SteadyClock,
        scheduler: Option<Scheduler<Engine>>,
        code_counts_for: Duration,
    ) -> Self {
        Self { store, clock, scheduler, code_counts_for, reconciler: None }
    }

    /// The same with a comparison of splits with their channel.
    pub(crate) fn comparing(self, reconciler: Option<Arc<ChannelReconciler>>) -> Self {
        Self { reconciler, ..self }
    }

    /// Makes a tenant.
    ///
    /// # Errors
    /// When the name is taken or empty, or nothing can be stored.
    pub async fn add_tenant(&self, name: &str) -> Result<TenantView, Problem> {
        check_name("name", name)?;
        let tenant = self.store.add_tenant(name.to_owned(), self.clock.now()).await;
        Ok(tenant.map_err(problem)?.into())
    }

    /// Every tenant.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn tenants(&self) -> Result<Vec<TenantView>, Problem> {
        let tenants = self.store.tenants().await.map_err(problem)?;
        Ok(tenants.into_iter().map(TenantView::from).collect())
    }

    /// Makes a store of a tenant; its uid is drawn.
    ///
    /// # Errors
    /// When there is no such tenant, its code is taken or no code, or nothing can be stored.
    pub async fn add_store(
        &self,
        tenant: &str,
        code: &str,
        name: &str,
    ) -> Result<StoreView, Problem> {
        check_name("name", name)?;
        let code = part("code", code)?;
        let tenant = self.tenant(tenant).await?;
        let record = StoreRecord {
            no: StoreNo(0),
            tenant: tenant.id,
            uid: secret::draw_store_uid().map_err(no_bits)?,
            code,
            name: name.to_owned(),
            created_at: self.clock.now(),
        };
        let record = self.store.add_store(record).await.map_err(problem)?;
        Ok(StoreView::of(record, Some(tenant.name)))
    }

    /// Every store.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn stores(&self) -> Result<Vec<StoreView>, Problem> {
        let tenants = self.store.tenants().await.map_err(problem)?;
        let name_of = |id| tenants.iter().find(|tenant| tenant.id == id).map(|t| t.name.clone());
        let stores = self.store.stores().await.map_err(problem)?;
        let view = |store: StoreRecord| {
            let tenant = name_of(store.tenant);
            StoreView::of(store, tenant)
        };
        Ok(stores.into_iter().map(view).collect())
    }

    /// Makes a key for a business system, shown this once; with a webhook its secret too.
    ///
    /// # Errors
    /// When the name is taken, a store is not the tenant's, or nothing can be stored.
    pub async fn add_api_key(
        &self,
        tenant: &str,
        name: &str,
        stores: &[String],
        webhook: Option<&str>,
    ) -> Result<KeyMade, Problem> {
        check_name("name", name)?;
        if let Some(url) = webhook {
            check_address(url).map_err(|error| invalid("webhook", error))?;
        }
        let tenant = self.tenant(tenant).await?;
        let mut numbers = Vec::with_capacity(stores.len());
        for uid in stores {
            numbers.push(self.store(uid).await?.no);
        }
        let token = secret::draw_token().map_err(no_bits)?;
        let (tenant, name) = (tenant.id, name.to_owned());
        let key = ApiKey { id: 0, tenant, name, stores: numbers, revoked_at: None };
        let added = self.store.add_api_key(key, secret::hash_of(&token)).await;
        let key = added.map_err(problem)?;
        let webhook_secret = match webhook {
            Some(url) => Some(self.set_webhook(key.id, url).await?),
            None => None,
        };
        Ok(KeyMade { id: key.id, name: key.name, token, webhook_secret })
    }

    /// Every key of a tenant.
    ///
    /// # Errors
    /// When there is no such tenant, or the store cannot be read.
    pub async fn api_keys(&self, tenant: &str) -> Result<Vec<KeyView>, Problem> {
        let tenant = self.tenant(tenant).await?;
        let keys = self.store.api_keys(tenant.id).await.map_err(problem)?;
        let stores = self.store.stores().await.map_err(problem)?;
        Ok(keys.into_iter().map(|key| KeyView::of(key, &stores)).collect())
    }

    /// Revokes a key; its webhooks end with it.
    ///
    /// # Errors
    /// When there is no such key, or nothing can be stored.
    pub async fn revoke_api_key(&self, key: i64) -> Result<(), Problem> {
        self.store.revoke_api_key(key, self.clock.now()).await.map_err(problem)
    }

    /// Sets where a key's webhooks go; the new secret that signs them is shown this once.
    ///
    /// # Errors
    /// When the address is none for webhooks, there is no such key, or nothing can be stored.
    pub async fn set_webhook(&self, key: i64, url: &str) -> Result<String, Problem> {
        let url = check_address(url).map_err(|error| invalid("url", error))?;
        let secret = secret::draw_webhook_secret().map_err(no_bits)?;
        let hook = Hook { api_key: key, url: url.into(), secret: secret.clone() };
        self.store.set_hook(hook).await.map_err(problem)?;
        Ok(secret)
    }

    /// Webhooks that were given up, newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn given_up(&self) -> Result<Vec<GivenUpView>, Problem> {
        let given_up = self.store.given_up(ROWS).await.map_err(problem)?;
        Ok(given_up.into_iter().map(GivenUpView::from).collect())
    }

    /// A store's newest jobs.
    ///
    /// # Errors
    /// When there is no such store, or it cannot be read.
    pub async fn jobs(
        &self,
        store: &str,
        state: Option<CloudState>,
        limit: u32,
    ) -> Result<JobList, Problem> {
        let store = self.store(store).await?.no;
        let registers = self.store.registers(store).await.map_err(problem)?;
        let limit = limit.clamp(1, ROWS);
        let jobs = self.store.jobs(store, state, None, limit).await.map_err(problem)?;
        let jobs = jobs.iter().map(|job| {
            let register = registers.iter().find(|register| job.register == Some(register.no));
            job.view(register.map(|register| register.name.as_str()), false)
        });
        Ok(JobList { jobs: jobs.collect(), next: None })
    }

    async fn tenant(&self, name: &str) -> Result<TenantView, Problem> {
        let known = self.tenants().await?.into_iter().find(|tenant| tenant.name == name);
        known.ok_or_else(|| Problem::new(Code::NotFound, format!("there is no tenant {name:?}")))
    }

    async fn store(&self, uid: &str) -> Result<StoreRecord, Problem> {
        let known = self.store.store_of(uid.to_owned()).await.map_err(problem)?;
        known.ok_or_else(|| Problem::new(Code::NotFound, format!("there is no store {uid:?}")))
    }
}

fn check_name(field: &str, name: &str) -> Result<(), Problem> {
    let plain =
        !name.trim().is_empty() && name.len() <= NAME && !name.chars().any(char::is_control);
    let must = format!("must be 1 to {NAME} bytes of text");
    if plain { Ok(()) } else { Err(invalid(field, must)) }
}

fn part(field: &'static str, text: &str) -> Result<Part, Problem> {
    text.parse().map_err(|error| invalid(field, error))
}

fn invalid(field: &str, must: impl std::fmt::Display) -> Problem {
    Problem::new(Code::InvalidValue, format!("{field}: {must}"))
}

fn problem(error: StoreError) -> Problem {
    match error {
        StoreError::Refused(why) => Problem::new(Code::NotAllowed, why),
        StoreError::Unavailable(_) => Problem::new(Code::Unavailable, error.to_string()),
        StoreError::OutcomeUnknown(_) => Problem::new(Code::OutcomeUnknown, error.to_string()),
        StoreError::Unreadable(_) => Problem::new(Code::Internal, error.to_string()),
    }
}

fn no_bits(error: NoRandomBits) -> Problem {
    Problem::new(Code::Internal, error.to_string())
}
