//! Who may do what: tenants, stores, registers with their credentials, keys of business systems.

use jiff::Timestamp;
use tillroll_domain::ids::Part;

use crate::job::{RegisterNo, StoreNo};

/// SHA-256 of a token; tokens themselves are never stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash(pub [u8; 32]);

/// A chain or shop that runs stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
}

/// A store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreRecord {
    /// Its number; ignored when it is added.
    pub no: StoreNo,
    /// Its tenant.
    pub tenant: i64,
    /// Its uid: known to its registers and to business systems.
    pub uid: String,
    /// Its code, the first part of its job ids; two tenants may both have an `S1`.
    pub code: Part,
    /// Its name, for people.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A business system that asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The number of its key.
    pub key: i64,
    /// The store that it asks for, if its key is for it.
    pub store: Option<StoreRecord>,
}

/// A register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// Its number.
    pub no: RegisterNo,
    /// Its name, unique in its store.
    pub name: Part,
    /// The installation that is paired, if one is.
    pub installation: Option<String>,
    /// When it was paired.
    pub paired_at: Option<Timestamp>,
    /// When its credential was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// How far a register's wall clock is ahead of the dispatcher's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockDrift {
    /// The register.
    pub register: RegisterNo,
    /// Milliseconds ahead; negative when it is behind.
    pub drift_ms: i64,
    /// When that was measured, by the dispatcher's clock.
    pub measured_at: Timestamp,
}

/// A pairing code for a register.
#[derive(Debug, Clone)]
pub struct NewPairing {
    /// The store.
    pub store: StoreNo,
    /// The register's name.
    pub register: Part,
    /// SHA-256 of the code.
    pub code: TokenHash,
    /// When it ends.
    pub until: Timestamp,
}

/// A use of a pairing code.
#[derive(Debug, Clone)]
pub struct Pairing {
    /// SHA-256 of the code.
    pub code: TokenHash,
    /// The store code the register says.
    pub store: Part,
    /// The name the register says.
    pub register: Part,
    /// The installation that pairs.
    pub installation: String,
    /// SHA-256 of its new credential.
    pub credential: TokenHash,
    /// Now.
    pub now: Timestamp,
}

/// What a use of a code came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "a pairing is rare and its outcome short-lived")]
pub enum PairingOutcome {
    /// Paired. An earlier installation's credential no longer counts.
    Paired(StoreRecord, Register),
    /// The code is unknown, used, too old, or of another register.
    Refused,
}

/// What a credential stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// The store.
    pub store: StoreRecord,
    /// The register.
    pub register: Register,
    /// The store's registers share its orders.
    pub shares_orders: bool,
}

/// A key of a business system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its number; ignored when it is added.
    pub id: i64,
    /// Its tenant.
    pub tenant: i64,
    /// Its name, for people.
    pub name: String,
    /// The stores it may use.
    pub stores: Vec<StoreNo>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}
