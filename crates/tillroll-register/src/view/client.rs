//! Client programs.

use serde::{Deserialize, Serialize};
use tillroll_domain::ids::OrderScope;
use tillroll_store::Client;
use utoipa::ToSchema;

/// A client program to make.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ClientBody {
    /// Its name, of `A-Z a-z 0-9 . _ ~ -`.
    pub name: String,
    /// How far its order numbers are unique: `store`, `register` or `register_day`.
    #[serde(default)]
    #[schema(value_type = String)]
    pub order_scope: OrderScope,
    /// It may open the drawer without a sale.
    #[serde(default)]
    pub may_open_drawer: bool,
    /// It may change printers, routes and clients, and close the day.
    #[serde(default)]
    pub may_manage: bool,
}

/// A client program that was made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ClientMade {
    /// Its name.
    pub name: String,
    /// Its token; it is shown this once.
    pub token: String,
}

/// Every client program.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ClientsView {
    /// Oldest first, revoked ones too.
    pub clients: Vec<ClientView>,
}

/// A client program.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ClientView {
    /// Its name.
    pub name: String,
    /// How far its order numbers are unique.
    #[schema(value_type = String)]
    pub order_scope: OrderScope,
    /// It may open the drawer without a sale.
    pub may_open_drawer: bool,
    /// It may change printers, routes and clients, and close the day.
    pub may_manage: bool,
    /// Its token no longer counts.
    pub revoked: bool,
}

impl From<Client> for ClientView {
    fn from(client: Client) -> Self {
        Self {
            name: client.name,
            order_scope: client.order_scope,
            may_open_drawer: client.may_open_drawer,
            may_manage: client.may_manage,
            revoked: client.revoked_at.is_some(),
        }
    }
}
