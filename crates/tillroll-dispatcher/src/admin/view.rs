//! What administration answers.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::store::{ApiKey, ClockDrift, GivenUp, Register, StoreRecord, Tenant};

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TenantView {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
}

impl From<Tenant> for TenantView {
    fn from(tenant: Tenant) -> Self {
        Self { id: tenant.id, name: tenant.name }
    }
}

/// A store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreView {
    /// Its uid.
    pub uid: String,
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Its tenant's name.
    pub tenant: String,
}

impl StoreView {
    pub(super) fn of(store: StoreRecord, tenant: Option<String>) -> Self {
        let StoreRecord { uid, code, name, .. } = store;
        Self { uid, code: code.into(), name, tenant: tenant.unwrap_or_default() }
    }
}

/// A register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterView {
    /// Its name.
    pub name: String,
    /// The installation that is paired.
    pub installation: Option<String>,
    /// When it was paired.
    pub paired_at: Option<Timestamp>,
    /// When its credential was revoked.
    pub revoked_at: Option<Timestamp>,
    /// How far its clock is ahead.
    pub drift_ms: Option<i64>,
}

impl RegisterView {
    pub(super) fn of(register: Register, drifts: &[ClockDrift]) -> Self {
        let drift = drifts.iter().find(|drift| drift.register == register.no);
        Self {
            name: register.name.into(),
            installation: register.installation,
            paired_at: register.paired_at,
            revoked_at: register.revoked_at,
            drift_ms: drift.map(|drift| drift.drift_ms),
        }
    }
}

/// A pairing code, shown once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingMade {
    /// The store's uid.
    pub store: String,
    /// The register's name.
    pub register: String,
    /// The code.
    pub code: String,
    /// When it ends.
    pub until: Timestamp,
}

/// A key, shown once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyMade {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// What the business system presents.
    pub token: String,
    /// What its webhooks are signed with, if it has any.
    pub webhook_secret: Option<String>,
}

/// A key of a business system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Uids of the stores it may use.
    pub stores: Vec<String>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

impl KeyView {
    pub(super) fn of(key: ApiKey, stores: &[StoreRecord]) -> Self {
        let of_key = stores.iter().filter(|store| key.stores.contains(&store.no));
        let stores = of_key.map(|store| store.uid.clone()).collect();
        Self { id: key.id, name: key.name, stores, revoked_at: key.revoked_at }
    }
}

/// A webhook that was given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenUpView {
    /// Its id on the wire.
    pub id: String,
    /// The key's number.
    pub api_key: i64,
    /// Tries made.
    pub tries: u32,
    /// When the fact was made.
    pub created_at: Timestamp,
    /// When it was given up.
    pub given_up_at: Timestamp,
    /// What it would have told.
    pub body: String,
}

impl From<GivenUp> for GivenUpView {
    fn from(given_up: GivenUp) -> Self {
        Self {
            id: format!("msg_{}", given_up.id),
            api_key: given_up.api_key,
            tries: given_up.tries,
            created_at: given_up.created_at,
            given_up_at: given_up.given_up_at,
            body: given_up.body,
        }
    }
}

/// Secrets are not shown for debugging.
impl std::fmt::Debug for PairingMade {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairingMade").field("register", &self.register).finish_non_exhaustive()
    }
}

/// Secrets are not shown for debugging.
impl std::fmt::Debug for KeyMade {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyMade").field("name", &self.name).finish_non_exhaustive()
    }
}
