//! Pairing: a one-time code becomes a credential, issued once.

use serde::{Deserialize, Serialize};
use tillroll_domain::ids::Part;
use utoipa::ToSchema;

/// `POST /v1/pair`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PairBody {
    /// The protocol version the register speaks.
    pub protocol: u32,
    /// The one-time code, as shown by the dispatcher.
    pub code: String,
    /// The register's own store code; it must be the dispatcher's for this store.
    #[schema(value_type = String)]
    pub store: Part,
    /// The register's own name.
    #[schema(value_type = String)]
    pub register: Part,
    /// Id of the installation.
    pub installation: String,
}

/// What a paired register gets, once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Paired {
    /// 256 random bits in hex; the dispatcher keeps only their hash.
    pub credential: String,
    /// The store's uid in the cloud.
    pub store_uid: String,
    /// The store's name, for people.
    pub store_name: String,
    /// The last numbers known of this register, whichever machine gave them out; another machine goes on
    /// above them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<LastNumbers>,
}

/// Numbers a register gave out last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LastNumbers {
    /// Flow number of a receipt.
    pub flow_no: i64,
    /// Z number of a session.
    pub z_no: i64,
}

/// Secrets are not shown for debugging.
impl std::fmt::Debug for PairBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairBody").field("register", &self.register).finish_non_exhaustive()
    }
}

/// Secrets are not shown for debugging.
impl std::fmt::Debug for Paired {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Paired").field("store_uid", &self.store_uid).finish_non_exhaustive()
    }
}
