//! The drawer opened without a sale.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_store::DrawerOpening;
use utoipa::ToSchema;

/// Why the drawer is opened without a sale.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawerBody {
    /// Why.
    pub reason: String,
}

/// An opening of the drawer without a sale.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpeningView {
    /// The printer its drawer hangs on.
    pub printer: String,
    /// Who asked for it.
    pub client: Option<String>,
    /// Why.
    pub reason: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub asked_at: Timestamp,
    /// `due`; `opened`; `dropped`, as the printer could not take the pulse in time; `unconfirmed`, as its
    /// link broke at the pulse.
    pub outcome: String,
}

impl From<DrawerOpening> for OpeningView {
    fn from(opening: DrawerOpening) -> Self {
        Self {
            printer: opening.printer,
            client: opening.client,
            reason: opening.reason,
            asked_at: opening.asked_at,
            outcome: opening.outcome.as_str().to_owned(),
        }
    }
}
